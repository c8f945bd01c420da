package manifest

import (
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
)

// FromDirectory builds a unit's directory as a bare kustomize build does (sylva-core's CI: no plugins, nothing from outside of the
// directory), and on top what Flux does by the spec of its Kustomization: images, targetNamespace, patches. The spec must come without
// components: Flux looks for them in the source, beside the directory.
func FromDirectory(fsys filesys.FileSystem, dir string, spec Object) ([]Object, error) {
	resources, err := environment.Kustomize(fsys, dir, types.LoadRestrictionsRootOnly)
	if err != nil {
		return nil, err
	}
	data, err := resources.AsYaml()
	if err != nil {
		return nil, err
	}
	return build([]File{{"built.yaml", data}, {"kustomization.yaml", []byte("resources: [built.yaml]\n")}}, spec)
}
