package e2e

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/prepull"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/source"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// What is given to most previews: an environment of two BGP peers, on the upgrade that makes frr-k8s their backend.
var environment = []string{"testdata/example/environment", "--from", "1.6.3", "--to", "1.7.0"}

// The images of the frr-k8s pods, and of the speaker, as the metallb chart 0.16.1 has them.
const (
	frrK8s     = "quay.io/metallb/frr-k8s:v0.0.25"
	frr        = "quay.io/frrouting/frr:10.4.3"
	newSpeaker = "quay.io/metallb/speaker:v0.16.1"
	oldSpeaker = "quay.io/metallb/speaker:v0.15.3"
)

// A release is what a pipeline brings into the cluster: the Kustomizations, and the tree that they build.
type release struct {
	kustomizations []*unstructured.Unstructured
	tree           source.Tree
	revision       int64 // of the Helm release sylva-units, if it has a root dependency
}

// get returns one of the objects.
func (s *scenario) get(o prepull.Objects, kind, name string) *unstructured.Unstructured {
	s.Helper()
	u, err := o.Get(kind, name)
	s.must(err)
	return u
}

// before is the release without the unit: metallb's Kustomization as the objects of the release to come have it, but for the edge.
func (s *scenario) before(standIn string, objects prepull.Objects) release {
	s.Helper()
	return s.release(standIn, nil, s.withoutEdge(s.get(objects, "Kustomization", held)))
}

// after is the release with the unit: the Kustomizations that the program has printed, and the files that it has generated.
func (s *scenario) after(standIn string, objects prepull.Objects, g generated) release {
	s.Helper()
	return s.release(standIn, g.tree, s.get(objects, "Kustomization", held), s.get(objects, "Kustomization", unit))
}

// release makes a release of Kustomizations, those that they depend on included.
func (s *scenario) release(standIn string, unitTree source.Tree, kustomizations ...*unstructured.Unstructured) release {
	s.Helper()
	r := release{kustomizations: kustomizations, tree: source.Tree{}}
	s.must(readTree(r.tree, "testdata/metallb/"+standIn, "kustomize-units/helmrelease-generic"))
	s.must(readTree(r.tree, "testdata/units", "kustomize-units"))
	maps.Copy(r.tree, unitTree)
	r.addDependencies()
	return r
}

// addDependencies adds what the Kustomizations depend on and is not there, in the alphabetical order in which Helm applies them.
func (r *release) addDependencies() {
	there, wanted := map[string]bool{}, map[string]bool{}
	for _, k := range r.kustomizations {
		there[k.GetName()] = true
		for _, d := range dependencies(k) {
			wanted[d] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if revision, ok := strings.CutPrefix(name, rootDependency); ok {
			r.revision, _ = strconv.ParseInt(revision, 10, 64) // of the program's own output
		}
		if !there[name] {
			r.kustomizations = append(r.kustomizations, standInFor(name, r.kustomizations[0].GetNamespace()))
		}
	}
	if r.revision > 0 {
		for _, k := range r.kustomizations {
			dependOnRoot(k, r.revision)
		}
	}
	slices.SortFunc(r.kustomizations, func(a, b *unstructured.Unstructured) int { return strings.Compare(a.GetName(), b.GetName()) })
}

// install brings a release into the empty cluster, and waits until metallb is ready.
func (s *scenario) install(r release) {
	s.Helper()
	s.bring(r)
	s.wait(timeline.Ready(held))
	s.mark("the release before is in place")
}

// upgrade brings the next release, in the order in which Sylva's chart does: its hook deletes the old root dependency, then there
// is the new source, then the Kustomizations in alphabetical order. Where there is no root dependency the Kustomizations come first, and
// the source once Flux has seen metallb's: with the new source and its old copy of that one, it would not wait for what it does not know.
func (s *scenario) upgrade(r release) {
	s.Helper()
	s.beginUpgrade()
	s.bring(r)
}

// change is an upgrade that leaves the source as it is, with 2 s between metallb's Kustomization and the next one, that of the unit.
func (s *scenario) change(r release) {
	s.Helper()
	s.beginUpgrade()
	s.deleteOldRoot(r)
	s.applyAll(r, 2*time.Second)
}

func (s *scenario) beginUpgrade() {
	s.Helper()
	s.since = s.now()
	s.upgrading.Store(true)
	s.mu.Lock()
	s.pods = nil
	s.mu.Unlock()
	s.log.Zero()
	s.mark("upgrade")
}

// bring applies a release.
func (s *scenario) bring(r release) {
	s.Helper()
	if r.revision > 0 {
		s.deleteOldRoot(r)
		s.publish(r)
	}
	s.applyAll(r, 0)
	if r.revision == 0 {
		if s.upgrading.Load() && r.tree["kustomize-units/"+unit+"/daemonset.yaml"] != "" {
			s.wait(timeline.NotReady(held, "DependencyNotReady", unit))
		}
		s.publish(r)
	}
}

func (s *scenario) applyAll(r release, afterMetalLB time.Duration) {
	s.Helper()
	s.revision.Store(r.revision)
	for _, k := range r.kustomizations {
		s.must(s.applyTo(s.ctx, timeline.Kustomizations, k))
		s.mark("applied Kustomization %s", k.GetName())
		if k.GetName() == held {
			time.Sleep(afterMetalLB)
		}
	}
}

func (s *scenario) publish(r release) {
	s.Helper()
	revision, err := s.source.Publish(s.ctx, r.kustomizations[0].GetNamespace(), "sylva-core", r.tree)
	s.must(err)
	s.mark("source sylva-core: %s", revision)
}

// now returns the present revision of etcd.
func (s *scenario) now() uint64 {
	s.Helper()
	list, err := s.dynamic.Resource(timeline.Kustomizations).List(s.ctx, metav1.ListOptions{})
	s.must(err)
	revision, err := strconv.ParseUint(list.GetResourceVersion(), 10, 64)
	s.must(err)
	return revision
}
