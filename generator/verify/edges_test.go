package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

// kustomizations writes a stream of Kustomizations: one a line, as "name: dependency, dependency"; a name may have a namespace in front.
func kustomizations(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		id, dependencies, _ := strings.Cut(strings.TrimSpace(line), ":")
		namespace, name, ok := strings.Cut(id, "/")
		if !ok {
			namespace, name = "", id
		}
		fmt.Fprintf(&b, "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: %s, namespace: %s}\nspec:\n  dependsOn:\n", name, namespace)
		for _, each := range strings.FieldsFunc(dependencies, func(r rune) bool { return r == ',' || r == ' ' }) {
			if namespace, name, ok := strings.Cut(each, "/"); ok {
				fmt.Fprintf(&b, "  - {name: %s, namespace: %s}\n", name, namespace)
			} else {
				fmt.Fprintf(&b, "  - name: %s\n", each)
			}
		}
	}
	return b.String()
}

func only(t testing.TB, ids ...string) []verify.Rule {
	t.Helper()
	var rules []verify.Rule
	for _, rule := range verify.Rules() {
		for _, id := range ids {
			if rule.ID == id {
				rules = append(rules, rule)
			}
		}
	}
	if len(rules) != len(ids) {
		t.Fatalf("no such rules: %v", ids)
	}
	return rules
}

// TestDependencies: the edges of all Kustomizations, at their places in a stream of several documents.
func TestDependencies(t *testing.T) {
	for name, test := range map[string]struct {
		lines, namespace string
		want             []string
	}{
		"fine":                   {lines: "a: b, c\nb: c\nc:"},
		"dangling":               {lines: "a: b\nb: gone", want: []string{"dangling-dependency r.yaml:14:5: b depends on gone, which is not there"}},
		"itself":                 {lines: "a:\nb: b", want: []string{"dependency-cycle r.yaml:13:5: b depends on itself"}},
		"a cycle, the short one": {lines: "a: b\nb: c\nc: a, d\nd: c", want: []string{"dependency-cycle r.yaml:22:5: a cycle: c -> d -> c"}},
		"another namespace":      {lines: "x/a: y/b\ny/b:"},
		"not said to be in another namespace": {lines: "x/a: b\ny/b:", want: []string{
			"dangling-dependency r.yaml:7:5: x/a depends on x/b, which is not there; there is y/b"}},
		"no namespace in the stream": {lines: "a: sylva-system/b\nb:", want: []string{
			"dangling-dependency r.yaml:7:5: a depends on sylva-system/b, which is not there; there is b (without a namespace)"}},
		"the namespace of the release": {lines: "a: sylva-system/b\nb:", namespace: "sylva-system"},
		"a cycle over namespaces":      {lines: "x/a: y/b\ny/b: x/a", want: []string{"dependency-cycle r.yaml:7:5: a cycle: x/a -> y/b -> x/a"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(t, kustomizations(test.lines), "")
			in.Namespace = test.namespace
			report := run(t, in, only(t, "dangling-dependency", "dependency-cycle"))
			if diff := cmp.Diff(test.want, texts(report)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestStreamsAreOne: what one file depends on may stand in another.
func TestStreamsAreOne(t *testing.T) {
	in := input(t, kustomizations("a: b"), "")
	in.Streams = append(in.Streams, stream(t, "s.yaml", kustomizations("b: c")))
	want := []string{"dangling-dependency s.yaml:7:5: b depends on c, which is not there"}
	if diff := cmp.Diff(want, texts(run(t, in, only(t, "dangling-dependency")))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMissingEdge(t *testing.T) {
	for name, test := range map[string]struct {
		lines string
		want  []string
		notes int
	}{
		"there":                    {lines: "metallb: metallb-image-prepull\nmetallb-image-prepull:"},
		"not there":                {lines: "metallb: other\nother:\nmetallb-image-prepull:", want: []string{"missing-edge r.yaml:4:12: metallb does not depend on metallb-image-prepull: it goes on before the images are pulled"}},
		"by way of another":        {lines: "metallb: other\nother: metallb-image-prepull\nmetallb-image-prepull:", want: []string{"missing-edge r.yaml:4:12: metallb does not depend on metallb-image-prepull: it goes on before the images are pulled"}},
		"in one of two clusters":   {lines: "a/metallb: metallb-image-prepull\na/metallb-image-prepull:\nb/metallb:\nb/metallb-image-prepull:", want: []string{"missing-edge r.yaml:17:12: b/metallb does not depend on b/metallb-image-prepull: it goes on before the images are pulled"}},
		"the unit is off":          {lines: "metallb:", notes: 1},
		"metallb is not there":     {lines: "metallb-image-prepull:", notes: 1},
		"over namespaces":          {lines: "a/metallb: b/metallb-image-prepull\nb/metallb-image-prepull:"},
		"metallb in another place": {lines: "a/metallb:\nb/metallb-image-prepull:", notes: 1},
	} {
		t.Run(name, func(t *testing.T) {
			report := run(t, input(t, kustomizations(test.lines), ""), only(t, "missing-edge"))
			if diff := cmp.Diff(test.want, texts(report)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(report.Outcomes[0].Notes) != test.notes {
				t.Errorf("notes: %v", report.Outcomes[0].Notes)
			}
		})
	}
}

// large is a stream of n Kustomizations that wait for the first and for some others, the pre-pull and metallb among them.
func large(n int) string {
	var lines strings.Builder
	lines.WriteString("k0:\n")
	for i := 1; i < n-2; i++ {
		fmt.Fprintf(&lines, "k%d: k0, k%d, k%d\n", i, i/2, i-1)
	}
	lines.WriteString("metallb-image-prepull: k0\nmetallb: metallb-image-prepull, k0\n")
	return kustomizations(lines.String())
}

// BenchmarkVerify reads a stream of 2,000 Kustomizations and checks it by all rules.
func BenchmarkVerify(b *testing.B) {
	text := large(2000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		run(b, input(b, text, ""), verify.Rules())
	}
}
