// Package preview puts together the objects that an active unit comes to.
package preview

import (
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
)

// Object is a Kubernetes object as plain data.
type Object = manifest.Object

// Objects are the unit's Kustomization, the DaemonSet as Flux builds it, and the Kustomization of the unit that waits. The second
// result says what of them is not known, or should be looked at.
func Objects(c *decision.Case) ([]Object, []string, error) {
	objects, lost, notes, err := Unit(c)
	if err != nil {
		return nil, nil, err
	}
	held, lostHeld, err := manifest.Kustomization(c.Engine, c.Unit.Holds, c.Set.Namespace)
	if err != nil {
		return nil, nil, err
	}
	return append(objects, held), slices.Concat(lost, lostHeld, notes), nil
}

// Unit is the unit's Kustomization and, behind it, the DaemonSet as Flux builds it. lost says what of them is not known, notes what
// should be looked at.
func Unit(c *decision.Case) (objects []Object, lost, notes []string, err error) {
	unit, lost, err := manifest.Kustomization(c.Engine, c.Unit.Name, c.Set.Namespace)
	if err != nil {
		return nil, nil, nil, err
	}
	images, err := redirect(c, unit["spec"].(Object))
	if err != nil {
		return nil, nil, nil, err
	}
	files, err := manifest.Files(c.Unit, images)
	if err != nil {
		return nil, nil, nil, err
	}
	built, err := manifest.Built(files, unit["spec"].(Object))
	if err != nil {
		return nil, nil, nil, err
	}
	pods, err := checkPods(files, built)
	if err != nil {
		return nil, nil, nil, err
	}
	others, err := otherImages(c, built)
	return append([]Object{unit}, built...), lost, append(pods, others...), err
}
