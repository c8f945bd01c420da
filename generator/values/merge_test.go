package values_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func parse(t *testing.T, doc string) *values.Node {
	t.Helper()
	n, err := values.Parse("f.yaml", []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The right-hand values were printed by Helm 3.18.6: cli/values.MergeValues for merge, chartutil.CoalesceValues for coalesce.
func TestMerge(t *testing.T) {
	for name, test := range map[string]struct{ base, over, merged, coalesced string }{
		"maps deeply":           {"a: {b: 1, c: 2}", "a: {c: 3, d: 4}", "a: {b: 1, c: 3, d: 4}", "a: {b: 1, c: 3, d: 4}"},
		"lists replaced":        {"a: [1, 2]", "a: [3]", "a: [3]", "a: [3]"},
		"empty list replaces":   {"a: [1, 2]", "a: []", "a: []", "a: []"},
		"empty map does not":    {"a: {b: 1}", "a: {}", "a: {b: 1}", "a: {b: 1}"},
		"null over a default":   {"a: {b: 1}", "a: {b: null}", "a: {b: null}", "a: {}"},
		"null over a top key":   {"a: 1\nb: 2", "a: null", "a: null\nb: 2", "b: 2"},
		"null over no default":  {"a: {}", "a: {b: null}", "a: {b: null}", "a: {b: null}"},
		"null in a new map":     {"x: 1", "a: {b: {c: null}}", "x: 1\na: {b: {c: null}}", "x: 1\na: {b: {c: null}}"},
		"null over a null":      {"a: null", "a: null", "a: null", "{}"},
		"default null stays":    {"a: null\nb: {c: null}", "b: {}", "a: null\nb: {c: null}", "a: null\nb: {c: null}"},
		"map over a scalar":     {"a: 1", "a: {b: 2}", "a: {b: 2}", "a: {b: 2}"},
		"scalar over a map":     {"a: {b: 2}", "a: 1", "a: 1", "a: 1"},
		"template over a map":   {"a: {b: 2}", "a: '{{ x }}'", "a: '{{ x }}'", "a: '{{ x }}'"},
		"nothing over anything": {"a: {b: 2}", "", "a: {b: 2}", "a: {b: 2}"},
	} {
		t.Run(name, func(t *testing.T) {
			base, over := parse(t, test.base), parse(t, test.over)
			if diff := cmp.Diff(plain(parse(t, test.merged)), plain(values.Merge(base, over))); diff != "" {
				t.Errorf("merge (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(plain(parse(t, test.coalesced)), plain(values.Coalesce(base, over))); diff != "" {
				t.Errorf("coalesce (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(plain(parse(t, test.base)), plain(base)); diff != "" {
				t.Errorf("the base changed:\n%s", diff)
			}
		})
	}
}

func TestSet(t *testing.T) {
	base := parse(t, "a: {b: {c: 1}, d: 2}")
	got := base.Set(&values.Node{Kind: values.Bool, Scalar: true}, "a", "b", "c")
	if diff := cmp.Diff(map[string]any{"a": map[string]any{"b": map[string]any{"c": true}, "d": 2.0}}, plain(got)); diff != "" {
		t.Error(diff)
	}
	if base.Get("a", "b", "c").Scalar != 1.0 || base.Get("a", "d") != got.Get("a", "d") {
		t.Error("the original changed, or more was copied than the path")
	}
}
