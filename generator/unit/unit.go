// Package unit reads the pre-pull units, which are data (package units): the unit in Sylva's vocabulary, the names of its guards, its
// images and their catalogue.
package unit

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Definition is a pre-pull unit.
type Definition struct {
	Name   string   `json:"name"`
	Holds  string   `json:"holds"`  // the unit whose Kustomization waits for this one
	Guards []string `json:"guards"` // the names of the enabled conditions, in order
	Images []Slot   `json:"images"`
	Spares []string `json:"spares"` // images of the held unit's pods that are deliberately not pulled
	Checks []string `json:"checks"` // values of sylva-core whose templates refuse what goes wrong with the held unit

	Values    *values.Node `json:"-"` // the unit and the edge, as they stand in sylva-core's values.yaml
	Source    []byte       `json:"-"` // the same as text
	Catalogue Catalogue    `json:"-"`
}

// Slot is one image of a unit. The catalogue, the values and the workload fill it.
type Slot struct {
	Name      string `json:"name"`
	Image     string `json:"image"`              // the repository of the manifests, without a tag
	Override  string `json:"override,omitempty"` // dotted path of a map with repository and tag
	Container string `json:"container"`          // the container of the workload that runs it
}

// OverridePath is the path of the user's override, nil where the unit has none.
func (s Slot) OverridePath() []string {
	if s.Override == "" {
		return nil
	}
	return strings.Split(s.Override, ".")
}

// Load reads the unit of a name from a directory of units. Unknown fields are refused.
func Load(units fs.FS, name string) (*Definition, error) {
	d := &Definition{}
	if err := decode(units, path.Join(name, "unit.yaml"), d); err != nil {
		return nil, err
	}
	if err := decodeCatalogue(units, path.Join(name, "images.yaml"), &d.Catalogue); err != nil {
		return nil, err
	}
	source, err := fs.ReadFile(units, path.Join(name, "values.yaml"))
	if err != nil {
		return nil, err
	}
	d.Source = source
	if d.Values, err = values.Parse("units/"+name+"/values.yaml", source); err != nil {
		return nil, err
	}
	return d, d.check(name)
}

func decode(units fs.FS, file string, into any) error {
	data, err := fs.ReadFile(units, file)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalStrict(data, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// Names are the units in a directory of units, sorted.
func Names(units fs.FS) ([]string, error) {
	files, err := fs.Glob(units, "*/unit.yaml")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		names = append(names, path.Dir(file))
	}
	slices.Sort(names)
	return names, nil
}

func (d *Definition) check(name string) error {
	conditions := d.Conditions()
	switch {
	case d.Name != name:
		return fmt.Errorf("units/%s/unit.yaml: the name is %q, and the directory's is %q", name, d.Name, name)
	case d.Holds == "" || len(d.Images) == 0:
		return fmt.Errorf("units/%s/unit.yaml: holds and images are needed", name)
	case len(conditions) != len(d.Guards):
		return fmt.Errorf("units/%s: %d guards named, and %d enabled_conditions in values.yaml", name, len(d.Guards), len(conditions))
	case d.Values.Get("units", d.Holds, "depends_on", d.Name) == nil:
		return fmt.Errorf("units/%s/values.yaml: no units.%s.depends_on.%s", name, d.Holds, d.Name)
	}
	for i, slot := range d.Images {
		if slot.Name == "" || slot.Image == "" || slot.Container == "" {
			return fmt.Errorf("units/%s/unit.yaml: images[%d] needs name, image and container", name, i)
		}
	}
	return d.Catalogue.check(d)
}

// Conditions are the texts of the enabled conditions, in the order of the guards.
func (d *Definition) Conditions() []string {
	var texts []string
	if list := d.Values.Get("units", d.Name, "enabled_conditions"); list != nil {
		for _, item := range list.Items {
			texts = append(texts, item.Text)
		}
	}
	return texts
}

// Condition is the text of a guard's condition.
func (d *Definition) Condition(guard string) (string, bool) {
	i := slices.Index(d.Guards, guard)
	if i < 0 {
		return "", false
	}
	return d.Conditions()[i], true
}
