package metallb

import (
	"github.com/Masterminds/semver/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// CanShareNode reports whether a node may match both peers. Peers are known to be apart only where every pair of their selectors asks
// one label for different values.
func CanShareNode(a, b Peer) bool {
	if !set(a.Selectors) || !set(b.Selectors) || a.Selectors.Kind != values.List || b.Selectors.Kind != values.List {
		return true
	}
	for _, x := range a.Selectors.Items {
		for _, y := range b.Selectors.Items {
			if !apart(x.Get("matchLabels"), y.Get("matchLabels")) {
				return true
			}
		}
	}
	return false
}

func apart(a, b *values.Node) bool {
	if a == nil {
		return false
	}
	for label, one := range a.Fields {
		if other := b.Get(label); other != nil && one.Kind == values.String && other.Kind == values.String && one.Text != other.Text {
			return true
		}
	}
	return false
}

// HasRBACProxy reports whether a version of the metallb chart runs kube-rbac-proxy beside frr-k8s: up to 0.15.3.
func HasRBACProxy(version string) bool {
	v, err := semver.NewVersion(version)
	return err == nil && v.LessThan(semver.New(0, 16, 0, "0", ""))
}
