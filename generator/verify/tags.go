package verify

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// unquotedTag: Helm reads a number and prints it as Go does. A tag of the unit's own images is found whatever its number prints as; the
// others where it prints as another one (1.10 as 1.1, 20250612073634 as 2.0250612073634e+13).
func unquotedTag(c *checker) error {
	for _, object := range c.kustomizations {
		for _, each := range object.Node.Get("spec", "images").List() {
			c.tag(each.Get("newTag"), true)
		}
	}
	for _, object := range c.helmReleases {
		c.tags(object.Node.Get("spec", "values"), nil)
	}
	for _, node := range c.graph.OfUnit(c.unit.Holds) {
		for _, release := range patched(node.Object.Node.Get("spec", "patches")) {
			c.tags(release.Get("spec", "values"), nil)
		}
	}
	if c.tree == nil {
		return nil
	}
	for _, root := range c.tree.values {
		c.tags(root, nil)
	}
	for _, each := range c.tree.kustomization.Get("images").List() {
		c.tag(each.Get("newTag"), true)
	}
	return nil
}

// patched are the objects in the texts of patches, standing where the patches do: the sylva-units chart has the HelmRelease of a unit
// there (templates/units.yaml). What is no object, as a JSON patch, holds no values.
func patched(patches *values.Node) []*values.Node {
	var objects []*values.Node
	for _, each := range patches.List() {
		text := each.Get("patch")
		roots, err := values.ParseAll(text.Where().File, []byte(text.AsText()))
		if err != nil {
			continue
		}
		for _, root := range roots {
			objects = append(objects, placed(root, nil, text.Where()))
		}
	}
	return objects
}

// tags looks at all tags below n.
func (c *checker) tags(n *values.Node, path []string) {
	for _, key := range n.Keys() {
		field := n.Fields[key]
		switch key {
		case "tag", "newTag":
			c.tag(field, c.isOverride(path))
		}
		c.tags(field, append(path, key))
	}
	for _, item := range n.List() {
		c.tags(item, path)
	}
}

// isOverride reports whether the path of a map is where users set an image of the unit, in Sylva's values or in those of the chart.
func (c *checker) isOverride(path []string) bool {
	for _, slot := range c.unit.Images {
		if override := slot.OverridePath(); len(override) > 1 && (slices.Equal(path, override) || slices.Equal(path, override[1:])) {
			return true
		}
	}
	return false
}

// tag looks at one tag. strict finds every number.
func (c *checker) tag(n *values.Node, strict bool) {
	if n == nil || n.Kind == values.Null || n.Kind == values.Map || n.Kind == values.List {
		return
	}
	c.look(1)
	if n.Kind != values.Number && n.Kind != values.Bool {
		return
	}
	if printed := fmt.Sprint(n.Scalar); strict || printed != n.Text {
		c.find(n.Where(), "the tag %s is read as %s, which prints as %s: quote it (%q)", n.Text, n.Kind, strings.TrimSpace(printed), n.Text)
	}
}
