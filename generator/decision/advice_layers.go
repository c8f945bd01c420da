package decision

import (
	"fmt"
	"maps"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// notes are what the layers left open.
func notes(c *Case, _ *Decision) []finding {
	var out []finding
	for _, note := range c.Set.Notes {
		out = append(out, finding{text: note})
	}
	return out
}

// guardsOverridden: a list in a higher layer replaces the unit's conditions, so that the guards no longer decide.
func guardsOverridden(c *Case, _ *Decision) []finding {
	list := c.Engine.Values().Get("units", c.Unit.Name, "enabled_conditions")
	if list == nil {
		return one(values.Position{}, "the unit's enabled_conditions are taken away: its guards do not decide")
	}
	texts := c.Unit.Conditions()
	same := len(list.Items) == len(texts)
	for i := 0; same && i < len(texts); i++ {
		same = list.Items[i].Text == texts[i]
	}
	if same {
		return nil
	}
	return one(list.Where(), fmt.Sprintf("the unit's enabled_conditions are replaced here: the guards above are not what decides (%s)", c.Engine.Enabled(c.Unit.Name).Why))
}

// chartRelease: the values name another chart than the release is known to have.
func chartRelease(c *Case, _ *Decision) []finding {
	version := c.chartVersion()
	if version.text == "" || c.To.IsZero() || c.ChartVersion != "" {
		return nil
	}
	chart, ok := c.Unit.Catalogue.ChartOf(c.To.Line())
	if !ok || chart.Version == version.text {
		return nil
	}
	return one(version.at, fmt.Sprintf("Sylva %s has %s chart %s, and these values have %s: check out the sylva-core of the release to come", c.To.Line(), c.Unit.Holds, chart.Version, version.text))
}

// chartOverridden: the manifests of a checkout have the tags of its own version of the chart, and no value passes others on to them.
func chartOverridden(c *Case, d *Decision) []finding {
	path := []string{"units", c.Unit.Holds, "helmrelease_spec", "chart", "spec", "version"}
	mine, theirs := c.Set.User.Get(path...), c.Set.Defaults.Get(path...)
	if !c.Set.Core || d.Active == False || mine == nil || mine.Kind == values.Null || theirs == nil || mine.Text == theirs.Text {
		return nil
	}
	own, known := c.Unit.Catalogue.Chart(theirs.Text)
	if set, ok := c.Unit.Catalogue.Chart(mine.Text); known && ok && maps.Equal(own.Tags, set.Tags) {
		return nil
	}
	return one(mine.Where(), fmt.Sprintf("%s chart %s replaces sylva-core's own %s, whose tags are in the manifests of its unit %s: set the tags in the values too, or generate with --metallb-chart-version %s",
		c.Unit.Holds, mine.Text, theirs.Text, c.Unit.Name, mine.Text))
}

// chartBroken: metallb pull request 3058.
func chartBroken(c *Case, _ *Decision) []finding {
	if version := c.chartVersion(); c.metallbOn() && version.text == "0.16.0" {
		return one(version.at, "metallb chart 0.16.0 does not render frr-k8s mode with its defaults (nil prometheus): use 0.16.1")
	}
	return nil
}

// rbacProxy: up to chart 0.15.3 a third image runs beside frr-k8s, and it has no shell to hold it with.
func rbacProxy(c *Case, d *Decision) []finding {
	version := c.chartVersion()
	if !c.runsFRR(d) || version.text == "" || !metallb.HasRBACProxy(version.text) {
		return nil
	}
	return one(version.at, fmt.Sprintf("metallb chart %s also runs kube-rbac-proxy beside frr-k8s: it has no shell, so that this unit cannot hold it", version.text))
}

// suspended: Flux does not reconcile a suspended Kustomization, and one that never was is never ready.
func suspended(c *Case, d *Decision) []finding {
	for _, path := range [][]string{{"suspend"}, {"kustomization_spec", "suspend"}} {
		node := c.Engine.Interpreted(append([]string{"units", c.Unit.Name}, path...)...)
		if d.Active != False && node != nil && node.Kind != values.Unknown && given(node) && node.Scalar != false {
			return one(node.Where(), fmt.Sprintf("the unit is suspended: nothing is pulled, and %s waits until it is resumed", c.Unit.Holds))
		}
	}
	return nil
}

// shortTimeout: Sylva's default of 30s, or anything below five minutes, gives up before a slow node has pulled.
func shortTimeout(c *Case, _ *Decision) []finding {
	timeout := c.Engine.Interpreted("units", c.Unit.Name, "kustomization_spec", "timeout")
	if timeout == nil || timeout.Kind != values.String {
		return nil
	}
	duration, err := time.ParseDuration(timeout.Text)
	switch {
	case err != nil:
		return one(timeout.Where(), fmt.Sprintf("the timeout %q is no duration: write 10m", timeout.Text))
	case duration < unit.ShortestTimeout:
		return one(timeout.Where(), fmt.Sprintf("the timeout %s is short for a pull on a slow disk or link: use 5m or more", timeout.Text))
	}
	return nil
}

// priorityClass: an admission configuration may keep the system-* classes to namespaces with a quota for them (kubernetes issue 76308).
func priorityClass(_ *Case, d *Decision) []finding {
	if d.Active == False {
		return nil
	}
	return one(values.Position{}, "for information: the pods have the priority class system-cluster-critical; a cluster that limits that class to kube-system needs a ResourceQuota for it in the namespace of this unit (scopeSelector: PriorityClass)")
}
