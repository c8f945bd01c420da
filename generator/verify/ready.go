package verify

import (
	"regexp"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
)

// staleReady: a Kustomization that is updated before the one it waits for finds that Ready from the last time, unless the sources are the
// same and the revision is new. The root-dependency of sylva-units closes that gap where both depend on the same one, a readyExpr
// elsewhere.
func staleReady(c *checker) error {
	for _, p := range c.prepulls {
		if p.node == nil {
			continue
		}
		for _, held := range c.graph.Nodes {
			edge := edgeTo(held, p.node)
			if edge == nil || held == p.node {
				continue
			}
			c.look(1)
			switch {
			case edge.ReadyExpr || c.sameRoot(held, p.node):
			case c.cutOut(held, p.node):
				c.note("%s and %s are alone here: the sylva-units chart has both wait for a root-dependency, which this part of it does not show",
					p.node.ID, held.ID)
			default:
				c.find(edge.At, "%s may find %s Ready from the last upgrade: they have no root-dependency in common, and the dependency has no readyExpr",
					held.ID, p.node.ID)
			}
		}
	}
	return nil
}

// sameRoot reports whether two Kustomizations depend on the same root-dependency-<revision>.
func (s *scope) sameRoot(a, b *graph.Node) bool {
	roots := s.rootsOf(a)
	return slices.ContainsFunc(s.rootsOf(b), func(id graph.ID) bool { return slices.Contains(roots, id) })
}

// rootsOf are the dependencies on the unit root-dependency, by its label or its name (sylva-units values.yaml, kustomization_name).
func (s *scope) rootsOf(n *graph.Node) []graph.ID {
	name := regexp.MustCompile(`^root-dependency-\d+$`)
	var roots []graph.ID
	for _, edge := range n.Edges {
		on := s.graph.Get(edge.To)
		if name.MatchString(edge.To.Name) || on != nil && on.Unit() == "root-dependency" {
			roots = append(roots, edge.To)
		}
	}
	return roots
}

// cutOut reports whether two Kustomizations are a part of what the sylva-units chart renders, without their other dependencies: the
// chart's label is on both, nothing else is there, and they depend on nothing else.
func (s *scope) cutOut(a, b *graph.Node) bool {
	labelled := func(n *graph.Node) bool { return n.Object.Label(graph.UnitLabel) != "" }
	return labelled(a) && labelled(b) && len(s.graph.Nodes) == 2 && len(a.Edges)+len(b.Edges) == 1
}
