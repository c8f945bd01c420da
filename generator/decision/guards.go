package decision

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// guards evaluates the unit's enabled conditions one by one: the very strings that the generator writes.
func (c *Case) guards() []Guard {
	var guards []Guard
	conditions := c.Unit.Values.Get("units", c.Unit.Name, "enabled_conditions").Items
	for i, name := range c.Unit.Guards {
		guard := Guard{Name: name, Source: conditions[i].At.String()}
		on, assumed, err := c.Engine.Condition(conditions[i])
		switch {
		case err != nil:
			guard.Result, guard.Reason = "unknown", err.Error()
		default:
			guard.Result = Of(on).String()
		}
		switch name {
		case c.Unit.Holds:
			c.unitReason(&guard)
		case "upgrade":
			c.upgradeReason(&guard)
		case "bgp":
			c.peersReason(&guard)
		default:
			guard.Reason = firstOf(guard.Reason, "the condition is "+guard.Result)
		}
		if assumed && guard.Source != "--assume" {
			guard.Reason, guard.Source = "assumed: it cannot be decided from these values", "--assume"
		}
		guards = append(guards, guard)
	}
	return guards
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// unitReason says why the held unit is enabled or not.
func (c *Case) unitReason(guard *Guard) {
	verdict := c.Engine.Enabled(c.Unit.Holds)
	if at := verdict.At.String(); at != "" {
		guard.Source = at
	}
	switch {
	case verdict.Assumed:
		guard.Source = "--assume"
		guard.Reason = "assumed: it cannot be decided from these values"
	case verdict.Err != nil:
		guard.Reason = verdict.Err.Error()
	case verdict.On && !c.Set.Core && verdict.Why == "units_enabled_default: true":
		guard.Source = ""
		guard.Reason = "assumed: no sylva-core values given"
	case verdict.On:
		guard.Reason = fmt.Sprintf("unit %s is enabled (%s)", c.Unit.Holds, verdict.Why)
		if def := c.Engine.Values().Get("units", c.Unit.Holds); def != nil && def.Get("enabled") == nil {
			guard.Source = def.Where().String()
		}
	default:
		guard.Reason = fmt.Sprintf("unit %s is off: %s", c.Unit.Holds, verdict.Why)
	}
}

// peersReason names the BGP peers that decide.
func (c *Case) peersReason(guard *Guard) {
	if at := c.Peers.At.String(); at != "" {
		guard.Source = at
	}
	switch disabled := metallb.HelmValue(c.Engine, "frrk8s", "enabled"); {
	case c.Peers.Shape != "":
		guard.Result, guard.Reason = "unknown", fmt.Sprintf("%s is %s", c.Peers.ShapeOf, c.Peers.Shape)
	case guard.Result == "unknown":
		guard.Reason = firstOf(c.Peers.Unknown, guard.Reason)
	case guard.Result == "false" && len(c.Peers.List) > 0 && disabled != nil:
		guard.Reason = fmt.Sprintf("%s, but metallb_helm_values.frrk8s.enabled is false: native BGP stays, nothing new to pull", c.Peers)
		guard.Source = disabled.Where().String()
	default:
		guard.Reason = c.Peers.String()
		if len(c.Peers.List) == 0 {
			c.nothingThere(guard)
		}
	}
}

// nothingThere says which key of the way to the peers is absent or null.
func (c *Case) nothingThere(guard *Guard) {
	deepest, n := c.Engine.Values().Deepest(metallb.PeersPath()...)
	switch {
	case n == 0:
		guard.Source = ""
		guard.Reason += ": the values have no " + metallb.PeersPath()[0]
	case n < len(metallb.PeersPath()) && deepest.Kind == values.Null:
		guard.Reason += fmt.Sprintf(": %s is null", metallb.PeersPath()[n-1])
	case n < len(metallb.PeersPath()) && deepest.Kind == values.Map:
		guard.Reason += fmt.Sprintf(": %s has no %s", metallb.PeersPath()[n-1], metallb.PeersPath()[n])
	case n == len(metallb.PeersPath()) && deepest.Kind == values.Null:
		guard.Reason += ": bgp_peers is null"
	case n == len(metallb.PeersPath()) && len(deepest.Fields) == 0:
		guard.Reason += ": bgp_peers is empty"
	case n == len(metallb.PeersPath()):
		guard.Reason += ": every peer is null"
	}
}

// checkAssumptions refuses an assumption about what the values decide otherwise: an assumption is no override.
func (c *Case) checkAssumptions(guards []Guard) error {
	for _, guard := range guards {
		assumed, ok := c.Assume[guard.Name]
		if ok && guard.Source != "--assume" && guard.Result != Of(assumed).String() && guard.Result != "unknown" {
			return fmt.Errorf("--assume %s=%v: it is decided, and %s: %s (%s)", guard.Name, assumed, guard.Result, guard.Reason, guard.Source)
		}
	}
	return nil
}
