package e2e

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

const (
	rootDependency      = "root-dependency-" // and the revision
	rootDependencyImage = "registry.example/root-dependency:v1"
	revisionAnnotation  = "sylva-units-helm-revision"
	waitLabel           = "sylva-units/root-dependency-wait"
)

// dependencies returns the names in dependsOn.
func dependencies(k *unstructured.Unstructured) []string {
	list, _, _ := unstructured.NestedSlice(k.Object, "spec", "dependsOn") // absent: none
	var names []string
	for _, d := range list {
		if d, ok := d.(map[string]any); ok {
			names = append(names, fmt.Sprint(d["name"]))
		}
	}
	return names
}

// withoutEdge returns metallb's Kustomization without its dependency on the unit.
func (s *scenario) withoutEdge(k *unstructured.Unstructured) *unstructured.Unstructured {
	s.Helper()
	list, _, err := unstructured.NestedSlice(k.Object, "spec", "dependsOn")
	s.must(err)
	rest := slices.DeleteFunc(list, func(d any) bool { return d.(map[string]any)["name"] == unit })
	if len(rest) != len(list)-1 {
		s.Fatalf("the dependsOn of %s names %s %d times", k.GetName(), unit, len(list)-len(rest))
	}
	k = k.DeepCopy()
	s.must(unstructured.SetNestedSlice(k.Object, rest, "spec", "dependsOn"))
	return k
}

// standInFor makes a Kustomization for a name that others depend on.
func standInFor(name, namespace string) *unstructured.Unstructured {
	spec := map[string]any{
		"interval": "24h", "retryInterval": "1m", "timeout": "30s", "prune": true,
		"targetNamespace": system, "nameSuffix": "-" + name, "path": "./kustomize-units/dummy",
		"sourceRef": map[string]any{"kind": "GitRepository", "name": "sylva-core"},
	}
	if strings.HasPrefix(name, rootDependency) {
		spec["path"], spec["wait"] = "./kustomize-units/root-dependency", true
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": name, "namespace": namespace}, "spec": spec,
	}}
}

// dependOnRoot gives a Kustomization what Sylva's chart gives every one but the root dependency itself: the revision, the label that
// the root dependency looks for, and the edge. What it has already stays.
func dependOnRoot(k *unstructured.Unstructured, revision int64) {
	root := rootDependency + strconv.FormatInt(revision, 10)
	if k.GetName() == root {
		return
	}
	annotations, labels := k.GetAnnotations(), k.GetLabels()
	if annotations == nil {
		annotations = map[string]string{}
	}
	if labels == nil {
		labels = map[string]string{}
	}
	annotations[revisionAnnotation], labels[waitLabel] = strconv.FormatInt(revision, 10), ""
	k.SetAnnotations(annotations)
	k.SetLabels(labels)
	if !slices.Contains(dependencies(k), root) {
		list, _, _ := unstructured.NestedSlice(k.Object, "spec", "dependsOn")
		_ = unstructured.SetNestedSlice(k.Object, append(list, map[string]any{"name": root}), "spec", "dependsOn") // spec is a map
	}
}

// rootDependencyJob is what the job of the root dependency does: it waits until every Kustomization has the present revision.
func (s *scenario) rootDependencyJob(ctx context.Context) {
	for ctx.Err() == nil {
		list, err := s.dynamic.Resource(timeline.Kustomizations).List(ctx, metav1.ListOptions{LabelSelector: waitLabel})
		old := func(k unstructured.Unstructured) bool {
			return k.GetAnnotations()[revisionAnnotation] != strconv.FormatInt(s.revision.Load(), 10)
		}
		if err == nil && !slices.ContainsFunc(list.Items, old) {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// deleteOldRoot deletes the root dependency of the release before, if there is one, as the chart's hook does.
func (s *scenario) deleteOldRoot(r release) {
	s.Helper()
	name := rootDependency + strconv.FormatInt(r.revision-1, 10)
	kustomizations := s.dynamic.Resource(timeline.Kustomizations).Namespace(r.kustomizations[0].GetNamespace())
	err := kustomizations.Delete(s.ctx, name, metav1.DeleteOptions{})
	if !apierrors.IsNotFound(err) {
		s.must(err)
	}
}
