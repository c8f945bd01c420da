package decision

import (
	"fmt"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// refusals are the reasons for which the chart would not render these values at all, so that nothing can be said of one unit.
func (c *Case) refusals() []Warning {
	out := c.peersRefused()
	if verdict := c.Engine.Enabled(c.Unit.Holds); verdict.Err != nil || !verdict.On {
		return out
	}
	for _, path := range c.Unit.Checks {
		node := c.Engine.Interpreted(strings.Split(path, ".")...)
		if node != nil && node.Kind == values.Unknown && node.Fails {
			out = append(out, warning("chart-refuses", node.At, fmt.Sprintf("the chart refuses these values: %s: %s", path, node.Why)))
		}
	}
	return out
}

// peersRefused are the reasons that lie in the BGP peers.
func (c *Case) peersRefused() []Warning {
	var out []Warning
	if c.Unit.Holds != metallbUnit {
		return nil
	}
	if c.Peers.Shape != "" {
		out = append(out, warning("peers-shape", c.Peers.At, c.wrongShape()))
	}
	if absent := c.Peers.Absent; len(absent) > 0 && len(c.Peers.List) == 0 && !c.Set.Core {
		out = append(out, warning("peers-template", c.Peers.At, fmt.Sprintf("the peers are a template that reads %s, which is not among these values: give all layers, and sylva-core's with --core", strings.Join(absent, ", "))))
	}
	return out
}

// wrongShape says what stands in the way of the peers.
func (c *Case) wrongShape() string {
	text := fmt.Sprintf("%s is %s: ", c.Peers.ShapeOf, c.Peers.Shape)
	if c.Peers.ShapeOf == strings.Join(metallb.PeersPath(), ".") {
		text += "since Sylva 1.4 the peers are a map by name, and the chart refuses anything else"
	} else {
		text += "a map is due, and the chart refuses anything else"
	}
	if written, _ := c.Engine.Values().Deepest(metallb.PeersPath()...); gotpl.IsTemplate(written.Text) {
		text += `; a template makes text unless it ends in | include "preserve-type"`
	}
	return text
}
