package verify

import (
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// tree is a sylva-core checkout.
type tree struct {
	fsys          filesys.FileSystem
	dir           string
	values        []*values.Node // of the files of the chart sylva-units: the defaults, and what the kinds of cluster lay over them
	kustomization *values.Node   // of the unit's directory; nil where there is none
	unit          *unit.Definition
}

func readTree(in Input) (*tree, error) {
	t := &tree{fsys: in.FS, dir: in.Core, unit: in.Unit}
	charts := filepath.Join(in.Core, "charts", "sylva-units")
	for _, name := range []string{"values.yaml", "management.values.yaml", "workload-cluster.values.yaml"} {
		file := filepath.Join(charts, name)
		if !in.FS.Exists(file) {
			if name == "values.yaml" {
				return nil, fmt.Errorf("%s is no sylva-core checkout: it has no charts/sylva-units/values.yaml", in.Core)
			}
			continue
		}
		data, err := in.FS.ReadFile(file)
		if err != nil {
			return nil, err
		}
		root, err := values.Parse(file, data)
		if err != nil {
			return nil, err
		}
		t.values = append(t.values, root)
	}
	var err error
	t.kustomization, err = environment.Kustomization(in.FS, filepath.Join(in.Core, "kustomize-units", in.Unit.Name))
	return t, err
}

// prepulls are the unit as the values have it: for each kind of cluster that makes something else of it, once.
func (t *tree) prepulls(definition *unit.Definition) ([]*prepull, error) {
	var found []*prepull
	seen := map[[2]*values.Node]bool{}
	for _, layers := range t.clusters() {
		own := layers.Get("units", definition.Name)
		if own == nil {
			continue
		}
		spec, defaults := own.Get("kustomization_spec"), layers.Get("unit_kustomization_spec_default")
		if spec != nil && spec.Kind != values.Map {
			path := []string{"units", definition.Name, "kustomization_spec"}
			return nil, &values.Error{At: spec.Where(), Path: path, Text: fmt.Sprintf("%s: a map is due", spec.Kind)}
		}
		if key := [2]*values.Node{spec, defaults}; !seen[key] {
			seen[key] = true
			found = append(found, &prepull{inTree: true, spec: onDefaults(defaults, spec), at: own.Where()})
		}
	}
	return found, nil
}

// onDefaults is a unit's spec on top of that of all units, as far as these are no templates.
func onDefaults(defaults, spec *values.Node) *values.Node {
	if spec == nil {
		spec = values.Empty()
	}
	if defaults == nil || defaults.Kind != values.Map {
		return spec
	}
	return values.Merge(defaults, spec)
}

// clusters are the values for each kind of cluster.
func (t *tree) clusters() []*values.Node {
	if len(t.values) == 1 {
		return t.values
	}
	var all []*values.Node
	for _, over := range t.values[1:] {
		all = append(all, values.Merge(t.values[0], over))
	}
	return all
}
