// Package checkout puts a pre-pull unit into a sylva-core checkout, and takes it out: as changes of files, which somebody else writes.
package checkout

import (
	"fmt"
	"path"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
)

// The files of a checkout, below its root.
const (
	chartFile       = "charts/sylva-units/Chart.yaml"
	valuesFile      = "charts/sylva-units/values.yaml"
	workloadFile    = "charts/sylva-units/workload-cluster.values.yaml"
	descriptionFile = "charts/sylva-units/units-description.md"
	unitsDir        = "kustomize-units"
)

// Checkout is a sylva-core checkout.
type Checkout struct {
	read  func(path string) ([]byte, error)
	root  string // for messages
	unit  *unit.Definition
	notes []string
}

// New takes a checkout's root and a function that reads a file of a path; it gives nil, without an error, for a file that is not there.
func New(root string, definition *unit.Definition, read func(path string) ([]byte, error)) *Checkout {
	return &Checkout{root: root, unit: definition, read: read}
}

// With are the files with the unit in them, changed or not: its manifests with the images, its entry in values.yaml and the edge from the unit that
// waits for it, the opt-in of workload clusters, its line in the description of the units. Notes tell what is lost of edits by hand.
// A tree that is not sylva-core, or that cannot be edited with certainty, is an error.
func (c *Checkout) With(images []manifest.Image) ([]files.Change, []string, error) {
	manifests, err := manifest.Files(c.unit, images)
	if err != nil {
		return nil, nil, err
	}
	changes, err := c.edited(c.putValues, c.putOptIn, c.putDescription)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range manifests {
		changes = append(changes, files.Change{Path: c.manifestPath(file.Name), After: file.Data})
	}
	return c.complete(changes)
}

// Without are the files without the unit.
func (c *Checkout) Without() ([]files.Change, []string, error) {
	changes, err := c.edited(c.dropValues, c.dropOptIn, c.dropDescription)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range []string{"daemonset.yaml", "kustomization.yaml"} {
		changes = append(changes, files.Change{Path: c.manifestPath(name)})
	}
	return c.complete(changes)
}

func (c *Checkout) manifestPath(name string) string { return path.Join(unitsDir, c.unit.Name, name) }

// edited applies the edit of each file to its text.
func (c *Checkout) edited(values, optIn, description func([]byte) ([]byte, error)) ([]files.Change, error) {
	if chart, err := c.read(chartFile); err != nil {
		return nil, err
	} else if chart == nil {
		return nil, fmt.Errorf("%s is no sylva-core checkout: it has no %s", c.root, chartFile)
	}
	var changes []files.Change
	for _, each := range []struct {
		path     string
		edit     func([]byte) ([]byte, error)
		optional bool
	}{{valuesFile, values, false}, {workloadFile, optIn, false}, {descriptionFile, description, true}} {
		before, err := c.read(each.path)
		switch {
		case err != nil:
			return nil, err
		case before == nil && each.optional:
			continue
		case before == nil:
			return nil, fmt.Errorf("%s is no sylva-core checkout: it has no %s", c.root, each.path)
		}
		after, err := each.edit(before)
		if err != nil {
			return nil, err
		}
		changes = append(changes, files.Change{Path: each.path, After: after})
	}
	return changes, nil
}

// complete adds what the files hold now.
func (c *Checkout) complete(changes []files.Change) ([]files.Change, []string, error) {
	for i := range changes {
		before, err := c.read(changes[i].Path)
		if err != nil {
			return nil, nil, err
		}
		changes[i].Before = before
	}
	return changes, c.notes, nil
}

// Standalone are the files of a copy outside of a checkout: the manifests, and what belongs into the two values files.
func Standalone(definition *unit.Definition, images []manifest.Image) ([]files.Change, error) {
	manifests, err := manifest.Files(definition, images)
	if err != nil {
		return nil, err
	}
	out := []files.Change{
		{Path: "values.yaml", After: definition.Source},
		{Path: "workload-cluster.values.yaml", After: fmt.Appendf(nil, "units:\n\n  %s:\n    enabled: true\n", definition.Name)},
	}
	for _, file := range manifests {
		out = append(out, files.Change{Path: path.Join(unitsDir, definition.Name, file.Name), After: file.Data})
	}
	return out, nil
}
