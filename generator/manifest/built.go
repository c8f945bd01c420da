package manifest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
)

// Built is the unit's DaemonSet as Flux builds it from the files by the spec of its Kustomization: images, namespace, patches.
func Built(files []File, spec Object) ([]Object, error) {
	if spec["patches"] != nil || spec["components"] != nil {
		return build(files, spec)
	}
	daemonSet := Object{}
	if err := yaml.Unmarshal(files[0].Data, &daemonSet); err != nil {
		return nil, err
	}
	if namespace, ok := spec["targetNamespace"].(string); ok {
		daemonSet["metadata"].(Object)["namespace"] = namespace
	}
	images, err := imagesOf(spec)
	if err != nil {
		return nil, err
	}
	pod := daemonSet["spec"].(Object)["template"].(Object)["spec"].(Object)
	for _, each := range pod["containers"].([]any) {
		container := each.(Object)
		container["image"] = replaced(container["image"].(string), images)
	}
	return []Object{daemonSet}, nil
}

// imagesOf decodes spec.images, which has the fields of kustomize's images.
func imagesOf(spec Object) ([]types.Image, error) {
	data, err := json.Marshal(spec["images"])
	if err != nil {
		return nil, err
	}
	var images []types.Image
	if err := yaml.UnmarshalStrict(data, &images); err != nil {
		return nil, fmt.Errorf("spec.images: %w", err)
	}
	return images, nil
}

// checkLocal refuses what kustomize would take for more than Flux does: patches from files, and components from elsewhere.
func checkLocal(spec Object) error {
	patches, _ := spec["patches"].([]any)
	for i, each := range patches {
		patch, _ := each.(Object)
		for _, key := range slices.Sorted(maps.Keys(patch)) {
			if key != "patch" && key != "target" {
				return fmt.Errorf("spec.patches[%d].%s: Flux knows patch and target", i, key)
			}
		}
		if _, ok := patch["patch"].(string); !ok {
			return fmt.Errorf("spec.patches[%d]: a map with patch, a string, is due", i)
		}
	}
	components, _ := spec["components"].([]any)
	for i, each := range components {
		if text, ok := each.(string); !ok || strings.ContainsAny(text, ":@?") || !strings.HasPrefix(text, ".") {
			return fmt.Errorf("spec.components[%d]: a relative path (./ or ../) is due", i)
		}
	}
	return nil
}

// build has kustomize do it, in memory: for what a user may patch.
func build(files []File, spec Object) ([]Object, error) {
	if err := checkLocal(spec); err != nil {
		return nil, err
	}
	fsys := filesys.MakeFsInMemory()
	for _, file := range files {
		if err := fsys.WriteFile("/unit/base/"+file.Name, file.Data); err != nil {
			return nil, err
		}
	}
	overlay := Object{"resources": []any{"base"}}
	for field, as := range map[string]string{"images": "images", "patches": "patches", "components": "components", "targetNamespace": "namespace"} {
		if value := spec[field]; value != nil {
			overlay[as] = value
		}
	}
	data, err := yaml.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	if err := fsys.WriteFile("/unit/kustomization.yaml", data); err != nil {
		return nil, err
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fsys, "/unit")
	if err != nil {
		return nil, fmt.Errorf("building the unit with its patches: %w", err)
	}
	return environment.Objects(resources)
}
