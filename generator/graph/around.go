package graph

import "slices"

// View is a part of a graph to print.
type View struct {
	graph *Graph
	shown map[ID]bool
	short bool // all is in one namespace: names do
}

// All is the view of the whole graph.
func (g *Graph) All() *View {
	v := g.view()
	for _, n := range g.Nodes {
		v.shown[n.ID] = true
	}
	return v
}

// Around is the view of some Kustomizations with what they wait for and what waits for them, each over at most depth steps. The two
// directions are not mixed: all else that waits for the same dependency is left out.
func (g *Graph) Around(centres []*Node, depth int) *View {
	v := g.view()
	waiting := map[ID][]*Node{}
	for _, n := range g.Nodes {
		for _, e := range n.Edges {
			waiting[e.To] = append(waiting[e.To], n)
		}
	}
	dependencies := func(n *Node) []*Node {
		var out []*Node
		for _, e := range n.Edges {
			if next := g.byID[e.To]; next != nil {
				out = append(out, next)
			}
		}
		return out
	}
	v.spread(centres, depth, dependencies)
	v.spread(centres, depth, func(n *Node) []*Node { return waiting[n.ID] })
	return v
}

func (g *Graph) view() *View {
	v := &View{graph: g, shown: map[ID]bool{}, short: true}
	for _, n := range g.Nodes {
		same := func(e Edge) bool { return e.To.Namespace == g.Nodes[0].Namespace }
		v.short = v.short && n.Namespace == g.Nodes[0].Namespace && !slices.ContainsFunc(n.Edges, func(e Edge) bool { return !same(e) })
	}
	return v
}

func (v *View) spread(from []*Node, depth int, next func(*Node) []*Node) {
	seen := map[ID]bool{}
	for step := 0; len(from) > 0; step++ {
		var further []*Node
		for _, n := range from {
			if seen[n.ID] {
				continue
			}
			seen[n.ID], v.shown[n.ID] = true, true
			if step < depth {
				further = append(further, next(n)...)
			}
		}
		from = further
	}
}

// Shown is the number of Kustomizations in the view.
func (v *View) Shown() int { return len(v.shown) }

// Drawn is the number of edges in the view.
func (v *View) Drawn() int {
	count := 0
	for _, b := range v.boxes() {
		count += len(b.links)
	}
	return count
}

// box is a Kustomization of the view as all formats print it.
type box struct {
	id      ID
	missing bool // not in the stream
	links   []link
	hidden  int // dependencies that are not in the view
}

type link struct {
	to              ID
	dangling, cycle bool
}

// boxes are the Kustomizations of the view, sorted, and after them those that are missing.
func (v *View) boxes() []box {
	cyclic := v.graph.Cyclic()
	var boxes []box
	missing := map[ID]bool{}
	for _, n := range v.graph.Nodes {
		if !v.shown[n.ID] {
			continue
		}
		b := box{id: n.ID}
		for _, e := range n.Edges {
			dangling := v.graph.Dangling(e)
			if !dangling && !v.shown[e.To] {
				b.hidden++
				continue
			}
			missing[e.To] = missing[e.To] || dangling
			b.links = append(b.links, link{e.To, dangling, cyclic[[2]ID{n.ID, e.To}]})
		}
		slices.SortStableFunc(b.links, func(a, b link) int { return compare(a.to, b.to) })
		boxes = append(boxes, b)
	}
	return append(boxes, missingBoxes(missing)...)
}

func missingBoxes(missing map[ID]bool) []box {
	var boxes []box
	for id, gone := range missing {
		if gone {
			boxes = append(boxes, box{id: id, missing: true})
		}
	}
	slices.SortFunc(boxes, func(a, b box) int { return compare(a.id, b.id) })
	return boxes
}

func (v *View) name(id ID) string {
	if v.short {
		return id.Name
	}
	return id.String()
}
