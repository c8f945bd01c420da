package e2e

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// laterFRR is the image that testdata/values/later-tags.yaml asks for.
const laterFRR = "quay.io/frrouting/frr:10.4.9"

var laterTags = []string{"-f", "e2e/testdata/values/later-tags.yaml"}

// laterRelease has new tags, in the Kustomizations only: the unit's has them from the program, and metallb's gets them here, where a
// cluster has them in the HelmRelease that the chart patches into it.
func (s *scenario) laterRelease(layers []string, n int) release {
	s.Helper()
	objects := s.preview(environment, layers, laterTags, revision(n))
	for _, k := range objects {
		if k.GetKind() == "Kustomization" && k.GetName() == held {
			s.must(unstructured.SetNestedSlice(k.Object, []any{
				map[string]any{"name": "quay.io/frrouting/frr", "newTag": "10.4.9"},
				map[string]any{"name": "quay.io/metallb/frr-k8s", "newTag": "v0.0.29"},
			}, "spec", "images"))
		}
	}
	return s.release("0.16.1", nil, s.get(objects, "Kustomization", held), s.get(objects, "Kustomization", unit))
}

// A later upgrade changes both Kustomizations, metallb's 2 s before that of the unit, which is still ready from the last time. In
// Sylva the root dependency of the new revision keeps both waiting until both are changed.
func TestLaterUpgradeWithRootDependency(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, slowFor(3*time.Second))
	s.install(s.after("0.16.1", s.preview(environment, core, revision(1))))

	s.change(s.laterRelease(core, 2))
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, laterFRR))
	s.nothingToPull(2)
}

// The same without a root dependency is the limit of a plain dependsOn: metallb does not wait.
func TestLaterUpgradeWithoutRootDependency(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, slowFor(3*time.Second))
	s.install(s.after("0.16.1", s.preview(environment, revision(1))))

	s.change(s.laterRelease(nil, 1))
	s.wait(timeline.RolledOut(unit, laterFRR, 2))
	s.must(s.log.InOrder(s.since,
		timeline.Starts(held),
		timeline.Uses("metallb-system", laterFRR),
		timeline.RolledOut(unit, laterFRR, 2),
	))
	s.wait(timeline.Ready(held))
}
