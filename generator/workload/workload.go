// Package workload reads rendered manifests: the pods that the release to come will run.
package workload

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Container is one container of a pod template.
type Container struct {
	Name, Image string
	Init        bool            // it ends before the others start
	At          values.Position // of the image
	Node        *values.Node
}

// Pods are the pods of one object that runs some.
type Pods struct {
	Object
	Containers []Container
	Spec       *values.Node // of the pod
}

// podSpec is where a kind that runs pods has the pod's spec; nil for other kinds.
func podSpec(kind string) []string {
	switch kind {
	case "DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job":
		return []string{"spec", "template", "spec"}
	case "CronJob":
		return []string{"spec", "jobTemplate", "spec", "template", "spec"}
	case "Pod":
		return []string{"spec"}
	}
	return nil
}

// PodsOf returns what an object runs, nil where it runs no pods.
func PodsOf(object Object) *Pods {
	path := podSpec(object.Kind)
	pods := &Pods{Object: object, Spec: object.Node.Get(path...)}
	if path == nil || pods.Spec == nil {
		return nil
	}
	for _, item := range pods.Spec.Get("initContainers").List() {
		// one that always restarts runs beside the others (KEP-753)
		pods.add(item, item.Get("restartPolicy").AsText() != "Always")
	}
	for _, item := range pods.Spec.Get("containers").List() {
		pods.add(item, false)
	}
	return pods
}

func (p *Pods) add(item *values.Node, init bool) {
	at := item.At
	if image := item.Get("image"); image != nil {
		at = image.Where()
	}
	p.Containers = append(p.Containers, Container{Name: item.Get("name").AsText(), Image: item.Get("image").AsText(), Init: init, At: at, Node: item})
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
