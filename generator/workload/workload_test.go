package workload_test

import (
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

const pods = "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec: {template: {spec: {initContainers: [{name: i, image: a:1}], containers: [{name: c, image: b:1}, {name: e}]}}}\n"

// TestDaemonSetWith: init containers and other kinds do not count.
func TestDaemonSetWith(t *testing.T) {
	objects, err := workload.Read("w.yaml", []byte(strings.ReplaceAll(pods, "DaemonSet", "Deployment")+"---\n"+pods))
	if err != nil {
		t.Fatal(err)
	}
	found, err := workload.DaemonSetWith(objects, []string{"c", "e"})
	if err != nil || found.Kind != "DaemonSet" || len(found.Containers) != 3 || found.Containers[1].Image != "b:1" || found.Containers[2].Image != "" {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := workload.DaemonSetWith(objects, []string{"i"}); err == nil {
		t.Error("an init container was taken for one that runs")
	}
}

// FuzzRead: no stream makes reading or searching panic.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{pods, "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod}]", "apiVersion: v1\nkind: [a]\nmetadata: x", "spec: {template: {spec: {containers: {a: b}}}}\nkind: Job\napiVersion: v1", "apiVersion: v1\nkind: DaemonSet\nspec: {template: {spec: {containers: [1, null, [a], {image: {a: b}}]}}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		objects, err := workload.Read("w.yaml", stream)
		if err != nil {
			return
		}
		for _, object := range objects {
			if found := workload.PodsOf(object); found != nil && found.Spec == nil {
				t.Error("pods without a spec")
			}
		}
		_, _ = workload.DaemonSetWith(objects, []string{"c"}) // an error, or not
	})
}
