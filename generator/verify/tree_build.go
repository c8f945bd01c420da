package verify

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// built are the objects that the directory of a prepull comes to, each value where it stands in the source, and what was not taken into
// account.
func (t *tree) built(p *prepull) ([]workload.Object, []string, error) {
	path := p.spec.Get("path")
	if path.AsText() == "" || templated(path) {
		return nil, []string{"path"}, nil
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
	names, _ := t.fsys.ReadDir(dir) // where this or a file cannot be read, places alone are lost: kustomize has built it
	var all []workload.Object
	for _, name := range names {
		file := filepath.Join(dir, name)
		data, err := t.fsys.ReadFile(file)
		if err != nil || !strings.HasSuffix(name, ".yaml") {
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

// buildSpec is what of a Kustomization's spec changes the objects that Flux builds, and the fields of which not all is in it: templates of
// Sylva, and components.
func buildSpec(spec *values.Node) (manifest.Object, []string) {
	out := manifest.Object{}
	var lost []string
	if namespace := spec.Get("targetNamespace"); namespace.AsText() != "" {
		if templated(namespace) {
			lost = append(lost, "targetNamespace")
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
				lost = append(lost, "images")
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
			lost = append(lost, field)
		}
	}
	slices.Sort(lost)
	return out, slices.Compact(lost)
}
