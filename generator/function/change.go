package function

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// change makes the list what the decision asks for.
func (r *run) change() error {
	if r.decision.Active == decision.False {
		return r.takeAway()
	}
	objects, lost, notes, err := preview.Unit(r.answered)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		return fmt.Errorf("the unit cannot be made: %s", strings.Join(lost, "; "))
	}
	for _, note := range notes {
		r.say(resourcelist.Warning, note, r.unitReference(), nil)
	}
	if err := errors.Join(r.pin(objects[0]), r.follow(objects[0])); err != nil {
		return err
	}
	if r.namespace == "" {
		delete(objects[0]["metadata"].(preview.Object), "namespace")
	}
	if err := r.put(objects); err != nil {
		return err
	}
	r.tellActive()
	return r.hold()
}

// put sees to it that the objects are in the list.
func (r *run) put(objects []preview.Object) error {
	directory, err := r.directory()
	if err != nil {
		return err
	}
	for i, object := range objects {
		if kind, _ := object["kind"].(string); !slices.Contains(r.config.Emit, kind) {
			continue
		}
		if err := r.upsert(object, directory, i); err != nil {
			return err
		}
	}
	return nil
}

// pathAnnotations say of which file an object is; the second is the name that older tools know.
func pathAnnotations() []string {
	return []string{"internal.config.kubernetes.io/path", "config.kubernetes.io/path"}
}

// indexAnnotations say where in its file an object is.
func indexAnnotations() []string {
	return []string{"internal.config.kubernetes.io/index", "config.kubernetes.io/index"}
}

// directory is where the file of metallb's Kustomization is; "" where the objects of the stream have no files.
func (r *run) directory() (string, error) {
	item, err := r.held()
	if item == nil || err != nil {
		return "", err
	}
	file, err := r.file(item)
	if file == nil || err != nil {
		return "", err
	}
	return path.Dir(file.Path), nil
}

// takeAway removes the unit's objects and the edge.
func (r *run) takeAway() error {
	for _, id := range []resourcelist.Identity{r.unitIdentity(), {APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: r.podNamespace(), Name: r.Unit.Name}} {
		item, err := r.find(id.Group(), id)
		if err != nil {
			return err
		}
		if item != nil {
			r.list.Remove(item)
		}
	}
	r.say(resourcelist.Info, r.Unit.Name+" is off: "+r.decision.Why, r.unitReference(), nil)
	return r.release()
}

// podNamespace is the namespace of the DaemonSet: what the Kustomization's targetNamespace is.
func (r *run) podNamespace() string {
	node := r.answered.Engine.Interpreted("units", r.Unit.Name, "kustomization_spec", "targetNamespace")
	if node != nil && node.Kind == values.String {
		return node.Text
	}
	return "sylva-system"
}

func (r *run) unitIdentity() resourcelist.Identity {
	return resourcelist.Identity{APIVersion: fluxGroup + "/v1", Kind: "Kustomization", Namespace: r.namespace, Name: r.names.unit}
}

// unitIsThere reports whether the unit's Kustomization is in the list.
func (r *run) unitIsThere() (bool, error) {
	item, err := r.find(fluxGroup, r.unitIdentity())
	return item != nil, err
}

// errInPlace is for a change that came out as another than intended.
var errInPlace = errors.New("its dependsOn cannot be changed in place: write spec and dependsOn in it, without anchors and merge keys")
