package workload

import (
	"fmt"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Object is a Kubernetes object of a stream.
type Object struct {
	APIVersion, Kind, Name, Namespace string
	Node                              *values.Node
}

// Read takes the objects of a stream of YAML or JSON documents; those of a List, and of a document that is an array, one by one. A
// document that is no Kubernetes object is an error.
func Read(file string, data []byte) ([]Object, error) {
	documents, err := values.ParseAll(file, data)
	if err != nil {
		return nil, err
	}
	var objects []Object
	for _, document := range documents {
		if objects, err = add(objects, document); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

func add(objects []Object, n *values.Node) ([]Object, error) {
	if n.Kind == values.List {
		return addAll(objects, n)
	}
	kind := n.Get("kind").AsText()
	if n.Kind != values.Map || kind == "" || n.Get("apiVersion").AsText() == "" {
		return nil, &values.Error{At: n.At, Text: "no Kubernetes object: it has no apiVersion and kind; a stream of rendered manifests is due"}
	}
	if list := n.Get("items"); list != nil && list.Kind == values.List && strings.HasSuffix(kind, "List") {
		return addAll(objects, list)
	}
	return append(objects, Object{
		APIVersion: n.Get("apiVersion").AsText(), Kind: kind,
		Name: n.Get("metadata", "name").AsText(), Namespace: n.Get("metadata", "namespace").AsText(), Node: n,
	}), nil
}

func addAll(objects []Object, list *values.Node) ([]Object, error) {
	var err error
	for _, item := range list.Items {
		if objects, err = add(objects, item); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// Group is the API group, empty for the core group.
func (o Object) Group() string {
	group, _, ok := strings.Cut(o.APIVersion, "/")
	if !ok {
		return ""
	}
	return group
}

// Label is a label's value, empty where there is none.
func (o Object) Label(key string) string { return o.Node.Get("metadata", "labels", key).AsText() }

// Where is the place to name for the object: its name, or its beginning where it has none.
func (o Object) Where() values.Position {
	if name := o.Node.Get("metadata", "name"); name != nil {
		return name.Where()
	}
	return o.Node.At
}

// String is the kind and the name, with the namespace where there is one: DaemonSet metallb-system/speaker.
func (o Object) String() string {
	if o.Namespace == "" {
		return fmt.Sprintf("%s %s", o.Kind, o.Name)
	}
	return fmt.Sprintf("%s %s/%s", o.Kind, o.Namespace, o.Name)
}
