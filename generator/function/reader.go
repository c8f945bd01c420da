package function

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Problem is what is wrong with a field of the functionConfig.
type Problem struct {
	At         values.Position
	Path, Text string
}

// reader reads the fields of a functionConfig and collects what is wrong with them.
type reader struct {
	definition *unit.Definition
	problems   []Problem
}

func (r *reader) problem(node *values.Node, path, text string) {
	r.problems = append(r.problems, Problem{At: node.Where(), Path: path, Text: text})
}

// known refuses the fields of a map that are none of the names.
func (r *reader) known(node *values.Node, path string, names ...string) {
	if node == nil || node.Kind == values.Null {
		return
	}
	if node.Kind != values.Map {
		r.problem(node, path, node.Kind.String()+", where a map is due")
		return
	}
	for _, key := range node.Keys() {
		if !slices.Contains(names, key) {
			r.problem(node.Fields[key], strings.TrimPrefix(path+"."+key, "."), "unknown field; known are "+strings.Join(names, ", "))
		}
	}
}

// text reads a string; "" where there is none.
func (r *reader) text(node *values.Node, path string) string {
	switch {
	case node == nil || node.Kind == values.Null:
		return ""
	case node.Kind != values.String:
		r.problem(node, path, node.Kind.String()+", where a text is due")
		return ""
	}
	return node.Text
}

// version reads a version. One that YAML takes for a number is refused: "kustomize build" makes 1.1 of 1.10 before a function sees it.
func (r *reader) version(node *values.Node, path string) string {
	if node != nil && node.Kind == values.Number {
		r.problem(node, path, fmt.Sprintf("YAML reads %s as a number, and 1.10 would be 1.1: quote it (\"%s\")", node.Text, node.Text))
		return ""
	}
	return r.text(node, path)
}

func (r *reader) boolean(node *values.Node, path string) *bool {
	if node == nil || node.Kind == values.Null {
		return nil
	}
	result, ok := node.Scalar.(bool)
	if !ok {
		if node.Text != "true" && node.Text != "false" || !r.fromText(node) {
			r.problem(node, path, node.Kind.String()+", where true or false is due")
			return nil
		}
		result = node.Text == "true"
	}
	return &result
}

// fromText reports whether a node comes from the data of a ConfigMap, which holds texts alone.
func (r *reader) fromText(node *values.Node) bool { return node.Why == asText }

// asText marks the nodes of a ConfigMap's data.
const asText = "data of a ConfigMap"

func (r *reader) choice(node *values.Node, path string, words []string) string {
	text := r.text(node, path)
	if text != "" && !slices.Contains(words, text) {
		r.problem(node, path, fmt.Sprintf("%q is none of %s", text, strings.Join(words, ", ")))
		return ""
	}
	return text
}

func (r *reader) list(node *values.Node, path string) []*values.Node {
	if node == nil || node.Kind == values.Null {
		return nil
	}
	if node.Kind != values.List {
		r.problem(node, path, node.Kind.String()+", where a list is due")
		return nil
	}
	return node.Items
}

func (r *reader) names(node *values.Node, path string) []string {
	if node != nil && node.Kind != values.Null && node.Kind != values.Map {
		r.problem(node, path, node.Kind.String()+", where a map is due")
	}
	return node.Keys()
}
