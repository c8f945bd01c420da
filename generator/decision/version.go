package decision

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// chartVersion is the version of the held unit's chart, with its place; empty where none is named.
type chartVersion struct {
	text string
	at   values.Position
	err  error
}

// chartVersion follows units.yaml: helmrelease_spec.chart.spec.version, else the one of helm_chart_versions that is true.
func (c *Case) chartVersion() chartVersion {
	if c.ChartVersion != "" {
		return chartVersion{text: c.ChartVersion, at: values.Position{File: "--metallb-chart-version"}}
	}
	node := c.Engine.Interpreted("units", c.Unit.Holds, "helmrelease_spec", "chart", "spec", "version")
	if node != nil && node.Kind != values.Null && node.Scalar != "" {
		text, err := imageText(node, []string{"units", c.Unit.Holds, "helmrelease_spec", "chart", "spec", "version"})
		return chartVersion{text: text, at: node.Where(), err: err}
	}
	return c.selectedVersion()
}

func (c *Case) selectedVersion() chartVersion {
	path := []string{"units", c.Unit.Holds, "helm_chart_versions"}
	versions := c.Engine.Interpreted(path...)
	if versions == nil || versions.Kind == values.Null {
		return chartVersion{}
	}
	if versions.Kind != values.Map || versions.Partial != "" {
		return chartVersion{err: &values.Error{At: versions.Where(), Path: path, Text: "cannot be known here: " + firstOf(versions.Why, versions.Partial, versions.Kind.String())}}
	}
	var found chartVersion
	for _, version := range versions.Keys() {
		enabled := versions.Fields[version]
		switch {
		case enabled.Kind == values.Unknown:
			return chartVersion{err: &values.Error{At: enabled.Where(), Path: append(path, version), Text: "cannot be known here: " + enabled.Why}}
		case enabled.Scalar == false || enabled.Scalar == "" || enabled.Kind == values.Null:
		case found.text != "":
			return chartVersion{err: &values.Error{At: enabled.Where(), Path: path, Text: fmt.Sprintf("both %s and %s are true: the chart takes exactly one", found.text, version)}}
		default:
			found = chartVersion{text: version, at: enabled.Where()}
		}
	}
	return found
}
