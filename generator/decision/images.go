package decision

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// Resolved is a slot's image: as the manifests hold it, and as it is pulled once a user's override is applied to it.
type Resolved struct {
	Slot            unit.Slot
	Default, Pulled image.Ref
	Source          string // of what is pulled
	Given           bool   // the default is given with the question (--image, -w), and no manifest in a repository need have it
}

// pull fills in the images of a decision. An inactive unit pulls none.
func (c *Case) pull(d *Decision) {
	if d.Active == False {
		return
	}
	for _, slot := range c.Unit.Images {
		resolved, err := c.Resolve(slot)
		if err != nil {
			found := Warning{Rule: "image", Text: err.Error()}
			if e, ok := err.(*values.Error); ok {
				found = warning("image", e.At, strings.TrimPrefix(e.Error(), e.At.String()+": "))
			}
			if !slices.Contains(d.Errors, found) { // one cause may hide every image
				d.Errors = append(d.Errors, found)
			}
			continue
		}
		img := Image{Name: slot.Name, Image: resolved.Pulled.String(), Source: resolved.Source}
		img.Previous, img.Change = c.previous(resolved, d.Backend)
		d.Images = append(d.Images, img)
	}
}

// Resolve finds the image of a slot: the default by --image, the workload to come, the chart's version or the Sylva release, and over it
// the override of the values.
func (c *Case) Resolve(slot unit.Slot) (Resolved, error) {
	repository, tag, at, err := c.override(slot)
	if err != nil {
		return Resolved{}, err
	}
	_, given := c.Images[slot.Name]
	resolved := Resolved{Slot: slot, Given: given || len(c.Workload) > 0}
	resolved.Default, resolved.Source, err = c.defaultImage(slot)
	if err != nil {
		if repository == "" || tag == "" {
			return resolved, err
		}
		resolved.Default, err = image.Parse(slot.Image + ":" + tag)
		if err != nil {
			return resolved, err
		}
	}
	resolved.Pulled = resolved.Default
	if repository == "" && tag == "" {
		return resolved, nil
	}
	resolved.Source = at.String()
	text := firstOf(repository, resolved.Default.Repository) + ":" + firstOf(tag, resolved.Default.Tag)
	if resolved.Pulled, err = image.Parse(text); err != nil {
		return resolved, &values.Error{At: at, Path: slot.OverridePath(), Text: err.Error()}
	}
	return resolved, nil
}

// override reads repository and tag that the user gives a slot in the values.
func (c *Case) override(slot unit.Slot) (repository, tag string, at values.Position, err error) {
	if slot.Override == "" {
		return "", "", at, nil
	}
	for _, field := range []struct {
		key  string
		into *string
	}{{"repository", &repository}, {"tag", &tag}} {
		path := append(slot.OverridePath(), field.key)
		node := c.Engine.Interpreted(path...)
		if node == nil || node.Kind == values.Null {
			continue
		}
		text, err := imageText(node, path)
		if err != nil {
			return "", "", at, err
		}
		if text != "" {
			*field.into, at = text, node.Where()
		}
	}
	return repository, tag, at, nil
}

// imageText is a part of an image reference. A tag that YAML reads as a number is refused: Helm would print another one.
func imageText(node *values.Node, path []string) (string, error) {
	switch node.Kind {
	case values.String:
		return node.Scalar.(string), nil
	case values.Unknown:
		return "", &values.Error{At: node.Where(), Path: path, Text: "cannot be known here: " + node.Why}
	case values.Number, values.Bool:
		return "", &values.Error{At: node.Where(), Path: path, Text: fmt.Sprintf("YAML reads %s as %s, and Helm would print %v: quote it (%q)", node.Text, node.Kind, node.Scalar, node.Text)}
	}
	return "", &values.Error{At: node.Where(), Path: path, Text: fmt.Sprintf("%s where a string is due", node.Kind)}
}

// defaultImage is the image without the override of the values, and where it is from.
func (c *Case) defaultImage(slot unit.Slot) (image.Ref, string, error) {
	if ref, ok := c.Images[slot.Name]; ok {
		return ref, "--image", nil
	}
	if len(c.Workload) > 0 {
		return c.fromWorkload(slot)
	}
	chart, source, err := c.catalogued()
	if err != nil {
		return image.Ref{}, "", err
	}
	ref, err := image.Parse(slot.Image + ":" + chart.Tags[slot.Name])
	return ref, source, err
}

// fromWorkload finds a slot's image in the manifests of the release to come, by its container.
func (c *Case) fromWorkload(slot unit.Slot) (image.Ref, string, error) {
	var names []string
	for _, each := range c.Unit.Images {
		names = append(names, each.Container)
	}
	pods, err := workload.DaemonSetWith(c.Workload, names)
	if err != nil {
		return image.Ref{}, "", fmt.Errorf("the workload (-w): %w", err)
	}
	for _, container := range pods.Containers {
		if container.Name == slot.Container && !container.Init {
			ref, err := image.Parse(container.Image)
			return ref, container.At.String(), err
		}
	}
	return image.Ref{}, "", fmt.Errorf("the workload (-w): no container %s", slot.Container)
}

// catalogued is the catalogue's entry for the chart that the values name, else for the Sylva release.
func (c *Case) catalogued() (unit.Chart, string, error) {
	const give = "give the images with --image NAME=REF, the chart with --metallb-chart-version, or the rendered chart with -w"
	version := c.chartVersion()
	switch {
	case version.err != nil:
		return unit.Chart{}, "", version.err
	case version.text != "":
		chart, ok := c.Unit.Catalogue.Chart(version.text)
		if !ok {
			return unit.Chart{}, "", &values.Error{At: version.at, Text: fmt.Sprintf("%s chart %s is not in the catalogue (%s): %s", c.Unit.Holds, version.text, c.Unit.Catalogue.Versions(), give)}
		}
		return chart, fmt.Sprintf("%s chart %s", c.Unit.Holds, chart.Version), nil
	case c.To.IsZero():
		return unit.Chart{}, "", fmt.Errorf("the images cannot be told: neither the values name a version of the %s chart, nor is a release given (--to); %s", c.Unit.Holds, give)
	}
	chart, ok := c.Unit.Catalogue.ChartOf(c.To.Line())
	if !ok {
		return unit.Chart{}, "", fmt.Errorf("the images of Sylva %s are not in the catalogue (%s): %s", c.To, c.Unit.Catalogue.Lines(), give)
	}
	return chart, fmt.Sprintf("Sylva %s: %s chart %s", c.To.Line(), c.Unit.Holds, chart.Version), nil
}

// previous is the image that runs before, and how the pulled one differs from it.
func (c *Case) previous(resolved Resolved, backend metallb.Backend) (string, string) {
	switch runs := c.runsBefore(backend); {
	case runs == False:
		return "", New
	case runs == Unknown || c.From.IsZero():
		return "", Unclear
	}
	chart, ok := c.Unit.Catalogue.ChartOf(c.From.Line())
	if !ok {
		return "", Unclear
	}
	before := resolved.Pulled.Repository + ":" + chart.Tags[resolved.Slot.Name]
	if ref, err := image.Parse(before); err != nil || !ref.Same(resolved.Pulled) {
		return before, Bump
	}
	return before, Same
}

// runsBefore reports whether the release before runs these images at all: those of MetalLB where its backend is frr-k8s.
func (c *Case) runsBefore(backend metallb.Backend) Tri {
	switch {
	case c.Unit.Holds != metallbUnit || backend.Before == metallb.FRRK8s:
		return True
	case backend.Before == metallb.Unknown:
		return Unknown
	}
	return False
}
