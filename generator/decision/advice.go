package decision

import (
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// rule is one piece of advice: what it finds in the values, with the place and what to do.
type rule struct {
	name string
	find func(c *Case, d *Decision) []finding
}

type finding struct {
	at   values.Position
	text string
}

func one(at values.Position, text string) []finding { return []finding{{at, text}} }

// rules are all of them, in the order of the report.
func rules() []rule {
	return []rule{
		{"assumed-values", notes},
		{"guards-overridden", guardsOverridden},
		{"chart-release", chartRelease},
		{"chart-broken", chartBroken},
		{"kube-rbac-proxy", rbacProxy},
		{"old-location", oldLocation},
		{"peer-field", peerFields},
		{"peer-asn", peerASNs},
		{"peer-address", peerAddresses},
		{"peer-multihop", peersMultihop},
		{"bfd-native", bfdNative},
		{"frr-k8s-key", frrK8sKey},
		{"frr-modes", frrModes},
		{"frr-k8s-external", frrK8sExternal},
		{"frr-k8s-scheduling", frrK8sScheduling},
		{"speaker-frr-image", speakerFRRImage},
		{"unquoted-tag", unquotedTags},
		{"image-digest", imageDigests},
		{"pull-secret", pullSecrets},
		{"short-timeout", shortTimeout},
		{"webhook", webhook},
	}
}

// advice are the warnings on the values. Those on MetalLB are given where it is enabled.
func (c *Case) advice(d *Decision) []Warning {
	var out []Warning
	for _, r := range rules() {
		for _, found := range r.find(c, d) {
			out = append(out, warning(r.name, found.at, found.text))
		}
	}
	return out
}

// metallbOn reports whether the advice on MetalLB applies.
func (c *Case) metallbOn() bool {
	if c.Unit.Holds != "metallb" {
		return false
	}
	verdict := c.Engine.Enabled(c.Unit.Holds)
	return verdict.Err != nil || verdict.On
}

// runsFRR reports whether frr-k8s runs after the upgrade.
func (c *Case) runsFRR(d *Decision) bool {
	return c.metallbOn() && len(c.Peers.List) > 0 && d.Backend.After == metallb.FRRK8s
}

func (c *Case) helm(path ...string) *values.Node { return metallb.HelmValue(c.Engine, path...) }

// given reports whether a value is there and not empty.
func given(n *values.Node) bool {
	switch {
	case n == nil || n.Kind == values.Null:
		return false
	case n.Kind == values.Map:
		return len(n.Fields) > 0
	case n.Kind == values.List:
		return len(n.Items) > 0
	}
	return n.Scalar != ""
}
