package e2e

import (
	"testing"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// A version bump without a root dependency whose source is there 5 s before the Kustomizations. The new tags come with the files that
// are generated: Flux keeps metallb waiting until the unit has applied the same revision, with the new pods.
func TestSourceBeforeKustomizations(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	old := []string{"--metallb-chart-version", "0.15.3"}
	before := s.generate(old...)
	s.install(s.after("0.15.3-frr-k8s", s.preview(environment, before, old...), before))

	after := s.generate()
	s.sourceFirst(s.after("0.16.1", s.preview(environment, after), after))
	s.wait(timeline.Ready(held))
	s.wait(timeline.Uses(s.place, frr))
	s.must(s.gateHeld(2, frr))
	s.nothingToPull(2)
}

// With spec.fluxVersion the KRM function has the tags in the unit's Kustomization, and a readyExpr, which Flux takes instead of its own
// look at the revision. Where the source itself brings MetalLB's new version, and before those are changed, metallb does not wait.
func TestSourceBeforeKustomizationsOfTheFunction(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	plain := s.before("0.15.3-frr-k8s", s.preview(environment, s.generate()))
	spec := map[string]any{
		"release": map[string]any{"from": "1.6.3", "to": "1.7.0"}, "values": peers,
		"metallbChartVersion": "0.15.3", "fluxVersion": "2.7",
	}
	objects := s.function(spec, plain.kustomizations...)
	s.install(s.fromFunction("0.15.3-frr-k8s", objects))

	delete(spec, "metallbChartVersion")
	s.sourceFirst(s.fromFunction("0.16.1", s.function(spec, s.get(objects, "Kustomization", held), s.get(objects, "Kustomization", unit))))
	s.wait(timeline.RolledOut(unit, frr, 2))
	s.must(s.log.InOrder(s.since, timeline.Starts(held), timeline.Uses(s.place, frr), timeline.RolledOut(unit, frr, 2)))
	s.wait(timeline.Ready(held))
}

// sourceFirst is an upgrade whose Kustomizations come 5 s after the source: Flux looks at what metallb waits for every 2 s.
func (s *scenario) sourceFirst(r release) {
	s.Helper()
	s.beginUpgrade()
	s.publish(r)
	time.Sleep(5 * time.Second)
	s.applyAll(r, 0)
}
