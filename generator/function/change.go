package function

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// change makes the list what the decision asks for.
func (r *run) change() error {
	if r.decision.Active == decision.False {
		return r.takeAway()
	}
	objects, lost, notes, err := preview.Unit(r.answered)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		return fmt.Errorf("the unit cannot be made: %s", strings.Join(lost, "; "))
	}
	for _, note := range notes {
		r.say(resourcelist.Warning, note, r.unitReference(), nil)
	}
	if err := r.pin(objects[0]); err != nil {
		return err
	}
	if r.namespace == "" {
		delete(objects[0]["metadata"].(preview.Object), "namespace")
	}
	if err := r.put(objects); err != nil {
		return err
	}
	r.tellActive()
	return r.hold()
}

// put sees to it that the objects are in the list.
func (r *run) put(objects []preview.Object) error {
	directory, err := r.directory()
	if err != nil {
		return err
	}
	for i, object := range objects {
		if kind, _ := object["kind"].(string); !slices.Contains(r.config.Emit, kind) {
			continue
		}
		if err := r.upsert(object, directory, i); err != nil {
			return err
		}
	}
	return nil
}

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

// The annotations that say of which file an object is; the older names are those that older tools know.
var (
	pathAnnotations  = []string{"internal.config.kubernetes.io/path", "config.kubernetes.io/path"}
	indexAnnotations = []string{"internal.config.kubernetes.io/index", "config.kubernetes.io/index"}
)

// directory is where the file of metallb's Kustomization is; "" where the objects of the stream have no files.
func (r *run) directory() (string, error) {
	item, err := r.held()
	if item == nil || err != nil {
		return "", err
	}
	file, err := r.file(item)
	if file == nil || err != nil {
		return "", err
	}
	return path.Dir(file.Path), nil
}

// inFile has kustomize write a new object into a file beside that of metallb's Kustomization.
func inFile(object map[string]any, directory, name string, index int) {
	if directory == "" {
		return
	}
	metadata := object["metadata"].(map[string]any)
	annotations := map[string]any{}
	for i := range pathAnnotations {
		annotations[pathAnnotations[i]] = path.Join(directory, name+".yaml")
		annotations[indexAnnotations[i]] = fmt.Sprint(index)
	}
	own, _ := metadata["annotations"].(map[string]any)
	metadata["annotations"] = union(own, annotations, "")
}

// takeAway removes the unit's objects and the edge.
func (r *run) takeAway() error {
	for _, id := range []resourcelist.Identity{r.unitIdentity(), {APIVersion: "apps/v1", Kind: "DaemonSet", Namespace: r.podNamespace(), Name: r.Unit.Name}} {
		item, err := r.find(id.Group(), id)
		if err != nil {
			return err
		}
		if item != nil {
			r.list.Remove(item)
		}
	}
	r.say(resourcelist.Info, r.Unit.Name+" is off: "+r.decision.Why, r.unitReference(), nil)
	return r.release()
}

// podNamespace is the namespace of the DaemonSet: what the Kustomization's targetNamespace is.
func (r *run) podNamespace() string {
	node := r.answered.Engine.Interpreted("units", r.Unit.Name, "kustomization_spec", "targetNamespace")
	if node != nil && node.Kind == values.String {
		return node.Text
	}
	return "sylva-system"
}

func (r *run) unitIdentity() resourcelist.Identity {
	return resourcelist.Identity{APIVersion: fluxGroup + "/v1", Kind: "Kustomization", Namespace: r.namespace, Name: r.names.unit}
}

// unitIsThere reports whether the unit's Kustomization is in the list.
func (r *run) unitIsThere() (bool, error) {
	item, err := r.find(fluxGroup, r.unitIdentity())
	return item != nil, err
}

// errInPlace is for a change that came out as another than intended.
var errInPlace = errors.New("its dependsOn cannot be changed in place: write spec and dependsOn in it, without anchors and merge keys")
