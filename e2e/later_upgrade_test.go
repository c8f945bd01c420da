package e2e

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/prepull"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// The images that testdata/values/mirror.yaml asks for.
const (
	mirrored       = "harbor.example/mirror/frr:10.4.3-r1"
	mirroredFRRK8s = "harbor.example/mirror/frr-k8s:v0.0.25-r1"
)

// laterRelease has other images, in the Kustomizations only: the unit's has them from the program, and metallb's gets them here, where
// a cluster has them in the HelmRelease that the chart patches into it.
func (s *scenario) laterRelease(g generated, args ...string) (release, prepull.Objects) {
	s.Helper()
	objects := s.preview(environment, g, append(args, "-f", "e2e/testdata/values/mirror.yaml")...)
	for _, k := range objects {
		if k.GetKind() == "Kustomization" && k.GetName() == held {
			s.useMirror(k)
		}
	}
	return s.after("0.16.1", objects, g), objects
}

// useMirror gives metallb's Kustomization the same images.
func (s *scenario) useMirror(k *unstructured.Unstructured) {
	s.Helper()
	s.must(unstructured.SetNestedSlice(k.Object, []any{
		map[string]any{"name": "quay.io/frrouting/frr", "newName": "harbor.example/mirror/frr", "newTag": "10.4.3-r1"},
		map[string]any{"name": "quay.io/metallb/frr-k8s", "newName": "harbor.example/mirror/frr-k8s", "newTag": "v0.0.25-r1"},
	}, "spec", "images"))
}

// A later upgrade changes both Kustomizations, metallb's 2 s before that of the unit, which is still ready from the last time. In
// Sylva the root dependency of the new revision keeps both waiting until both are changed.
func TestLaterUpgradeWithRootDependency(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	unit := s.generateCore()
	s.install(s.after("0.16.1", s.preview(environment, unit, "--revision", "1"), unit))

	later, objects := s.laterRelease(unit, "--revision", "2")
	s.verified(later)
	s.change(later)
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, mirrored))
	s.nothingToPull(2)
	s.asPreviewed(objects)
}

// The same without a root dependency is the limit of a plain dependsOn: metallb does not wait, and verify says so before.
func TestLaterUpgradeWithoutRootDependency(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	g := s.generate()
	s.install(s.after("0.16.1", s.preview(environment, g), g))

	later, _ := s.laterRelease(g)
	later.kustomizations = append(later.kustomizations, standInFor("other", system)) // or verify takes the two for a part of Sylva's
	s.faulty(later, "stale-ready")
	s.change(later)
	s.wait(timeline.RolledOut(unit, mirrored, 2))
	s.must(s.log.InOrder(s.since,
		timeline.Starts(held),
		timeline.Uses("metallb-system", mirrored),
		timeline.RolledOut(unit, mirrored, 2),
	))
	s.wait(timeline.Ready(held))
}
