package verify

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// tree is a sylva-core checkout.
type tree struct {
	fsys           filesys.FileSystem
	dir            string
	values         []*values.Node // of the files of the chart sylva-units: the defaults, and what the kinds of cluster lay over them
	kustomizations []*values.Node // the kustomization files of the unit's directory
	unit           *unit.Definition
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
	return t, t.readKustomizations()
}

// readKustomizations reads the kustomization files at the top of the unit's directory, which need not be there.
func (t *tree) readKustomizations() error {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		file := filepath.Join(t.dir, "kustomize-units", t.unit.Name, name)
		if !t.fsys.Exists(file) {
			continue
		}
		data, err := t.fsys.ReadFile(file)
		if err != nil {
			return err
		}
		root, err := values.Parse(file, data)
		if err != nil {
			return err
		}
		t.kustomizations = append(t.kustomizations, root)
	}
	return nil
}

// prepulls are the unit as the values have it: for each kind of cluster that changes it, once.
func (t *tree) prepulls(definition *unit.Definition) ([]*prepull, error) {
	var found []*prepull
	var seen []*values.Node
	for _, layers := range t.clusters() {
		own := layers.Get("units", definition.Name, "kustomization_spec")
		if own == nil {
			continue
		}
		if own.Kind != values.Map {
			return nil, &values.Error{At: own.Where(), Path: []string{"units", definition.Name, "kustomization_spec"}, Text: fmt.Sprintf("%s: a map is due", own.Kind)}
		}
		if slices.Contains(seen, own) {
			continue
		}
		seen = append(seen, own)
		spec := own
		if defaults := layers.Get("unit_kustomization_spec_default"); defaults != nil && defaults.Kind == values.Map {
			spec = values.Merge(defaults, own)
		}
		found = append(found, &prepull{spec: spec, at: layers.Get("units", definition.Name).Where()})
	}
	return found, nil
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

// built are the objects that the directory of a prepull comes to, each value where it stands in the source, and what was not taken into
// account.
func (t *tree) built(p *prepull) ([]workload.Object, []string, error) {
	path := p.spec.Get("path")
	if path.AsText() == "" || templated(path) {
		return nil, []string{"its path is not known"}, nil
	}
	dir := filepath.Join(t.dir, filepath.FromSlash(path.Text))
	if !t.fsys.IsDir(dir) {
		return nil, nil, &values.Error{At: path.Where(), Path: []string{"path"}, Text: fmt.Sprintf("%s is not in the tree %s", path.Text, t.dir)}
	}
	spec, lost := buildSpec(p.spec)
	made, err := manifest.FromDirectory(t.fsys, dir, spec)
	if err != nil {
		return nil, nil, err
	}
	source := t.sources(dir)
	var objects []workload.Object
	for _, each := range made {
		data, err := yaml.Marshal(each)
		if err != nil {
			return nil, nil, err
		}
		read, err := workload.Read(dir, data)
		if err != nil {
			return nil, nil, err
		}
		for _, object := range read {
			object.Node = placed(object.Node, source(object), values.Position{File: filepath.Join(dir, "kustomization.yaml"), Line: 1, Column: 1})
			objects = append(objects, object)
		}
	}
	return objects, lost, nil
}

// sources finds the object of a directory's files that a built one is made of, nil where it is not told by kind and name.
func (t *tree) sources(dir string) func(workload.Object) *values.Node {
	files, _ := t.fsys.Glob(filepath.Join(dir, "*.yaml")) // a pattern that is none finds nothing: positions alone are lost
	var all []workload.Object
	for _, file := range files {
		data, err := t.fsys.ReadFile(file)
		if err != nil {
			continue
		}
		if objects, err := workload.Read(file, data); err == nil {
			all = append(all, objects...)
		}
	}
	return func(object workload.Object) *values.Node {
		for _, each := range all {
			if each.Kind == object.Kind && each.Name == object.Name {
				return each.Node
			}
		}
		return nil
	}
}

// buildSpec is what of a Kustomization's spec changes the objects that Flux builds. Templates of Sylva and components are left out.
func buildSpec(spec *values.Node) (manifest.Object, []string) {
	out := manifest.Object{}
	var lost []string
	if namespace := spec.Get("targetNamespace"); namespace.AsText() != "" {
		if templated(namespace) {
			lost = append(lost, "targetNamespace is a template")
		} else {
			out["targetNamespace"] = namespace.Text
		}
	}
	var images []any
	for _, each := range spec.Get("images").List() {
		entry := manifest.Object{}
		for _, key := range each.Keys() {
			if field := each.Fields[key]; !templated(field) {
				entry[key] = field.AsText()
			} else {
				lost = append(lost, "images: templates that the values may fill")
			}
		}
		images = append(images, entry)
	}
	if len(images) > 0 {
		out["images"] = images
	}
	patches := spec.Get("patches")
	if len(patches.List()) > 0 {
		out["patches"] = patches.Go(func(*values.Node) any { return nil })
	}
	for _, field := range []string{"_patches", "_components", "components"} {
		if len(spec.Get(field).List()) > 0 {
			lost = append(lost, field+" may change the objects")
		}
	}
	slices.Sort(lost)
	return out, slices.Compact(lost)
}

// unconditional finds an edge of the values that is there when the unit is not.
func (t *tree) unconditional(c *checker) {
	for _, layers := range t.clusters() {
		edge := layers.Get("units", t.unit.Holds, "depends_on", t.unit.Name)
		if edge == nil {
			continue
		}
		c.look(1)
		own := layers.Get("units", t.unit.Name)
		switch {
		case edge.Is(true) && own == nil:
			c.find(edge.Where(), "unit %s depends on %s, which is not there", t.unit.Holds, t.unit.Name)
		case edge.Is(true) && len(own.Get("enabled_conditions").List()) > 0:
			c.find(edge.Where(), "unit %s depends on %s unconditionally, and that has enabled_conditions", t.unit.Holds, t.unit.Name)
		case edge.Kind == values.String && !asksForUnit(edge.Text, t.unit.Name):
			c.find(edge.Where(), "unit %s depends on %s by a condition that does not ask whether it is enabled (unit-enabled)", t.unit.Holds, t.unit.Name)
		}
	}
}

// asksForUnit reports whether a template asks the chart whether a unit is enabled.
func asksForUnit(template, name string) bool {
	return strings.Contains(template, `"unit-enabled"`) && strings.Contains(template, `"`+name+`"`)
}

// missing finds a unit of the values that the unit which should wait has no edge to.
func (t *tree) missing(c *checker) {
	for _, layers := range t.clusters() {
		own, held := layers.Get("units", t.unit.Name), layers.Get("units", t.unit.Holds)
		if own == nil || held == nil {
			continue
		}
		c.look(1)
		edge := held.Get("depends_on", t.unit.Name)
		if edge == nil || edge.Is(false) || edge.Kind == values.Null {
			c.find(held.Where(), "unit %s does not depend on %s: it goes on before the images are pulled", t.unit.Holds, t.unit.Name)
		}
	}
}
