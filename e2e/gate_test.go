package e2e

import (
	"strings"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/fakenode"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// slow is a registry that from the upgrade on takes long for each of the images of frr-k8s, and not for others.
func (s *scenario) slow(each time.Duration) func(string) fakenode.Pull {
	return func(image string) fakenode.Pull {
		if s.upgrading.Load() && strings.Contains(image, "frr") {
			return fakenode.Pull{Takes: each}
		}
		return fakenode.Pull{Takes: 300 * time.Millisecond}
	}
}

// gateHeld checks that since the upgrade the unit's pods ran on all of the nodes, then the unit was ready, then metallb started to
// reconcile, and only then a new image was in MetalLB. It is the check of all scenarios, the negative control included.
func (s *scenario) gateHeld(nodes int64, image string) error {
	return s.log.InOrder(s.since,
		timeline.RolledOut(unit, image, nodes),
		timeline.Ready(unit),
		timeline.Starts(held),
		timeline.Uses(s.place, image),
	)
}

// nothingToPull checks that the pods of frr-k8s since the upgrade, those of the DaemonSet on every node and that of the Deployment, had
// all their images when they came, which they have only if the unit pulled the very same references.
func (s *scenario) nothingToPull(nodes int) {
	s.Helper()
	daemons := s.started("metallb-frr-k8s")
	if len(daemons) != nodes+1 { // the Deployment's pod has the same beginning
		s.Errorf("%d pods of frr-k8s have started, %d expected", len(daemons), nodes+1)
	}
	for _, p := range daemons {
		if len(p.WaitedFor) > 0 {
			s.Errorf("pod %s on %s had to pull %v", p.Name, p.Node, p.WaitedFor)
		}
	}
}
