package e2e

import (
	"sync/atomic"
	"testing"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/fakenode"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// A pull that takes longer than the unit's timeout: Flux gives up, tries again, and metallb waits all the while.
func TestPullLongerThanTimeout(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(18*time.Second)) // each of two images; the timeout is 30 s
	g := s.generate("--timeout", "30s")
	objects := s.preview(environment, g, "-f", "e2e/testdata/values/short-retry.yaml")
	s.install(s.before("0.15.3-native", objects))

	s.upgrade(s.after("0.16.1", objects, g))
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, frr))
	s.must(s.log.InOrder(s.since, timeline.NotReady(unit, "HealthCheckFailed", unit), timeline.RolledOut(unit, frr, 2)))
	s.nothingToPull(2)
}

// A pull that fails holds metallb on its old version, whose pods are not touched, until the registry has the image.
func TestFailingPull(t *testing.T) {
	s := begin(t)
	var fixed atomic.Bool
	s.node("good", 200*time.Millisecond)
	s.nodeWith("bad", nil, func(image string) fakenode.Pull {
		if image == frr && !fixed.Load() {
			return fakenode.Pull{Takes: 200 * time.Millisecond, Fails: "manifest unknown"}
		}
		return fakenode.Pull{Takes: 200 * time.Millisecond}
	})
	g := s.generate()
	objects := s.preview(environment, g)
	s.install(s.before("0.15.3-native", objects))
	old := s.podsOf("metallb-system")

	s.upgrade(s.after("0.16.1", objects, g))
	s.wait(timeline.Available(unit, frr, 1))
	s.quiet(timeline.Starts(held), 7*time.Second)
	s.samePods(old, s.podsOf("metallb-system"))
	s.mark("the registry has the image now")
	fixed.Store(true)
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, frr))
	s.nothingToPull(2)
}
