package function

import (
	"strings"
	"testing"
)

// TestRootDependency: the unit is of the revision of metallb's Kustomization, and goes with it to the next one.
func TestRootDependency(t *testing.T) {
	metallb := strings.Replace(metallbIn("ns", "  dependsOn:\n  - name: root-dependency-7\n"), "  namespace: ns\n",
		"  namespace: ns\n  labels: {sylva-units/root-dependency-wait: ''}\n  annotations: {sylva-units-helm-revision: '7'}\n", 1)
	first := mustRun(t, listOf("", "", metallb))
	held, rest, _ := strings.Cut(first, "root-dependency-7\n")
	second := mustRun(t, strings.Replace(held, "revision: '7'", "revision: '8'", 1)+"root-dependency-8\n"+rest)
	for revision, text := range map[string]string{"7": first, "8": second} {
		list := parse(t, text)
		for _, item := range list.Items {
			if item.Kind != "Kustomization" || item.Name != "metallb-image-prepull" {
				continue
			}
			node, err := list.Decode(item)
			if err != nil {
				t.Fatal(err)
			}
			dependsOn := node.Get("spec", "dependsOn").List()
			if len(dependsOn) != 1 || dependsOn[0].Get("name").Text != "root-dependency-"+revision {
				t.Errorf("revision %s: it depends on something else:\n%s", revision, item.Text())
			}
			if node.Get("metadata", "labels", rootWaitLabel) == nil || node.Get("metadata", "annotations", revisionAnnotation).AsText() != revision {
				t.Errorf("revision %s: it is not of that revision:\n%s", revision, item.Text())
			}
		}
		if len(only(list, "Kustomization", "metallb-image-prepull")) != 1 {
			t.Errorf("revision %s: the unit is not there once", revision)
		}
	}
	if again := mustRun(t, first); again != first {
		t.Error("a second run changes something")
	}
}
