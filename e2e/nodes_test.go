package e2e

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// A dead node holds metallb until it is back. (If it is taken out of the cluster instead, the controllers notice a minute later.)
func TestDeadNode(t *testing.T) {
	s := begin(t)
	s.node("one", 200*time.Millisecond)
	s.node("two", 200*time.Millisecond)
	dead := s.node("dead", 200*time.Millisecond)
	g := s.generate()
	objects := s.preview(environment, g)
	s.install(s.before("0.15.3-native", objects))
	s.must(dead.Die(s.ctx))

	s.upgrade(s.after("0.16.1", objects, g))
	s.wait(timeline.Available(unit, frr, 2))
	s.quiet(timeline.Starts(held), 7*time.Second)
	s.mark("the dead node is back")
	s.must(dead.Revive(s.ctx))
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(3, frr))
	s.nothingToPull(3)
}

// A node that joins while the others pull is waited for as well.
func TestNodeJoinsDuringThePull(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(4*time.Second))
	g := s.generate()
	objects := s.preview(environment, g)
	s.install(s.before("0.15.3-native", objects))

	s.upgrade(s.after("0.16.1", objects, g))
	s.wait(timeline.Available(unit, frr, 1))
	s.mark("a node joins")
	s.nodeWith("late", nil, s.slow(6*time.Second))
	s.wait(timeline.Ready(held))
	s.must(s.log.InOrder(s.since, timeline.Available(unit, frr, 2), timeline.RolledOut(unit, frr, 3)))
	s.must(s.gateHeld(3, frr))
	s.nothingToPull(3)
}

var virtual = map[string]string{"type": "virtual-kubelet"} // the unit's pods run on no such node

// Where no node matches, the expression of the health check holds metallb until one does.
func TestNoNodeMatches(t *testing.T) {
	s := begin(t)
	s.nodeWith("one", virtual, s.slow(500*time.Millisecond))
	s.nodeWith("two", virtual, s.slow(500*time.Millisecond))
	g := s.generate()
	objects := s.preview(environment, g)
	s.install(s.before("0.15.3-native", objects))

	s.upgrade(s.after("0.16.1", objects, g))
	s.wait(timeline.RolledOut(unit, frr, 0))
	s.quiet(timeline.Starts(held), 7*time.Second)
	s.mark("the nodes match now")
	s.unlabel("type", "one", "two")
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, frr))
	s.nothingToPull(2)
}

// Without the expression Flux takes 0 of 0 pods for healthy: metallb goes on, and no node has the images.
func TestNoNodeMatchesWithoutExpression(t *testing.T) {
	s := begin(t)
	s.nodeWith("one", virtual, s.slow(500*time.Millisecond))
	g := s.generate()
	objects := s.preview(environment, g)
	s.install(s.before("0.15.3-native", objects))

	r := s.after("0.16.1", objects, g)
	s.strip(r, unit, "healthCheckExprs")
	s.upgrade(r)
	s.wait(timeline.Ready(held))
	s.must(s.log.InOrder(s.since,
		timeline.RolledOut(unit, frr, 0), timeline.Ready(unit), timeline.Starts(held), timeline.Uses("metallb-system", frr)))
	for _, p := range s.started("metallb-frr-k8s") {
		if len(p.WaitedFor) == 0 {
			t.Errorf("pod %s had its images, though the unit ran nowhere", p.Name)
		}
	}
}

// strip removes fields of a Kustomization's spec, which must be there.
func (s *scenario) strip(r release, name string, fields ...string) {
	s.Helper()
	stripped := 0
	for _, k := range r.kustomizations {
		for _, field := range fields {
			if _, ok, _ := unstructured.NestedFieldNoCopy(k.Object, "spec", field); ok && k.GetName() == name {
				unstructured.RemoveNestedField(k.Object, "spec", field)
				stripped++
			}
		}
	}
	if stripped != len(fields) {
		s.Fatalf("the spec of %s has %d of %v", name, stripped, fields)
	}
}

// One missing node may be tolerated: with two dead ones of four metallb is held, and goes on when one of them is back.
func TestDeadNodeTolerated(t *testing.T) {
	s := begin(t)
	s.node("one", 200*time.Millisecond)
	s.node("two", 200*time.Millisecond)
	dead, back := s.node("dead", 200*time.Millisecond), s.node("back", 200*time.Millisecond)
	g := s.generate("--tolerate-unavailable", "1")
	objects := s.preview(environment, g)
	s.install(s.before("0.15.3-native", objects))
	s.must(dead.Die(s.ctx))
	s.must(back.Die(s.ctx))

	s.upgrade(s.after("0.16.1", objects, g))
	s.wait(timeline.Available(unit, frr, 2))
	s.quiet(timeline.Starts(held), 7*time.Second)
	s.mark("one of the dead nodes is back")
	s.must(back.Revive(s.ctx))
	s.wait(timeline.Uses("metallb-system", frr))
	s.must(s.log.InOrder(s.since,
		timeline.Available(unit, frr, 3), timeline.Ready(unit), timeline.Starts(held), timeline.Uses("metallb-system", frr)))
	if e, ok := s.log.First(s.since, timeline.RolledOut(unit, frr, 4)); ok {
		t.Errorf("the dead node has the images: revision %d", e.Revision)
	}
}
