package graph

import "slices"

// Cycle is a way from a Kustomization along its dependencies back to it; a single one depends on itself.
type Cycle []*Node

// Edge is the dependency by which the cycle leaves its first Kustomization.
func (c Cycle) Edge() Edge {
	next := c[1%len(c)].ID
	i := slices.IndexFunc(c[0].Edges, func(e Edge) bool { return e.To == next })
	return c[0].Edges[i]
}

// Cycles are the Kustomizations that depend on themselves, and for each group of Kustomizations that all wait for each other one of its
// shortest cycles, starting with the smallest ID. Flux reconciles none of a group.
func (g *Graph) Cycles() []Cycle {
	var cycles []Cycle
	for _, group := range g.groups(g.Nodes) {
		for _, n := range group {
			if slices.ContainsFunc(n.Edges, func(e Edge) bool { return e.To == n.ID }) {
				cycles = append(cycles, Cycle{n})
			}
		}
		if len(group) > 1 {
			cycles = append(cycles, g.shortest(group, nil))
		}
	}
	slices.SortStableFunc(cycles, func(a, b Cycle) int { return compare(a[0].ID, b[0].ID) })
	return cycles
}

// Cyclic is the set of edges on cycles, by the IDs of their ends.
func (g *Graph) Cyclic() map[[2]ID]bool {
	cyclic := map[[2]ID]bool{}
	for _, group := range g.groups(g.Nodes) {
		in := members(group)
		for _, n := range group {
			for _, e := range n.Edges {
				if in[e.To] && (len(group) > 1 || e.To == n.ID) {
					cyclic[[2]ID{n.ID, e.To}] = true
				}
			}
		}
	}
	return cyclic
}

func members(group []*Node) map[ID]bool {
	in := map[ID]bool{}
	for _, n := range group {
		in[n.ID] = true
	}
	return in
}

// groups are the strongly connected components of some of the Kustomizations (Tarjan's algorithm), each sorted.
func (g *Graph) groups(of []*Node) [][]*Node {
	t := &tarjan{graph: g, in: members(of), index: map[ID]int{}, low: map[ID]int{}, on: map[ID]bool{}}
	for _, n := range of {
		if t.index[n.ID] == 0 {
			t.visit(n)
		}
	}
	return t.groups
}

type tarjan struct {
	graph  *Graph
	in     map[ID]bool // the Kustomizations that count
	index  map[ID]int  // from 1, in the order of the visits
	low    map[ID]int  // the smallest index that can be reached
	on     map[ID]bool
	stack  []*Node
	groups [][]*Node
}

func (t *tarjan) visit(n *Node) {
	t.index[n.ID] = len(t.index) + 1
	t.low[n.ID] = t.index[n.ID]
	t.stack, t.on[n.ID] = append(t.stack, n), true
	for _, e := range n.Edges {
		next := t.graph.byID[e.To]
		switch {
		case next == nil || !t.in[next.ID]:
		case t.index[next.ID] == 0:
			t.visit(next)
			t.low[n.ID] = min(t.low[n.ID], t.low[next.ID])
		case t.on[next.ID]:
			t.low[n.ID] = min(t.low[n.ID], t.index[next.ID])
		}
	}
	if t.low[n.ID] != t.index[n.ID] {
		return
	}
	first := slices.Index(t.stack, n)
	group := slices.Clone(t.stack[first:])
	t.stack = t.stack[:first]
	for _, each := range group {
		t.on[each.ID] = false
	}
	slices.SortFunc(group, func(a, b *Node) int { return compare(a.ID, b.ID) })
	t.groups = append(t.groups, group)
}

// shortest is a shortest cycle within a group, or best where the group has none that is shorter. A cycle goes through the first of the
// group or is within one of the groups that are left without it.
func (g *Graph) shortest(group []*Node, best Cycle) Cycle {
	if way := g.back(group[0], members(group), len(best)); way != nil {
		best = way
	}
	for _, rest := range g.groups(group[1:]) {
		if len(best) == 2 {
			break
		}
		if len(rest) > 1 {
			best = g.shortest(rest, best)
		}
	}
	return best
}

// back is a shortest way from start along its dependencies back to it, of more than one step and fewer than limit (0 is no limit);
// nil where there is none.
func (g *Graph) back(start *Node, in map[ID]bool, limit int) Cycle {
	from := map[ID]*Node{}
	level := []*Node{start}
	for length := 1; len(level) > 0 && (limit == 0 || length < limit); length++ {
		var next []*Node
		for _, n := range level {
			for _, e := range n.Edges {
				switch {
				case e.To == start.ID && n != start:
					return trail(from, start, n)
				case in[e.To] && from[e.To] == nil && e.To != start.ID:
					from[e.To] = n
					next = append(next, g.byID[e.To])
				}
			}
		}
		level = next
	}
	return nil
}

// trail is the way from start to end, by where each was reached from.
func trail(from map[ID]*Node, start, end *Node) Cycle {
	way := Cycle{end}
	for n := end; n != start; {
		n = from[n.ID]
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}
