package environment

import (
	"encoding/base64"
	"fmt"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/resmap"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// read takes the values of the HelmRelease in built resources.
func read(resources resmap.ResMap, dir string, recorder *recorder) (*Environment, error) {
	objects, err := plain(resources)
	if err != nil {
		return nil, err
	}
	release, err := helmRelease(objects, dir)
	if err != nil {
		return nil, err
	}
	env := &Environment{Dir: dir, Values: values.Empty(), Release: text(release, "metadata", "name"), Namespace: text(release, "metadata", "namespace")}
	if env.Namespace == placeholder {
		env.Namespace = directoryName(recorder, dir)
	}
	for _, file := range list(release, "spec", "chart", "spec", "valuesFiles") {
		env.ValuesFiles = append(env.ValuesFiles, fmt.Sprint(file))
	}
	s := source{objects: objects, recorder: recorder, env: env}
	for i, each := range list(release, "spec", "valuesFrom") {
		reference, _ := each.(map[string]any)
		layer, err := s.layer(reference)
		if err != nil {
			return nil, fmt.Errorf("%s: HelmRelease %s: spec.valuesFrom[%d]: %w", dir, env.Release, i, err)
		}
		env.Values = values.Merge(env.Values, layer)
	}
	inline, _ := at(release, "spec", "values").(map[string]any)
	place := values.Position{File: fmt.Sprintf("%s (HelmRelease %s, values)", dir, env.Release)}
	env.Values = values.Merge(env.Values, values.FromGo(map[string]any(inline), place, func(any) *values.Node { return nil }))
	return env, nil
}

func directoryName(recorder *recorder, dir string) string {
	if root, _, err := recorder.CleanedAbs(dir); err == nil {
		dir = root.String()
	}
	return filepath.Base(dir)
}

func plain(resources resmap.ResMap) ([]map[string]any, error) {
	var objects []map[string]any
	for _, resource := range resources.Resources() {
		object, err := resource.Map()
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// helmRelease finds the HelmRelease of sylva-units: the one of that name, else the only one.
func helmRelease(objects []map[string]any, dir string) (map[string]any, error) {
	var found []map[string]any
	for _, object := range objects {
		if object["kind"] != "HelmRelease" {
			continue
		}
		if text(object, "metadata", "name") == "sylva-units" {
			return object, nil
		}
		found = append(found, object)
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s: %d HelmReleases and none named sylva-units: an environment has the HelmRelease of sylva-units with its values", dir, len(found))
	}
	return found[0], nil
}

// source resolves the entries of valuesFrom.
type source struct {
	objects  []map[string]any
	recorder *recorder
	env      *Environment
}

// layer is the values of one entry; an empty layer where it is absent and may be, or only the cluster has it.
func (s source) layer(reference map[string]any) (*values.Node, error) {
	kind, name := text(reference, "kind"), text(reference, "name")
	key := text(reference, "valuesKey")
	if key == "" {
		key = "values.yaml"
	}
	content, err := s.content(kind, name, key)
	switch optional, _ := reference["optional"].(bool); {
	case err != nil && optional:
		return values.Empty(), nil
	case err != nil && name == StateValues:
		s.env.Missing = append(s.env.Missing, Reference{Kind: kind, Name: name})
		return values.Empty(), nil
	case err != nil:
		return nil, err
	}
	file := s.recorder.fileOf(content, s.env.Dir, fmt.Sprintf("%s (%s %s, %s)", s.env.Dir, kind, name, key))
	layer, err := parse(text(reference, "targetPath"), file, content)
	if err == nil && kind == "Secret" {
		layer = layer.AsSecret()
	}
	return layer, err
}

// parse reads content as values, or as the value at a targetPath.
func parse(targetPath, file string, content []byte) (*values.Node, error) {
	if targetPath != "" {
		return target(targetPath, string(content), file)
	}
	return values.Parse(file, content)
}

func (s source) content(kind, name, key string) ([]byte, error) {
	for _, object := range s.objects {
		if object["kind"] != kind || text(object, "metadata", "name") != name {
			continue
		}
		if content, ok := at(object, "stringData", key).(string); ok {
			return []byte(content), nil
		}
		content, ok := at(object, "data", key).(string)
		if !ok {
			return nil, fmt.Errorf("%s %s has no key %q", kind, name, key)
		}
		if kind != "Secret" {
			return []byte(content), nil
		}
		data, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			return nil, fmt.Errorf("%s %s: the data of %q is not base64", kind, name, key)
		}
		return data, nil
	}
	return nil, fmt.Errorf("no %s %s in the build", kind, name)
}
