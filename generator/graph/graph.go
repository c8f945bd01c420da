// Package graph is the dependency graph of Flux Kustomizations, read from rendered manifests.
package graph

import (
	"cmp"
	"fmt"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// UnitLabel is the label by which the sylva-units chart says of which unit a Kustomization is (templates/_helpers.tpl, unit-labels).
const UnitLabel = "sylva-units.unit"

// ID names a Kustomization. One without a namespace is in a namespace of its own: that of the release, which helm template leaves out.
type ID struct{ Namespace, Name string }

// String is the name, with the namespace where there is one.
func (id ID) String() string {
	if id.Namespace == "" {
		return id.Name
	}
	return id.Namespace + "/" + id.Name
}

func compare(a, b ID) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// Edge is an entry of dependsOn.
type Edge struct {
	To        ID
	At        values.Position
	ReadyExpr bool // the entry has an expression of its own for when the dependency is ready (Flux 2.7)
}

// Node is a Kustomization.
type Node struct {
	ID
	Object workload.Object
	Edges  []Edge // in the order of dependsOn
}

// Unit is the Sylva unit that the Kustomization is of: by its label, else its own name.
func (n *Node) Unit() string {
	if unit := n.Object.Label(UnitLabel); unit != "" {
		return unit
	}
	return n.Name
}

// Graph is the Kustomizations of one or several streams, sorted by ID.
type Graph struct {
	Nodes []*Node
	byID  map[ID]*Node
}

// New takes the Kustomizations among the objects. The same one twice is one node with the edges of both. Errors are *values.Error, for
// a Kustomization that Flux would refuse: without a name, or with a dependsOn that is no list of names.
func New(objects []workload.Object) (*Graph, error) {
	g := &Graph{byID: map[ID]*Node{}}
	for _, object := range objects {
		if object.Kind != "Kustomization" || object.Group() != "kustomize.toolkit.fluxcd.io" {
			continue
		}
		if object.Name == "" {
			return nil, &values.Error{At: object.Where(), Text: "a Kustomization without a metadata.name"}
		}
		edges, err := edgesOf(object)
		if err != nil {
			return nil, err
		}
		g.add(&Node{ID: ID{object.Namespace, object.Name}, Object: object, Edges: edges})
	}
	slices.SortFunc(g.Nodes, func(a, b *Node) int { return compare(a.ID, b.ID) })
	return g, nil
}

func (g *Graph) add(n *Node) {
	twin := g.byID[n.ID]
	if twin == nil {
		g.Nodes, g.byID[n.ID] = append(g.Nodes, n), n
		return
	}
	for _, edge := range n.Edges {
		if !slices.ContainsFunc(twin.Edges, func(e Edge) bool { return e.To == edge.To }) {
			twin.Edges = append(twin.Edges, edge)
		}
	}
}

// edgesOf reads spec.dependsOn. An entry without a namespace is in that of the Kustomization (kustomize-controller api/v1
// DependencyReference).
func edgesOf(object workload.Object) ([]Edge, error) {
	list := object.Node.Get("spec", "dependsOn")
	if list == nil || list.Kind == values.Null {
		return nil, nil
	}
	if list.Kind != values.List {
		return nil, &values.Error{At: list.Where(), Path: []string{"spec", "dependsOn"}, Text: fmt.Sprintf("%s: a list of names is due", list.Kind)}
	}
	var edges []Edge
	for i, entry := range list.Items {
		name := entry.Get("name")
		if name == nil || name.Kind != values.String || name.Text == "" {
			path := []string{"spec", "dependsOn", fmt.Sprintf("[%d]", i)}
			return nil, &values.Error{At: entry.At, Path: path, Text: "no name, or none that is a string: the name of a Kustomization is due"}
		}
		edge := Edge{To: ID{object.Namespace, name.Text}, At: entry.At, ReadyExpr: entry.Get("readyExpr").AsText() != ""}
		if namespace := entry.Get("namespace").AsText(); namespace != "" {
			edge.To.Namespace = namespace
		}
		edges = append(edges, edge)
	}
	return edges, nil
}

// Get is the Kustomization of an ID, nil where there is none.
func (g *Graph) Get(id ID) *Node { return g.byID[id] }

// OfUnit are the Kustomizations of a Sylva unit: one in each namespace that has it.
func (g *Graph) OfUnit(unit string) []*Node {
	var found []*Node
	for _, n := range g.Nodes {
		if n.Unit() == unit {
			found = append(found, n)
		}
	}
	return found
}

// Named are the Kustomizations that a user's text means: by namespace/name, by name, or by the unit.
func (g *Graph) Named(text string) []*Node {
	var found []*Node
	for _, n := range g.Nodes {
		if n.ID.String() == text || n.Name == text || n.Unit() == text {
			found = append(found, n)
		}
	}
	return found
}

// Edges is the number of all edges.
func (g *Graph) Edges() int {
	count := 0
	for _, n := range g.Nodes {
		count += len(n.Edges)
	}
	return count
}

// Dangling reports whether an edge leads to a Kustomization that is not there.
func (g *Graph) Dangling(e Edge) bool { return g.byID[e.To] == nil }

// Namesakes are the Kustomizations of the same name in other namespaces.
func (g *Graph) Namesakes(id ID) []ID {
	var found []ID
	for _, n := range g.Nodes {
		if n.Name == id.Name && n.ID != id {
			found = append(found, n.ID)
		}
	}
	return found
}
