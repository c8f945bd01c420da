package workload_test

import (
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

const pods = "kind: DaemonSet\nmetadata: {name: d}\nspec: {template: {spec: {initContainers: [{name: i, image: a:1}], containers: [{name: c, image: b:1}, {name: e}]}}}\n"

// TestRead: what manifests look like, and what they must not look like.
func TestRead(t *testing.T) {
	for name, test := range map[string]struct {
		stream  string
		objects int
		fails   string
	}{
		"documents":         {"---\n" + pods + "---\n# none\n---\n" + pods, 2, ""},
		"a list":            {"kind: List\nitems:\n- {kind: DaemonSet}\n- {kind: PodList, items: [{kind: Pod}, {kind: Pod}]}\n", 3, ""},
		"JSON":              {`{"kind": "DaemonSet", "spec": null}`, 1, ""},
		"a list of no maps": {"kind: List\nitems: [1, null, a]\n", 0, "w.yaml:2:9: items[0]: a number where an object is due"},
		"items of no list":  {"kind: List\nitems: {a: 1}\n", 1, ""},
		"no object":         {"# nothing\n", 0, "w.yaml: no object in it"},
		"an empty list":     {"kind: List\nitems: []\n", 0, "w.yaml: no object in it"},
		"no map":            {"- a\n", 0, "the top level is a list"},
		"broken":            {"kind: x\n\ta: b\n", 0, "w.yaml:2:1: a tab"},
	} {
		t.Run(name, func(t *testing.T) {
			objects, err := workload.Read("w.yaml", []byte(test.stream))
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got %v, want %q", err, test.fails)
				}
				return
			}
			if err != nil || len(objects) != test.objects {
				t.Errorf("%d objects, want %d: %v", len(objects), test.objects, err)
			}
		})
	}
}

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
	for _, seed := range []string{pods, "kind: List\nitems: [{kind: DaemonSet}]", "kind: [a]\nmetadata: x", "spec: {template: {spec: {containers: {a: b}}}}\nkind: Job", "kind: DaemonSet\nspec: {template: {spec: {containers: [1, null, [a], {image: {a: b}}]}}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		objects, err := workload.Read("w.yaml", stream)
		if err == nil && len(objects) == 0 {
			t.Error("no object and no error")
		}
		for _, object := range objects {
			if found := workload.PodsOf(object); found != nil && found.Spec == nil {
				t.Error("pods without a spec")
			}
		}
		_, _ = workload.DaemonSetWith(objects, []string{"c"}) // an error, or not
	})
}
