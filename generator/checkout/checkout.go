// Package checkout puts a pre-pull unit into a sylva-core checkout, and takes it out: as changes of files, which somebody else writes.
package checkout

import (
	"fmt"
	"path"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
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
	read  files.Reader
	root  string // for messages
	unit  *unit.Definition
	notes []string
}

// New takes a checkout's root, for messages, and what reads its files.
func New(root string, definition *unit.Definition, read files.Reader) *Checkout {
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
	var contents []files.Change
	for _, file := range manifests {
		contents = append(contents, files.Change{Path: c.manifestPath(file.Name), After: file.Data})
	}
	return c.changes(contents, c.putValues, c.putOptIn, c.putDescription)
}

// Without are the files without the unit.
func (c *Checkout) Without() ([]files.Change, []string, error) {
	contents := []files.Change{{Path: c.manifestPath("daemonset.yaml")}, {Path: c.manifestPath("kustomization.yaml")}}
	return c.changes(contents, c.dropValues, c.dropOptIn, c.dropDescription)
}

func (c *Checkout) manifestPath(name string) string { return path.Join(unitsDir, c.unit.Name, name) }

// changes are those of the files that are edited, and of the manifests.
func (c *Checkout) changes(manifests []files.Change, values, optIn, description func([]byte) ([]byte, error)) ([]files.Change, []string, error) {
	edited, err := c.edited(values, optIn, description)
	if err != nil {
		return nil, nil, err
	}
	written, err := files.Onto(c.read, manifests, yamltext.Newline(edited[0].Before))
	return append(edited, written...), c.notes, err
}

// Foreign are the files among the changes that would be replaced or deleted whole though generate has not written them.
func Foreign(changes []files.Change) []string {
	var found []string
	for _, each := range changes {
		if strings.HasPrefix(each.Path, unitsDir+"/") && each.Before != nil && !each.Same() && !manifest.Generated(each.Before) {
			found = append(found, each.Path)
		}
	}
	return found
}

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
		changes = append(changes, files.Change{Path: each.path, Before: before, After: after})
	}
	return changes, nil
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
