package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
)

// a hub on which all depend, a chain through the middle, a cycle, and a dependency that is not there.
const chain = "hub:\na: hub\nb: hub, a\nmiddle: hub, b, gone\nc: hub, middle\nd: hub, c\nother: hub\nx: hub, y\ny: hub, x\n"

func TestText(t *testing.T) {
	g := read(t, stream(chain))
	for name, test := range map[string]struct {
		view *graph.View
		want string
	}{
		"all": {view: g.All(), want: `a
  -> hub
b
  -> a
  -> hub
c
  -> hub
  -> middle
d
  -> c
  -> hub
hub
middle
  -> b
  -> gone (not there)
  -> hub
other
  -> hub
x
  -> hub
  -> y (cycle)
y
  -> hub
  -> x (cycle)
`},
		"one step": {view: g.Around(g.Named("middle"), 1), want: `b
  -> hub
  -> 1 more, not shown
c
  -> hub
  -> middle
hub
middle
  -> b
  -> gone (not there)
  -> hub
`},
		"no step": {view: g.Around(g.Named("middle"), 0), want: `middle
  -> gone (not there)
  -> 2 more, not shown
`},
		"many steps": {view: g.Around(g.Named("a"), 100), want: `a
  -> hub
b
  -> a
  -> hub
c
  -> hub
  -> middle
d
  -> c
  -> hub
hub
middle
  -> b
  -> gone (not there)
  -> hub
`},
		"namespaces": {view: read(t, stream("n/a: b, m/c\nm/c:")).All(), want: `m/c
n/a
  -> m/c
  -> n/b (not there)
`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.view.Text()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestDrawings(t *testing.T) {
	v := read(t, stream("a: b, gone\nb: a, c\nc: d\nd:")).Around(read(t, stream("a:")).Named("a"), 1)
	wantMermaid := `flowchart LR
  n0["a"]
  n1["b (1 more)"]
  n2["gone"]:::missing
  n0 == cycle ==> n1
  n0 -. not there .-> n2
  n1 == cycle ==> n0
  classDef missing stroke:#c00,stroke-dasharray:4
`
	wantDot := `digraph dependencies {
  rankdir=LR;
  node [shape=box];
  n0 [label="a"];
  n1 [label="b (1 more)"];
  n2 [label="gone", style=dashed, color=red];
  n0 -> n1 [label="cycle", style=bold, color=red];
  n0 -> n2 [label="not there", style=dashed, color=red];
  n1 -> n0 [label="cycle", style=bold, color=red];
}
`
	if v.Shown() != 2 || v.Drawn() != 3 {
		t.Errorf("%d shown with %d edges", v.Shown(), v.Drawn())
	}
	if diff := cmp.Diff(wantMermaid, v.Mermaid()); diff != "" {
		t.Errorf("mermaid, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(wantDot, v.Dot()); diff != "" {
		t.Errorf("dot, -want +got:\n%s", diff)
	}
}

// TestNamesAreEscaped: a name with the characters that end a label, or mean something in it.
func TestNamesAreEscaped(t *testing.T) {
	doc := "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: \"a\\\"];x[\\\\<b>#\\n\\e[31m\"}}"
	v := read(t, doc).All()
	if want := `n0["a#34;#93;#59;x#91;#92;#60;b#62;#35;#10;#27;#91;31m"]` + "\n"; !strings.Contains(v.Mermaid(), want) {
		t.Errorf("no %s in %s", want, v.Mermaid())
	}
	if want := `n0 [label="a\"];x[\\<b>#  [31m"];` + "\n"; !strings.Contains(v.Dot(), want) {
		t.Errorf("no %s in %s", want, v.Dot())
	}
	if want := `"a\"];x[\\<b>#\n\x1b[31m"` + "\n"; v.Text() != want {
		t.Errorf("got %s, want %s", v.Text(), want)
	}
}

// TestOrderDoesNotMatter: the same Kustomizations in any order make the same drawing.
func TestOrderDoesNotMatter(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(chain, "\n"), "\n")
	want := read(t, stream(chain)).All().Mermaid()
	for i := range lines {
		turned := strings.Join(append(append([]string{}, lines[i:]...), append([]string{"\n"}, lines[:i]...)...), "")
		turned = strings.ReplaceAll(turned, "\n\n", "\n")
		if diff := cmp.Diff(want, read(t, stream(strings.TrimSpace(turned))).All().Mermaid()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// large is a stream of Kustomizations that all wait for the first and for some others.
func large(n int) string {
	var lines strings.Builder
	lines.WriteString("k0:\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&lines, "k%d: k0, k%d, k%d\n", i, i/2, i-1)
	}
	return stream(lines.String())
}

// TestReadable: of several hundred Kustomizations that all wait for one, the surroundings of another are few.
func TestReadable(t *testing.T) {
	g := read(t, large(400))
	for _, centre := range []string{"k20", "k150", "k399"} {
		if view := g.Around(g.Named(centre), 1); view.Shown() > 8 || strings.Count(view.Text(), "\n") > 30 {
			t.Errorf("%d Kustomizations around %s:\n%s", view.Shown(), centre, view.Text())
		}
	}
	if hub := g.Around(g.Named("k0"), 1); hub.Shown() != 400 {
		t.Errorf("%d Kustomizations around the one that all wait for", hub.Shown())
	}
}

func BenchmarkNew(b *testing.B) {
	doc := large(2000)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, doc)
	}
}

func BenchmarkCycles(b *testing.B) {
	var ring strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&ring, "k%d: k%d\n", i, (i+1)%2000)
	}
	for name, doc := range map[string]string{"none": large(2000), "short": large(2000) + stream("k0: k1999"), "ring": stream(ring.String())} {
		g := read(b, doc)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Cycles()
			}
		})
	}
}
