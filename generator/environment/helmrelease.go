package environment

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/resmap"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// read takes the values of the HelmRelease in built resources.
func read(resources resmap.ResMap, dir string, recorder *recorder) (*Environment, error) {
	objects, err := Objects(resources)
	if err != nil {
		return nil, err
	}
	release, err := helmRelease(objects, dir)
	if err != nil {
		return nil, err
	}
	env := &Environment{
		Dir: dir, Values: values.Empty(), Release: text(release, "metadata", "name"), Namespace: text(release, "metadata", "namespace"),
	}
	if env.Namespace == placeholder {
		env.Namespace = directoryName(recorder, dir)
	}
	if err := checkShape(release); err != nil {
		return nil, fmt.Errorf("%s: HelmRelease %s: %w", dir, env.Release, err)
	}
	for _, file := range list(release, "spec", "chart", "spec", "valuesFiles") {
		env.ValuesFiles = append(env.ValuesFiles, fmt.Sprint(file))
	}
	s := source{objects: objects, recorder: recorder, env: env}
	for i, each := range list(release, "spec", "valuesFrom") {
		reference, _ := each.(map[string]any)
		if kind := text(reference, "kind"); kind != "ConfigMap" && kind != "Secret" || text(reference, "name") == "" {
			return nil, fmt.Errorf(
				"%s: HelmRelease %s: spec.valuesFrom[%d]: a map with kind (ConfigMap or Secret) and name is due",
				dir, env.Release, i)
		}
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

// checkShape refuses fields of other types than the HelmRelease has, which would pass for absent.
func checkShape(release map[string]any) error {
	for _, path := range [][]string{{"spec", "valuesFrom"}, {"spec", "chart", "spec", "valuesFiles"}} {
		if value := at(release, path...); value != nil && list(release, path...) == nil {
			if _, empty := value.([]any); !empty {
				return fmt.Errorf("%s: a list is due", strings.Join(path, "."))
			}
		}
	}
	if value := at(release, "spec", "values"); value != nil {
		if _, ok := value.(map[string]any); !ok {
			return errors.New("spec.values: a map is due")
		}
	}
	return nil
}

func directoryName(recorder *recorder, dir string) string {
	if root, _, err := recorder.CleanedAbs(dir); err == nil {
		dir = root.String()
	}
	return filepath.Base(dir)
}

// Objects are what kustomize built, as plain data.
func Objects(resources resmap.ResMap) ([]map[string]any, error) {
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
		return nil, fmt.Errorf(
			"%s: %d HelmReleases and none named sylva-units: an environment has the HelmRelease of sylva-units with its values",
			dir, len(found))
	}
	return found[0], nil
}
