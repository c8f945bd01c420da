package graph_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// stream writes Kustomizations: one a line, as "name: dependency, dependency"; a name may have a namespace in front.
func stream(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		id, dependencies, _ := strings.Cut(strings.TrimSpace(line), ":")
		namespace, name, ok := strings.Cut(id, "/")
		if !ok {
			namespace, name = "", id
		}
		fmt.Fprintf(&b, "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: '%s'\n", name)
		if namespace != "" {
			fmt.Fprintf(&b, "  namespace: %s\n", namespace)
		}
		b.WriteString("spec:\n  dependsOn:\n")
		for _, each := range strings.FieldsFunc(dependencies, func(r rune) bool { return r == ',' || r == ' ' }) {
			if namespace, name, ok := strings.Cut(each, "/"); ok {
				fmt.Fprintf(&b, "  - {name: %s, namespace: %s}\n", name, namespace)
			} else {
				fmt.Fprintf(&b, "  - name: '%s'\n", each)
			}
		}
	}
	return b.String()
}

func read(t testing.TB, doc string) *graph.Graph {
	t.Helper()
	objects, err := workload.Read("s.yaml", []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(objects)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func cycles(g *graph.Graph) []string {
	var out []string
	for _, cycle := range g.Cycles() {
		var names []string
		for _, n := range cycle {
			names = append(names, n.ID.String())
		}
		out = append(out, strings.Join(names, " "))
	}
	return out
}

func TestCycles(t *testing.T) {
	for name, test := range map[string]struct {
		lines string
		want  []string
	}{
		"none":                        {lines: "a: b\nb: c\nc:"},
		"itself":                      {lines: "a: a", want: []string{"a"}},
		"two":                         {lines: "b: a\na: b", want: []string{"a b"}},
		"the shortest of one group":   {lines: "a: b\nb: c\nc: d, b\nd: a", want: []string{"b c"}},
		"two groups":                  {lines: "a: b\nb: a, c\nc: d\nd: c", want: []string{"a b", "c d"}},
		"itself and another":          {lines: "a: a, b\nb: a", want: []string{"a", "a b"}},
		"through what is not there":   {lines: "a: gone\nb: a"},
		"namespaces are kept apart":   {lines: "x/a: b\ny/b: a"},
		"over namespaces":             {lines: "x/a: y/b\ny/b: x/a", want: []string{"x/a y/b"}},
		"no namespace is one as well": {lines: "a: x/a\nx/a: b\nx/b:"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, cycles(read(t, stream(test.lines)))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

const far = 1000 // longer than any way

// randomGraph is a stream of Kustomizations k0, k1, ... with the lengths of the shortest ways between all pairs (Floyd and Warshall),
// those that depend on themselves left out and returned apart.
func randomGraph(random *rand.Rand) (lines string, way [][]int, loops []string) {
	n := 1 + random.IntN(7)
	way = make([][]int, n)
	for i := range n {
		way[i] = make([]int, n)
		lines += fmt.Sprintf("k%d:", i)
		for j := range n {
			way[i][j] = far
			if random.IntN(4) > 0 {
				continue
			}
			lines += fmt.Sprintf(" k%d,", j)
			if i == j {
				loops = append(loops, fmt.Sprintf("k%d", i))
			} else {
				way[i][j] = 1
			}
		}
		lines += "\n"
	}
	for k := range n {
		for i := range n {
			for j := range n {
				way[i][j] = min(way[i][j], way[i][k]+way[k][j])
			}
		}
	}
	return lines, way, loops
}

// TestCyclesOfAnyGraph: one cycle of each group, as long as the shortest way from any of the group to itself.
func TestCyclesOfAnyGraph(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	groups := 0
	for range 400 {
		lines, way, wantLoops := randomGraph(random)
		want, got := map[int]int{}, map[int]int{} // by the first of each group
		first := func(i int) int {
			for j := range way {
				if j == i || way[i][j] < far && way[j][i] < far {
					return j
				}
			}
			return i
		}
		for i := range way {
			if length := way[i][i]; length < far && (want[first(i)] == 0 || length < want[first(i)]) {
				want[first(i)] = length
			}
		}
		var loops []string
		for _, cycle := range read(t, stream(lines)).Cycles() {
			if len(cycle) == 1 {
				loops = append(loops, cycle[0].Name)
				continue
			}
			got[first(int(cycle[0].Name[1]-'0'))] += len(cycle)
		}
		if diff := cmp.Diff(want, got) + cmp.Diff(wantLoops, loops); diff != "" {
			t.Fatalf("lengths of the shortest cycles, -want +got:\n%s\n%s", diff, lines)
		}
		groups += len(want)
	}
	if groups < 100 {
		t.Errorf("%d groups: too few to prove anything", groups)
	}
}

func TestNew(t *testing.T) {
	const head = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
	for name, test := range map[string]struct{ doc, err string }{
		"another kind of Kustomization": {doc: "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n"},
		"dependsOn null":                {doc: head + "metadata: {name: a}\nspec: {dependsOn: null}\n"},
		"no name":                       {doc: head + "metadata: {}\n", err: "s.yaml:1:1: a Kustomization without a metadata.name"},
		"dependsOn is a map":            {doc: head + "metadata: {name: a}\nspec:\n  dependsOn: {b: true}\n", err: "s.yaml:5:3: spec.dependsOn: a map: a list of names is due"},
		"an entry without a name":       {doc: head + "metadata: {name: a}\nspec:\n  dependsOn:\n  - name: b\n  - namespace: x\n", err: "s.yaml:7:5: spec.dependsOn.[1]: no name, or none that is a string: the name of a Kustomization is due"},
		"a name that is a number":       {doc: head + "metadata: {name: a}\nspec: {dependsOn: [{name: 1}]}\n", err: "s.yaml:4:20: spec.dependsOn.[0]: no name, or none that is a string: the name of a Kustomization is due"},
		"an entry that is a name":       {doc: head + "metadata: {name: a}\nspec: {dependsOn: [b]}\n", err: "s.yaml:4:20: spec.dependsOn.[0]: no name, or none that is a string: the name of a Kustomization is due"},
	} {
		t.Run(name, func(t *testing.T) {
			objects, err := workload.Read("s.yaml", []byte(test.doc))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = graph.New(objects); (err != nil || test.err != "") && fmt.Sprint(err) != test.err {
				t.Errorf("error %v, want %s", err, test.err)
			}
		})
	}
}

func TestTheSameTwice(t *testing.T) {
	g := read(t, stream("a: b\nb:")+stream("a: b, c"))
	if len(g.Nodes) != 2 || g.Edges() != 2 {
		t.Errorf("%d Kustomizations with %d edges, want 2 with 2", len(g.Nodes), g.Edges())
	}
}
