package manifest

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
)

// Pull makes a Kustomization's spec.images turn the image of a repository, whatever its tag, into ref. An entry that does so already
// stays as it is.
func Pull(spec Object, repository string, ref image.Ref) error {
	images, err := imagesOf(spec)
	if err != nil {
		return err
	}
	if replaced(repository+":any", images) == ref.String() {
		return nil
	}
	entry := Object{"name": repository}
	for field, text := range map[string]string{"newName": ref.Repository, "newTag": ref.Tag, "digest": ref.Digest} {
		if text != "" && text != repository {
			entry[field] = text
		}
	}
	list, _ := spec["images"].([]any)
	var out []any
	for _, each := range list {
		if old, _ := each.(Object); old["name"] == repository {
			each, entry = entry, nil
		}
		out = append(out, each)
	}
	if entry != nil {
		out = append(out, entry)
	}
	spec["images"] = out
	if images, err = imagesOf(spec); err != nil {
		return err
	}
	if got := replaced(repository+":any", images); got != ref.String() {
		return fmt.Errorf("spec.images: %s comes out as %s and not as %s: an entry changes it again", repository, got, ref)
	}
	return nil
}
