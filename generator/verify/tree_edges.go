package verify

import (
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// unconditional finds an edge of the values that is there when the unit is not.
func (t *tree) unconditional(c *checker) {
	for _, layers := range t.clusters() {
		edge := layers.Get("units", t.unit.Holds, "depends_on", t.unit.Name)
		if edge == nil {
			continue
		}
		c.look(1)
		own := layers.Get("units", t.unit.Name)
		switch {
		case edge.Is(true) && own == nil:
			c.find(edge.Where(), "unit %s depends on %s, which is not there", t.unit.Holds, t.unit.Name)
		case edge.Is(true) && len(own.Get("enabled_conditions").List()) > 0:
			c.find(edge.Where(), "unit %s depends on %s unconditionally, and that has enabled_conditions", t.unit.Holds, t.unit.Name)
		case edge.Kind == values.String && !asksForUnit(edge.Text, t.unit.Name):
			c.find(edge.Where(),
				"unit %s depends on %s by a condition that does not ask whether it is enabled (unit-enabled)", t.unit.Holds, t.unit.Name)
		}
	}
}

// placeOf is where to say that an edge is missing: at what takes it away, else at the unit in the lowest layer that has it.
func (t *tree) placeOf(edge, held *values.Node) values.Position {
	if edge != nil {
		return edge.Where()
	}
	for _, layer := range t.values {
		if n := layer.Get("units", t.unit.Holds); n != nil {
			return n.Where()
		}
	}
	return held.Where()
}

// asksForUnit reports whether a template asks the chart whether a unit is enabled.
func asksForUnit(template, name string) bool {
	return strings.Contains(template, `"unit-enabled"`) && strings.Contains(template, `"`+name+`"`)
}

// missing finds a unit of the values that the unit which should wait has no edge to.
func (t *tree) missing(c *checker) {
	for _, layers := range t.clusters() {
		own, held := layers.Get("units", t.unit.Name), layers.Get("units", t.unit.Holds)
		if own == nil || held == nil {
			continue
		}
		c.look(1)
		edge := held.Get("depends_on", t.unit.Name)
		if edge == nil || edge.Is(false) || edge.Kind == values.Null {
			c.find(t.placeOf(edge, held), "unit %s does not depend on %s: it goes on before the images are pulled", t.unit.Holds, t.unit.Name)
		}
	}
}
