package e2e

import (
	"testing"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// The upgrade of a cluster that has frr-k8s already, and the unit from its last upgrade: both Kustomizations are on the same source.
func TestVersionBump(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	values := []string{"-f", "testdata/bfd-2-to-4/values.yaml", "--from", "1.6.3", "--to", "1.7.0"}
	old := []string{"--metallb-chart-version", "0.15.3"}
	before := s.generateCore(old...)
	s.install(s.after("0.15.3-frr-k8s", s.preview(values, before, append(old, "--revision", "1")...), before))
	if e, ok := s.log.First(0, timeline.RolledOut(unit, "quay.io/frrouting/frr:10.4.1", 2)); !ok {
		t.Fatal("the unit of the release before has not run: ", e)
	}

	after := s.generateCore()
	s.upgrade(s.after("0.16.1", s.preview(values, after, "--revision", "2"), after))
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, frr))
	s.nothingToPull(2)
}
