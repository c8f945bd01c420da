package e2e

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/prepull"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/source"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

var peers = map[string]any{"metallb": map[string]any{"bgp_lbs": map[string]any{"l3_options": map[string]any{"bgp_peers": map[string]any{
	"tor-a": map[string]any{"local_asn": 64512, "peer_asn": 64513, "peer_address": "192.0.2.1"},
}}}}}

// function runs the program as a KRM function on Kustomizations, with a functionConfig's spec.
func (s *scenario) function(spec map[string]any, kustomizations ...*unstructured.Unstructured) prepull.Objects {
	s.Helper()
	items := []any{}
	for _, k := range kustomizations {
		items = append(items, k.Object)
	}
	list, err := yaml.Marshal(map[string]any{
		"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items,
		"functionConfig": map[string]any{
			"apiVersion": "prepull.sylva.org/v1alpha1", "kind": "ImagePrepull",
			"metadata": map[string]any{"name": unit}, "spec": spec,
		},
	})
	s.must(err)
	objects, err := s.program.Function(string(list))
	s.must(err)
	return objects
}

// fromFunction makes a release of what the function has put out: its Kustomizations, and its DaemonSet in the tree that they build.
func (s *scenario) fromFunction(standIn string, objects prepull.Objects) release {
	s.Helper()
	pods, err := yaml.Marshal(s.get(objects, "DaemonSet", unit).Object)
	s.must(err)
	tree := source.Tree{"kustomize-units/" + unit + "/daemonset.yaml": string(pods)} // Flux makes the kustomization.yaml
	return s.release(standIn, tree, s.get(objects, "Kustomization", held), s.get(objects, "Kustomization", unit))
}

// What the KRM function makes of a stream with metallb's Kustomization gives the same order. Where the unit is off it takes the unit and
// the edge away again, and MetalLB is not touched.
func TestKRMFunction(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	before := s.before("0.15.3-native", s.preview(environment, s.generate()))
	s.install(before)

	upgrade := map[string]any{"release": map[string]any{"from": "1.6.3", "to": "1.7.0"}, "values": peers}
	objects := s.function(upgrade, before.kustomizations...)
	s.upgrade(s.fromFunction("0.16.1", objects))
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, frr))
	s.nothingToPull(2)
	s.asPreviewed(objects)

	old := s.podsOf("metallb-system")
	none := map[string]any{"upgrade": false, "release": map[string]any{"to": "1.7.0"}, "values": peers}
	after := s.function(none, s.get(objects, "Kustomization", unit), s.get(objects, "Kustomization", held))
	if len(after) != 1 {
		t.Fatalf("%d objects are left, where metallb's Kustomization alone is due", len(after))
	}
	s.takeAway(s.get(after, "Kustomization", held))
	s.samePods(old, s.podsOf("metallb-system"))
}

// With a Flux that has readyExpr, the function closes the gap of a later upgrade without a root dependency.
func TestKRMFunctionReadyExpr(t *testing.T) {
	s := begin(t)
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	before := s.before("0.15.3-native", s.preview(environment, s.generate()))
	spec := map[string]any{"release": map[string]any{"from": "1.6.3", "to": "1.7.0"}, "values": peers, "fluxVersion": "2.7"}
	objects := s.function(spec, before.kustomizations...)
	s.install(s.fromFunction("0.16.1", objects))

	metallb := s.get(objects, "Kustomization", held)
	s.useMirror(metallb)
	spec["images"] = map[string]any{"frr": mirrored, "frr-k8s": mirroredFRRK8s}
	later := s.fromFunction("0.16.1", s.function(spec, metallb, s.get(objects, "Kustomization", unit)))
	s.verified(later)
	s.change(later)
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, mirrored))
	s.nothingToPull(2)
}
