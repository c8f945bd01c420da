package function

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/Masterminds/semver/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func (r *reader) upgrade(node *values.Node, path string, c *Config) {
	c.Upgrade = r.boolean(node, path)
}

// releases reads both releases.
func (r *reader) releases(from, to *values.Node, path string, c *Config) {
	c.From, c.To = r.release(from, path+"from", c.Upgrade != nil), r.release(to, path+"to", c.Upgrade != nil)
	if !c.From.IsZero() && to == nil && c.Upgrade == nil {
		r.problem(from, path+"from", "it needs "+path+"to: the release to come")
	}
}

func (r *reader) release(node *values.Node, path string, unordered bool) release.Release {
	text := r.version(node, path)
	if text == "" {
		return release.Release{}
	}
	parsed, err := release.Parse(text)
	switch {
	case err != nil && unordered:
		return release.Unordered(text) // said outright
	case err != nil:
		r.problem(node, path, fieldNames().Replace(err.Error()))
	}
	return parsed
}

func (r *reader) revision(node *values.Node, path string, c *Config) {
	if node == nil || node.Kind == values.Null {
		return
	}
	if !regexp.MustCompile(`^[1-9]\d{0,8}$`).MatchString(node.Text) {
		r.problem(node, path, "a whole number from 1 is due")
		return
	}
	_, _ = fmt.Sscan(node.Text, &c.Revision) // it is a number
}

func (r *reader) assume(node *values.Node, guard, path string, c *Config) {
	if !slices.Contains(r.definition.Guards, guard) {
		r.problem(node, path, fmt.Sprintf("no such guard: there is %v", r.definition.Guards))
		return
	}
	if result := r.boolean(node, path); result != nil {
		if c.Assume == nil {
			c.Assume = map[string]bool{}
		}
		c.Assume[guard] = *result
	}
}

func (r *reader) image(node *values.Node, name, path string, c *Config) {
	if !slices.ContainsFunc(r.definition.Images, func(slot unit.Slot) bool { return slot.Name == name }) {
		r.problem(node, path, "no image of "+r.definition.Name)
		return
	}
	ref, err := image.Parse(r.text(node, path))
	if err != nil {
		r.problem(node, path, err.Error())
		return
	}
	if c.Images == nil {
		c.Images = map[string]image.Ref{}
	}
	c.Images[name] = ref
}

// flux reads the version of Flux: a dependency has a readyExpr since 2.7.
func (r *reader) flux(node *values.Node, path string, c *Config) {
	text := r.version(node, path)
	if text == "" {
		return
	}
	version, err := semver.NewVersion(text)
	if err != nil {
		r.problem(node, path, fmt.Sprintf("%q is no version of Flux (2.5.1, v2.7)", text))
		return
	}
	c.ReadyExpr = version.Major() > 2 || version.Major() == 2 && version.Minor() >= 7
}
