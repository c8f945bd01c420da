package metallb

import (
	"fmt"

	"github.com/Masterminds/semver/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// The BGP backends of MetalLB.
const (
	None    = "none" // no BGP
	Native  = "native"
	FRR     = "frr" // FRR in the speaker's pod
	FRRK8s  = "frr-k8s"
	Unknown = "unknown"
)

// Backend is the BGP backend before and after, with the case of the upgrade: 1 and 2 are Sylva 1.6 without and with BFD or route
// learning, 3 and 4 the same for 1.7.
type Backend struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Case   string `json:"case"` // 1->3; empty where a release is not known or there is no BGP
}

// HelmValue is a value of the metallb chart as the user gives it (metallb_helm_values); nil where it is not given.
func HelmValue(e *chart.Engine, path ...string) *values.Node {
	return e.Interpreted(append([]string{"metallb_helm_values"}, path...)...)
}

// Backends tells the backend of both releases; a zero release is one that is not known, and fresh says that there is none before.
// chartVersion, where known, tells the backend after an upgrade to a release that is not.
func Backends(e *chart.Engine, peers Peers, from, to release.Release, fresh bool, chartVersion string) Backend {
	if peers.Unknown != "" || peers.Shape != "" {
		return Backend{Before: Unknown, After: Unknown}
	}
	if len(peers.List) == 0 {
		return Backend{Before: None, After: None}
	}
	backend := Backend{Before: at(e, peers, from), After: After(e, peers, to, chartVersion)}
	if fresh {
		backend.Before = None
	}
	if !from.IsZero() && !to.IsZero() && !fresh {
		backend.Case = fmt.Sprintf("%d->%d", number(peers, from), number(peers, to))
	}
	return backend
}

// After is the backend that the chart of a release would install, whether there are peers to use it or not.
func After(e *chart.Engine, peers Peers, to release.Release, chartVersion string) string {
	backend := at(e, peers, to)
	if backend == Unknown && to.IsZero() {
		return ofChart(peers, chartVersion)
	}
	return backend
}

// ofChart is the backend by the chart's own defaults: frrk8s.enabled is true since metallb 0.16.0.
func ofChart(peers Peers, version string) string {
	v, err := semver.NewVersion(version)
	switch {
	case err != nil:
		return Unknown
	case peers.NeedFRR() || !v.LessThan(semver.New(0, 16, 0, "0", "")):
		return FRRK8s
	}
	return Native
}

func number(peers Peers, r release.Release) int {
	n := 1
	if peers.NeedFRR() {
		n++
	}
	if r.AtLeast(1, 7) {
		n += 2
	}
	return n
}

// at is the backend of a release: what the values say, else what Sylva does by itself.
func at(e *chart.Engine, peers Peers, r release.Release) string {
	switch enabled := HelmValue(e, "frrk8s", "enabled"); {
	case enabled == nil || enabled.Kind == values.Null:
	case enabled.Kind == values.Unknown:
		return Unknown
	case is(enabled, true):
		return FRRK8s
	case is(HelmValue(e, "speaker", "frr", "enabled"), true):
		return FRR
	default:
		return Native
	}
	switch {
	case r.IsZero():
		return Unknown
	case r.AtLeast(1, 7) || peers.NeedFRR():
		return FRRK8s
	}
	return Native
}

// is reports whether a node is a boolean, or the string that a template makes of one.
func is(n *values.Node, want bool) bool {
	return n != nil && (n.Scalar == want || n.Scalar == fmt.Sprint(want))
}

// Is reports whether a value of the metallb chart is given as a boolean.
func Is(e *chart.Engine, want bool, path ...string) bool { return is(HelmValue(e, path...), want) }
