package e2e

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/fakenode"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// Names that Sylva and the unit give.
const (
	system = "sylva-system" // namespace of the units and of the pre-pull pods
	held   = "metallb"
	unit   = "metallb-image-prepull"
)

// A scenario has the cluster for itself, with nodes of its own, from begin to the end of its test.
type scenario struct {
	*testing.T
	*cluster
	ctx      context.Context
	log      *timeline.Recorder
	since    uint64 // revision of etcd just before the upgrade
	place    string // namespace of MetalLB
	revision atomic.Int64

	upgrading atomic.Bool // since then

	mu    sync.Mutex
	nodes []*fakenode.Node
	pods  []fakenode.PodStart
}

// begin gives a scenario the empty cluster. Its timeline is printed at its end, whatever the outcome.
func begin(t *testing.T) *scenario {
	t.Helper()
	// not the test's own context, which ends before its clean-up, for which the kubelets are needed
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	s := &scenario{T: t, cluster: shared, ctx: ctx, place: "metallb-system"}
	var err error
	s.log, err = timeline.Record(ctx, shared.dynamic)
	s.must(err)
	t.Cleanup(func() {
		t.Logf("%s\n%s", t.Name(), s.log.Print(shown, t.Failed()))
		if err := s.cleanUp(); err != nil {
			t.Error("clean up:", err)
		}
		cancel()
	})
	return s
}

// shown are the objects of a timeline: all but the units that stand in for those that metallb depends on beside its pre-pull unit.
func shown(kind, name string) bool {
	return kind == "DaemonSet" || name == unit || name == held || strings.HasPrefix(name, rootDependency)
}

func (s *scenario) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// node starts a node on which an image takes some time to be pulled.
func (s *scenario) node(name string, each time.Duration) *fakenode.Node {
	s.Helper()
	return s.nodeWith(name, nil, func(string) fakenode.Pull { return fakenode.Pull{Takes: each} })
}

func (s *scenario) nodeWith(name string, labels map[string]string, pull func(string) fakenode.Pull) *fakenode.Node {
	s.Helper()
	n := &fakenode.Node{
		Name: name, Labels: maps.Clone(labels), Ran: s.podRuns,
		Pull: pull,
		Jobs: map[string]func(context.Context){rootDependencyImage: s.rootDependencyJob},
	}
	s.must(n.Start(s.ctx, s.client))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes = append(s.nodes, n)
	return n
}

func (s *scenario) podRuns(p fakenode.PodStart) {
	s.mu.Lock()
	s.pods = append(s.pods, p)
	s.mu.Unlock()
	waited := "no image to pull"
	if len(p.WaitedFor) > 0 {
		waited = "had to pull " + strings.Join(p.WaitedFor, ", ")
	}
	s.log.Note("  %s: pod %s runs, %s", p.Node, p.Name, waited)
}

// started returns the pods that have started, of a DaemonSet or a Deployment.
func (s *scenario) started(workload string) []fakenode.PodStart {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pods []fakenode.PodStart
	for _, p := range s.pods {
		if strings.HasPrefix(p.Name, workload+"-") {
			pods = append(pods, p)
		}
	}
	return pods
}

// wait waits for something to happen since the upgrade.
func (s *scenario) wait(m timeline.Match) {
	s.Helper()
	if _, err := s.log.Wait(s.ctx, s.since, m); err != nil {
		s.Fatal(err)
	}
}

// quiet watches that something has not happened since the upgrade, and does not for a while. It shows no more than that the gate
// does not open at once; what proves the order is the check at the end, by the revisions of etcd.
func (s *scenario) quiet(m timeline.Match, while time.Duration) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, while)
	defer cancel()
	if e, err := s.log.Wait(ctx, s.since, m); err == nil {
		s.Fatalf("happened, at revision %d: %s", e.Revision, m.Says)
	}
	s.mark("still held after %s", while)
}

// mark adds a line to the timeline.
func (s *scenario) mark(format string, args ...any) {
	s.log.Note("-- %s", fmt.Sprintf(format, args...))
}
