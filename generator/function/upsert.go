package function

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// upsert changes the item of an object where its meaning is another, or adds it.
func (r *run) upsert(object preview.Object, directory string, index int) error {
	wanted, err := normal(object)
	if err != nil {
		return err
	}
	id := identity(wanted)
	group := resourcelist.Identity{APIVersion: id.APIVersion}.Group()
	item, err := r.find(group, id)
	if err != nil {
		return err
	}
	if item == nil {
		inFile(wanted, directory, r.names.unit, index)
		return r.list.Append(wanted)
	}
	node, err := r.list.Decode(item)
	if err != nil {
		return err
	}
	existing := plain(node)
	keepMetadata(wanted, existing)
	if reflect.DeepEqual(existing, wanted) {
		return nil
	}
	return r.list.Replace(item, wanted)
}

// plain is a node as plain data. What is encrypted is not known and stays out of every comparison.
func plain(node *values.Node) map[string]any {
	object, _ := node.Go(func(*values.Node) any { return nil }).(map[string]any)
	return object
}

// normal is an object with the types that a decoder gives it.
func normal(object preview.Object) (map[string]any, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	return out, json.Unmarshal(data, &out)
}

func identity(object map[string]any) resourcelist.Identity {
	metadata, _ := object["metadata"].(map[string]any)
	text := func(from map[string]any, key string) string { s, _ := from[key].(string); return s }
	return resourcelist.Identity{
		APIVersion: text(object, "apiVersion"), Kind: text(object, "kind"), Namespace: text(metadata, "namespace"), Name: text(metadata, "name"),
	}
}

// keepMetadata takes over what an existing object has in its metadata beyond what is wanted: the annotations of kustomize, and what
// users and transformers added. Annotations of this project are its own.
func keepMetadata(wanted, existing map[string]any) {
	from, _ := existing["metadata"].(map[string]any)
	into := wanted["metadata"].(map[string]any)
	for key, value := range from {
		kept, isMap := value.(map[string]any)
		own, has := into[key].(map[string]any)
		switch {
		case isMap && key == "annotations":
			into[key] = union(own, kept, manifest.Prefix)
		case isMap && has:
			into[key] = union(own, kept, "")
		case into[key] == nil:
			into[key] = value
		}
	}
}

// union is own with what kept has beyond it, but for keys of a prefix.
func union(own, kept map[string]any, prefix string) map[string]any {
	out := map[string]any{}
	for key, value := range kept {
		if prefix == "" || !strings.HasPrefix(key, prefix) {
			out[key] = value
		}
	}
	for key, value := range own {
		out[key] = value
	}
	return out
}

// inFile has kustomize write a new object into a file beside that of metallb's Kustomization.
func inFile(object map[string]any, directory, name string, index int) {
	if directory == "" {
		return
	}
	metadata := object["metadata"].(map[string]any)
	annotations := map[string]any{}
	for _, key := range pathAnnotations() {
		annotations[key] = path.Join(directory, name+".yaml")
	}
	for _, key := range indexAnnotations() {
		annotations[key] = fmt.Sprint(index)
	}
	own, _ := metadata["annotations"].(map[string]any)
	metadata["annotations"] = union(own, annotations, "")
}
