package e2e

import (
	"testing"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// The upgrade from native BGP to frr-k8s, in Sylva's own layout, with one node that takes 20 s to pull the two images.
func TestFirstUpgrade(t *testing.T) {
	s := begin(t)
	s.node("fast-1", 300*time.Millisecond)
	s.node("fast-2", 500*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(10*time.Second)) // each of the two
	unit := s.generateCore()
	s.install(s.before("0.15.3-native", s.preview(environment, unit, "--revision", "1")))

	objects := s.preview(environment, unit, "--revision", "2")
	s.upgrade(s.after("0.16.1", objects, unit))
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(3, frr))
	s.nothingToPull(3)
	s.asPreviewed(objects)
}
