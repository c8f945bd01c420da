package decision

import (
	"fmt"
	"strings"

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
		out = append(out, warning("peers-shape", c.Peers.At, fmt.Sprintf("%s is %s: since Sylva 1.4 the peers are a map by name, and the chart refuses anything else", strings.Join(metallb.PeersPath, "."), c.Peers.Shape)))
	}
	if absent := c.Peers.Absent; len(absent) > 0 && len(c.Peers.List) == 0 && !c.Set.Core {
		out = append(out, warning("peers-template", c.Peers.At, fmt.Sprintf("the peers are a template that reads %s, which is not among these values: give all layers, and sylva-core's with --core", strings.Join(absent, ", "))))
	}
	return out
}
