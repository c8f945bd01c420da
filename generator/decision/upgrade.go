package decision

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// upgradePath is where Sylva keeps whether a release is an upgrade: a lookup in the cluster (values.yaml, _internal.state).
func upgradePath() []string { return []string{"_internal", "state", "is_upgrade"} }

// upgradeGiven is whether the flags say that this is an upgrade, and which; nil where they do not say.
func (c *Case) upgradeGiven() (*bool, string) {
	yes, no := true, false
	switch {
	case c.Upgrade != nil && *c.Upgrade:
		return &yes, "--upgrade"
	case c.Upgrade != nil:
		return &no, "--fresh"
	case !c.From.IsZero() && !c.To.IsZero():
		newer := c.From.Compare(c.To) < 0
		return &newer, "--from/--to"
	case !c.To.IsZero():
		return &no, "--to"
	}
	return nil, ""
}

func (c *Case) unknownUpgrade() *values.Node {
	node := c.Engine.Interpreted(upgradePath()...)
	if node != nil && node.Kind == values.Unknown {
		return node
	}
	return nil
}

// upgradeReason says why this is an upgrade or not.
func (c *Case) upgradeReason(guard *Guard) {
	node := c.Engine.Interpreted(upgradePath()...)
	guard.Source = c.upgradeFrom
	if guard.Source == "" && node != nil {
		guard.Source = node.At.String()
	}
	switch {
	case c.assumed["upgrade"] != "":
		guard.Reason, guard.Source = "assumed: "+c.assumed["upgrade"], "--assume"
	case guard.Result == "unknown":
		guard.Reason += "; say --from and --to, --upgrade or --fresh"
	case c.upgradeFrom == "--upgrade":
		guard.Reason = "said to be an upgrade"
	case c.upgradeFrom == "--fresh":
		guard.Reason = "said to be a fresh install"
	case c.upgradeFrom == "--to":
		guard.Reason = fmt.Sprintf("fresh install of %s: no release before it is given", c.To)
	case c.upgradeFrom != "":
		guard.Reason = fmt.Sprintf("%s -> %s is %s", c.From, c.To, orderText(c.From.Compare(c.To)))
	default:
		guard.Reason = "_internal.state.is_upgrade: " + guard.Result
	}
}

func orderText(order int) string {
	switch {
	case order < 0:
		return "an upgrade"
	case order > 0:
		return "a downgrade, no upgrade"
	}
	return "the same release, no upgrade"
}

func (c *Case) release(guards []Guard) Release {
	release := Release{From: c.From.String(), To: c.To.String()}
	if node := c.Engine.Interpreted(upgradePath()...); node != nil && node.Kind == values.Bool {
		release.Upgrade = Of(node.Scalar.(bool))
		return release
	}
	for _, guard := range guards {
		if guard.Name == "upgrade" && guard.Result != "unknown" {
			release.Upgrade = Of(guard.Result == "true")
		}
	}
	return release
}
