// Package workload reads rendered manifests: the pods that the release to come will run.
package workload

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Object is a Kubernetes object of a stream.
type Object struct {
	APIVersion, Kind, Name, Namespace string
	Node                              *values.Node
}

// Read takes the objects of a stream of YAML documents; those of a List one by one. A stream of none is an error.
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
	if len(objects) == 0 {
		return nil, fmt.Errorf("%s: no object in it", file)
	}
	return objects, nil
}

func add(objects []Object, n *values.Node) ([]Object, error) {
	kind := text(n.Get("kind"))
	if list := n.Get("items"); list != nil && list.Kind == values.List && len(kind) >= 4 && kind[len(kind)-4:] == "List" {
		for i, item := range list.Items {
			if item.Kind != values.Map {
				return nil, &values.Error{At: item.At, Path: []string{fmt.Sprintf("items[%d]", i)}, Text: fmt.Sprintf("%s where an object is due", item.Kind)}
			}
			var err error
			if objects, err = add(objects, item); err != nil {
				return nil, err
			}
		}
		return objects, nil
	}
	return append(objects, Object{
		APIVersion: text(n.Get("apiVersion")), Kind: kind,
		Name: text(n.Get("metadata", "name")), Namespace: text(n.Get("metadata", "namespace")), Node: n,
	}), nil
}

func text(n *values.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// Container is one container of a pod template.
type Container struct {
	Name, Image string
	Init        bool
	At          values.Position // of the image
}

// Pods are the pods of one Deployment, DaemonSet or StatefulSet.
type Pods struct {
	Object
	Containers []Container
	Spec       *values.Node // of the pod
}

// PodsOf returns what an object runs, nil where it runs no pods.
func PodsOf(object Object) *Pods {
	switch object.Kind {
	case "DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job":
	default:
		return nil
	}
	pods := &Pods{Object: object, Spec: object.Node.Get("spec", "template", "spec")}
	if pods.Spec == nil {
		return nil
	}
	for _, field := range []string{"initContainers", "containers"} {
		list := pods.Spec.Get(field)
		if list == nil {
			continue
		}
		for _, item := range list.Items {
			image := item.Get("image")
			pods.Containers = append(pods.Containers, Container{Name: text(item.Get("name")), Image: text(image), Init: field == "initContainers", At: image.Where()})
		}
	}
	return pods
}

// Has reports whether a container of a name is among the pods' containers.
func (p *Pods) Has(name string) bool {
	return slices.ContainsFunc(p.Containers, func(c Container) bool { return c.Name == name && !c.Init })
}

// DaemonSetWith finds the DaemonSet that runs containers of all the names.
func DaemonSetWith(objects []Object, names []string) (*Pods, error) {
	for _, object := range objects {
		if object.Kind != "DaemonSet" {
			continue
		}
		pods := PodsOf(object)
		if pods != nil && !slices.ContainsFunc(names, func(name string) bool { return !pods.Has(name) }) {
			return pods, nil
		}
	}
	file := ""
	if len(objects) > 0 {
		file = objects[0].Node.At.File + ": "
	}
	return nil, fmt.Errorf("%sno DaemonSet runs the containers %s (objects read: %d): the rendered chart of the release to come is due", file, strings.Join(names, " and "), len(objects))
}
