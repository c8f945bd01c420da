package e2e

import (
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// A fresh install, and the upgrade of a cluster without BGP, have neither the unit nor the edge, and metallb waits for nothing.
func TestNoUnitNoDelay(t *testing.T) {
	for name, arguments := range map[string][]string{
		"fresh install": {"testdata/example/environment", "--to", "1.7.0"},
		"L2 only":       {"-f", "testdata/l2-only/values.yaml", "--from", "1.6.3", "--to", "1.7.0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.node("one", 200*time.Millisecond)
			g := s.generate()
			if objects := s.preview(arguments, g); len(objects) != 0 {
				t.Fatalf("%d objects for a unit that is not active", len(objects))
			}
			s.upgrade(s.before("0.16.1", s.preview(environment, g))) // as if the chart had rendered it: without the edge
			s.wait(timeline.Ready(held))
			s.must(s.log.InOrder(s.since, timeline.Starts(held), timeline.Uses("metallb-system", frr), timeline.Ready(held)))
			if e, ok := s.log.First(s.since, timeline.NotReady(held, "DependencyNotReady", "")); ok {
				t.Errorf("metallb has waited: revision %d", e.Revision)
			}
			if e, ok := s.log.First(s.since, timeline.Created("DaemonSet", unit)); ok {
				t.Errorf("the unit is there: revision %d", e.Revision)
			}
		})
	}
}

// MetalLB is newly enabled by the very update: there is no namespace metallb-system, and nothing waits for it.
func TestMetalLBNewlyEnabled(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	s.must(s.removeNamespace("metallb-system"))
	s.bring(s.release("0.16.1", nil, standInFor("flux-system", system)))
	s.wait(timeline.Ready("flux-system"))

	g := s.generateCore()
	s.upgrade(s.after("0.16.1", s.preview(environment, g, "--revision", "2"), g))
	s.wait(timeline.RolledOut(unit, frr, 2))
	if _, err := s.client.CoreV1().Namespaces().Get(s.ctx, "metallb-system", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("namespace metallb-system is there before metallb: %v", err)
	}
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, frr))
	s.nothingToPull(2)
}

// The unit goes away after the upgrade: its pods are pruned, and MetalLB is not touched.
func TestUnitTakenAway(t *testing.T) {
	s := begin(t)
	s.node("one", 200*time.Millisecond)
	g := s.generate()
	objects := s.preview(environment, g)
	s.install(s.after("0.16.1", objects, g))
	old := s.podsOf("metallb-system")

	s.log.Zero()
	s.takeAway(s.withoutEdge(s.get(objects, "Kustomization", held)))
	s.samePods(old, s.podsOf("metallb-system"))
}

// takeAway is a release without the unit, and with metallb's Kustomization without the edge.
func (s *scenario) takeAway(metallb *unstructured.Unstructured) {
	s.Helper()
	s.since = s.now()
	s.mark("the unit and the edge are taken away")
	s.must(s.applyTo(s.ctx, timeline.Kustomizations, metallb))
	s.must(s.dynamic.Resource(timeline.Kustomizations).Namespace(system).Delete(s.ctx, unit, metav1.DeleteOptions{}))
	s.wait(timeline.Deleted("DaemonSet", unit))
	s.wait(timeline.Deleted("Kustomization", unit))
	s.wait(timeline.Ready(held))
}
