package decision

import (
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// rule is one piece of advice: what it finds in the values, with the place and what to do.
type rule struct {
	name string
	find func(c *Case, d *Decision) []finding
	info bool // nothing to do about it
}

type finding struct {
	at   values.Position
	text string
}

func one(at values.Position, text string) []finding { return []finding{{at, text}} }

// rules are all of them, in the order of the report.
func rules() []rule {
	return []rule{
		{name: "assumed-values", find: notes},
		{name: "guards-overridden", find: guardsOverridden},
		{name: "chart-release", find: chartRelease},
		{name: "chart-overridden", find: chartOverridden},
		{name: "chart-broken", find: chartBroken},
		{name: "kube-rbac-proxy", find: rbacProxy},
		{name: "old-location", find: oldLocation},
		{name: "peers-template", find: peersTemplate},
		{name: "peer-field", find: peerFields},
		{name: "peer-asn", find: peerASNs},
		{name: "peer-address", find: peerAddresses},
		{name: "peer-multihop", find: peersMultihop},
		{name: "bfd-native", find: bfdNative},
		{name: "frr-k8s-key", find: frrK8sKey},
		{name: "frr-modes", find: frrModes},
		{name: "frr-k8s-external", find: frrK8sExternal},
		{name: "frr-k8s-scheduling", find: frrK8sScheduling},
		{name: "speaker-frr-image", find: speakerFRRImage},
		{name: "unquoted-tag", find: unquotedTags},
		{name: "image-overridden", find: imagesOverridden},
		{name: "image-digest", find: imageDigests},
		{name: "image-shell", find: imageShells},
		{name: "pull-secret", find: pullSecrets},
		{name: "short-timeout", find: shortTimeout},
		{name: "suspended", find: suspended},
		{name: "native-stays", find: nativeStays, info: true},
		{name: "webhook", find: webhook, info: true},
		{name: "priority-class", find: priorityClass, info: true},
	}
}

// advice are the warnings on the values. Those on MetalLB are given where it is enabled.
func (c *Case) advice(d *Decision) []Warning {
	var out []Warning
	for _, r := range rules() {
		for _, found := range r.find(c, d) {
			advice := warning(r.name, found.at, found.text)
			advice.Info = r.info
			out = append(out, advice)
		}
	}
	return out
}

// metallbUnit is the unit that the BGP guard, the backend and the advice on MetalLB are about.
const metallbUnit = "metallb"

// metallbOn reports whether the advice on MetalLB applies.
func (c *Case) metallbOn() bool {
	if c.Unit.Holds != metallbUnit {
		return false
	}
	verdict := c.Engine.Enabled(c.Unit.Holds)
	return verdict.Err != nil || verdict.On
}

// runsFRR reports whether frr-k8s runs after the upgrade.
func (c *Case) runsFRR(d *Decision) bool {
	return c.metallbOn() && len(c.Peers.List) > 0 && d.Backend.After == metallb.FRRK8s
}

// installsFRR reports whether the chart to come installs frr-k8s, with peers or without.
func (c *Case) installsFRR() bool {
	return c.metallbOn() && metallb.After(c.Engine, c.Peers, c.To, c.chartVersion().text) == metallb.FRRK8s
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
