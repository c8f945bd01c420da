// Package timeline records what happens to the objects of a cluster, in the order in which etcd has it.
package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// An Event is a change of an object, or a note. The revision is that of etcd, which is one sequence for all resources: two changes are
// ordered by it exactly, whatever the delay of the watches. A note has none.
type Event struct {
	At       time.Time
	Revision uint64
	Object   *unstructured.Unstructured // nil of a note
	Deleted  bool
	First    bool // the object was not there before
	Text     string
}

// A Match says whether an event is the one that is meant.
type Match struct {
	Says string
	Is   func(Event) bool
}

// about matches events of an object of a kind and name that is there.
func about(says, kind, name string, is func(*unstructured.Unstructured) bool) Match {
	return Match{says, func(e Event) bool {
		return e.Object != nil && !e.Deleted && e.Object.GetKind() == kind && e.Object.GetName() == name && is(e.Object)
	}}
}

// Ready: a Kustomization of Flux is ready, in its present generation.
func Ready(name string) Match {
	return about("Kustomization "+name+" is ready", "Kustomization", name, func(u *unstructured.Unstructured) bool {
		status, _, _ := readyCondition(u)
		return status == "True" && number(u, "observedGeneration") == u.GetGeneration()
	})
}

// NotReady: a Kustomization is not ready, for a reason, with a message that contains a text.
func NotReady(name, reason, text string) Match {
	return about(fmt.Sprintf("Kustomization %s is not ready: %s %q", name, reason, text), "Kustomization", name,
		func(u *unstructured.Unstructured) bool {
			status, why, message := readyCondition(u)
			return status == "False" && why == reason && strings.Contains(message, text)
		})
}

// Starts: Flux begins to reconcile a Kustomization; all that it depends on is ready.
func Starts(name string) Match {
	return about("Kustomization "+name+" starts to reconcile", "Kustomization", name, func(u *unstructured.Unstructured) bool {
		status, _, _ := readyCondition(u)
		return status == "Unknown"
	})
}

// RolledOut: a DaemonSet has pods with an image available on a number of nodes, and needs them on as many.
func RolledOut(name, image string, nodes int64) Match {
	return about(fmt.Sprintf("DaemonSet %s runs %s on %d nodes of %d", name, image, nodes, nodes), "DaemonSet", name,
		func(u *unstructured.Unstructured) bool {
			return available(u, image) == nodes && number(u, "desiredNumberScheduled") == nodes
		})
}

// Available: a DaemonSet has pods with an image available on a number of nodes.
func Available(name, image string, nodes int64) Match {
	return about(fmt.Sprintf("DaemonSet %s runs %s on %d nodes", name, image, nodes), "DaemonSet", name,
		func(u *unstructured.Unstructured) bool { return available(u, image) == nodes })
}

// available returns on how many nodes a DaemonSet's present pods are available, if it has the image, and -1 otherwise.
func available(u *unstructured.Unstructured, image string) int64 {
	if number(u, "observedGeneration") != u.GetGeneration() || !slices.Contains(Images(u), image) {
		return -1
	}
	return min(number(u, "numberAvailable"), number(u, "updatedNumberScheduled"))
}

// Uses: a DaemonSet, of any name, in a namespace has an image.
func Uses(namespace, image string) Match {
	return Match{"a DaemonSet in " + namespace + " has " + image, func(e Event) bool {
		return e.Object.GetKind() == "DaemonSet" && e.Object.GetNamespace() == namespace && slices.Contains(Images(e.Object), image)
	}}
}

// Created: an object is there for the first time.
func Created(kind, name string) Match {
	return Match{kind + " " + name + " is created", func(e Event) bool {
		return e.First && e.Object.GetKind() == kind && e.Object.GetName() == name
	}}
}

// Deleted: an object is gone.
func Deleted(kind, name string) Match {
	return Match{kind + " " + name + " is deleted", func(e Event) bool {
		return e.Deleted && e.Object.GetKind() == kind && e.Object.GetName() == name
	}}
}

// Images returns the images of an object's pod template, init containers first.
func Images(u *unstructured.Unstructured) []string {
	var images []string
	for _, list := range []string{"initContainers", "containers"} {
		containers, _, _ := unstructured.NestedSlice(u.Object, "spec", "template", "spec", list)
		for _, c := range containers {
			if c, ok := c.(map[string]any); ok {
				images = append(images, fmt.Sprint(c["image"]))
			}
		}
	}
	return images
}

func readyCondition(u *unstructured.Unstructured) (status, reason, message string) {
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == "Ready" {
			return fmt.Sprint(c["status"]), fmt.Sprint(c["reason"]), fmt.Sprint(c["message"])
		}
	}
	return "", "", ""
}

func number(u *unstructured.Unstructured, field string) int64 {
	n, _, _ := unstructured.NestedInt64(u.Object, "status", field) // absent is 0, as in the API
	return n
}
