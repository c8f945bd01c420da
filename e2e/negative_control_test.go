package e2e

import (
	"os"
	"testing"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// Without the health check the unit is ready as soon as it is applied, and metallb goes on before a single pull has ended. The check of
// all other scenarios must say so: a check that cannot fail proves nothing. E2E_INVERT=1 turns the expectation round.
func TestNegativeControl(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(5*time.Second))
	g := s.generate()
	objects := s.preview(environment, g)
	s.install(s.before("0.15.3-native", objects))

	r := s.after("0.16.1", objects, g)
	s.strip(r, unit, "healthChecks", "healthCheckExprs")
	s.upgrade(r)
	s.wait(timeline.RolledOut(unit, frr, 2))
	s.wait(timeline.Ready(held))
	err := s.gateHeld(2, frr)
	s.mark("the check says: %v", err)
	if held := err == nil; held != (os.Getenv("E2E_INVERT") == "1") {
		t.Errorf("the gate held: %v; the check says: %v", held, err)
	}
	s.must(s.log.InOrder(s.since, timeline.Starts(held), timeline.Uses(s.place, frr), timeline.RolledOut(unit, frr, 2)))
}
