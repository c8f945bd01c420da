package verify

import (
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
)

// danglingDependency: Flux answers "dependency not found" at every retry (kustomize-controller checkDependencies).
func danglingDependency(c *checker) error {
	c.look(len(c.graph.Nodes))
	for _, node := range c.graph.Nodes {
		for _, edge := range node.Edges {
			if !c.graph.Dangling(edge) {
				continue
			}
			c.find(edge.At, "%s depends on %s, which is not there%s", node.ID, edge.To, elsewhere(c.graph.Namesakes(edge.To)))
		}
	}
	if c.tree != nil {
		c.tree.unconditional(c)
	}
	return nil
}

func elsewhere(namesakes []graph.ID) string {
	if len(namesakes) == 0 {
		return ""
	}
	var texts []string
	for _, id := range namesakes {
		if id.Namespace == "" {
			texts = append(texts, id.Name+" (without a namespace)")
		} else {
			texts = append(texts, id.String())
		}
	}
	return "; there is " + strings.Join(texts, ", ")
}

// missingEdge: the edge is looked for in the namespace of the unit: one cluster has both in one namespace.
func missingEdge(c *checker) error {
	for _, p := range c.prepulls {
		if p.node == nil {
			continue
		}
		held := 0
		for _, node := range c.graph.OfUnit(c.unit.Holds) {
			waits := edgeTo(node, p.node) != nil
			if node.Namespace != p.node.Namespace && !waits {
				continue
			}
			held++
			if !waits {
				c.find(node.Object.Where(), "%s does not depend on %s: it goes on before the images are pulled", node.ID, p.node.ID)
			}
		}
		c.look(held)
		if held == 0 {
			c.note("%s is there, and no Kustomization of %s beside it: whether that waits cannot be told", p.node.ID, c.unit.Holds)
		}
	}
	if c.tree != nil {
		c.tree.missing(c)
	}
	return nil
}

// edgeTo is the dependency of one Kustomization on another, nil where there is none.
func edgeTo(node, on *graph.Node) *graph.Edge {
	for i := range node.Edges {
		if node.Edges[i].To == on.ID {
			return &node.Edges[i]
		}
	}
	return nil
}

// dependencyCycle: of each group of Kustomizations that wait for each other the shortest cycle is printed.
func dependencyCycle(c *checker) error {
	c.look(len(c.graph.Nodes))
	for _, cycle := range c.graph.Cycles() {
		if len(cycle) == 1 {
			c.find(cycle.Edge().At, "%s depends on itself", cycle[0].ID)
			continue
		}
		var way []string
		for _, node := range append(cycle, cycle[0]) {
			way = append(way, node.ID.String())
		}
		c.find(cycle.Edge().At, "a cycle: %s", strings.Join(way, " -> "))
	}
	return nil
}
