package verify_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

// change is a piece of a fixture and what stands in its place.
type change struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// mutation is the good release with its workload, changed, and what must be found.
type mutation struct {
	Rule     string   `json:"rule"`
	Case     string   `json:"case"`
	Release  []change `json:"release"`
	Workload []change `json:"workload"`
	Alone    bool     `json:"alone"` // no workload is given
	Want     []string `json:"want"`
}

func mutations(t testing.TB) []mutation {
	t.Helper()
	var all []mutation
	if err := yaml.UnmarshalStrict([]byte(read(t, "testdata/rules.yaml")), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestRules: all rules run on every mutation, and what they find is what is wanted, nothing more.
func TestRules(t *testing.T) {
	broken, fine := map[string]bool{}, map[string]bool{}
	for _, m := range mutations(t) {
		t.Run(m.Rule+"/"+m.Case, func(t *testing.T) {
			release := apply(t, read(t, fixtures+"release.yaml"), m.Release)
			coming := ""
			if !m.Alone {
				coming = apply(t, read(t, fixtures+"workload.yaml"), m.Workload)
			}
			got := texts(run(t, input(t, release, coming), verify.Rules()))
			if diff := cmp.Diff(m.Want, got); diff != "" {
				t.Errorf("findings, -want +got:\n%s", diff)
			}
		})
		broken[m.Rule] = broken[m.Rule] || slices.ContainsFunc(m.Want, func(line string) bool { return len(line) > len(m.Rule) && line[:len(m.Rule)+1] == m.Rule+" " })
		fine[m.Rule] = fine[m.Rule] || len(m.Want) == 0
	}
	for _, rule := range verify.Rules() {
		if !broken[rule.ID] || !fine[rule.ID] {
			t.Errorf("%s: a case that breaks it: %v, one that does not: %v", rule.ID, broken[rule.ID], fine[rule.ID])
		}
	}
}
