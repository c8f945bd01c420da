package unit

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Catalogue knows the images by the version of the held unit's chart, and the chart by the line of Sylva releases.
type Catalogue struct {
	Charts   []Chart `json:"charts"`
	Releases []Line  `json:"releases"`
}

// Chart is one version of the held unit's chart with the tag of each image.
type Chart struct {
	Version string            `json:"version"`
	Tags    map[string]string `json:"tags"` // by the slots' names
}

// Line is a line of Sylva releases.
type Line struct {
	Line  string `json:"line"` // 1.7
	Chart string `json:"chart"`
}

// decodeCatalogue reads a catalogue, in which all is text: a version or a tag that YAML reads as a number would lose its last zero.
func decodeCatalogue(units fs.FS, file string, into *Catalogue) error {
	data, err := fs.ReadFile(units, file)
	if err != nil {
		return err
	}
	root, err := values.Parse("units/"+file, data)
	if err != nil {
		return err
	}
	if err := unquoted(root, nil); err != nil {
		return err
	}
	return decode(units, file, into)
}

func unquoted(n *values.Node, at []string) error {
	if n.Kind == values.Number || n.Kind == values.Bool {
		return &values.Error{At: n.At, Path: at, Text: fmt.Sprintf("YAML reads %s as %s: quote it (%q)", n.Text, n.Kind, n.Text)}
	}
	for _, key := range n.Keys() {
		if err := unquoted(n.Fields[key], append(at, key)); err != nil {
			return err
		}
	}
	for i, item := range n.Items {
		if err := unquoted(item, append(at, fmt.Sprintf("[%d]", i))); err != nil {
			return err
		}
	}
	return nil
}

func (c Catalogue) check(d *Definition) error {
	for _, chart := range c.Charts {
		for _, slot := range d.Images {
			if chart.Tags[slot.Name] == "" {
				return fmt.Errorf("units/%s/images.yaml: chart %s has no tag for %s", d.Name, chart.Version, slot.Name)
			}
		}
	}
	for _, line := range c.Releases {
		if _, ok := c.Chart(line.Chart); !ok {
			return fmt.Errorf("units/%s/images.yaml: Sylva %s has chart %s, which is not in the list of charts", d.Name, line.Line, line.Chart)
		}
	}
	return nil
}

// Chart finds a version of the chart; v0.16.1 and 0.16.1 are the same.
func (c Catalogue) Chart(version string) (Chart, bool) {
	i := slices.IndexFunc(c.Charts, func(chart Chart) bool { return chart.Version == strings.TrimPrefix(version, "v") })
	if i < 0 {
		return Chart{}, false
	}
	return c.Charts[i], true
}

// ChartOf finds the chart of a line of Sylva releases.
func (c Catalogue) ChartOf(line string) (Chart, bool) {
	i := slices.IndexFunc(c.Releases, func(l Line) bool { return l.Line == line })
	if i < 0 {
		return Chart{}, false
	}
	return c.Chart(c.Releases[i].Chart)
}

// Versions are the known versions of the chart, for messages.
func (c Catalogue) Versions() string {
	var versions []string
	for _, chart := range c.Charts {
		versions = append(versions, chart.Version)
	}
	return strings.Join(versions, ", ")
}

// Lines are the known lines of Sylva releases, for messages.
func (c Catalogue) Lines() string {
	var lines []string
	for _, line := range c.Releases {
		lines = append(lines, line.Line)
	}
	return strings.Join(lines, ", ")
}
