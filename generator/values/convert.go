package values

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// converter turns YAML nodes into values, one document a converter.
type converter struct {
	file    string
	path    []string
	anchors map[*yaml.Node]anchor
	copied  int // values that merge keys wrote out so far
}

// anchor is a converted anchored node. Aliases share it, so that a bomb of aliases costs nothing before it is counted.
type anchor struct {
	node *Node
	size int
	busy bool
}

func (c *converter) at(y *yaml.Node) Position {
	return Position{File: c.file, Line: y.Line, Column: y.Column}
}

func (c *converter) fail(y *yaml.Node, text string) error {
	return &Error{At: c.at(y), Path: slices.Clone(c.path), Text: text}
}

// node converts y and returns it with the number of nodes it stands for.
func (c *converter) node(y *yaml.Node, depth int) (*Node, int, error) {
	if depth > maxDepth {
		return nil, 0, c.fail(y, fmt.Sprintf("nested deeper than %d levels", maxDepth))
	}
	if y.Kind == yaml.AliasNode {
		return c.alias(y)
	}
	if y.Anchor != "" {
		c.anchors[y] = anchor{busy: true}
	}
	n, size, err := c.content(y, depth)
	if err != nil {
		return nil, 0, err
	}
	if size > maxNodes {
		return nil, 0, c.fail(y, fmt.Sprintf("over %d values once its aliases are written out", maxNodes))
	}
	if y.Anchor != "" {
		c.anchors[y] = anchor{node: n, size: size}
	}
	return n, size, nil
}

func (c *converter) alias(y *yaml.Node) (*Node, int, error) {
	a, ok := c.anchors[y.Alias]
	if !ok || a.busy {
		return nil, 0, c.fail(y, "an alias stands inside its own anchor")
	}
	twin := *a.node // its own place: an anchor may stand elsewhere
	return &twin, a.size, nil
}

func (c *converter) content(y *yaml.Node, depth int) (*Node, int, error) {
	switch y.Kind {
	case yaml.MappingNode:
		return c.mapping(y, depth)
	case yaml.SequenceNode:
		return c.sequence(y, depth)
	case yaml.ScalarNode:
		n, err := c.scalar(y)
		return n, 1, err
	}
	return nil, 0, c.fail(y, "not a value")
}

func (c *converter) sequence(y *yaml.Node, depth int) (*Node, int, error) {
	out := &Node{Kind: List, At: c.at(y), Items: make([]*Node, 0, len(y.Content))}
	size := 1
	for i, item := range y.Content {
		c.path = append(c.path, fmt.Sprintf("[%d]", i))
		n, s, err := c.node(item, depth+1)
		if err != nil {
			return nil, 0, err
		}
		c.path = c.path[:len(c.path)-1]
		out.Items = append(out.Items, n)
		size += s
	}
	return out, size, nil
}

func (c *converter) mapping(y *yaml.Node, depth int) (*Node, int, error) {
	out := &Node{Kind: Map, At: c.at(y), Fields: make(map[string]*Node, len(y.Content)/2)}
	merged := map[string]*Node{}
	size := 1
	for i := 0; i+1 < len(y.Content); i += 2 {
		keyNode, valueNode := y.Content[i], y.Content[i+1]
		if keyNode.Tag == "!!merge" && keyNode.Style == 0 {
			s, err := c.merge(merged, out.Fields, keyNode, valueNode, depth)
			if err != nil {
				return nil, 0, err
			}
			size += s
			continue
		}
		key, err := c.key(keyNode)
		if err != nil {
			return nil, 0, err
		}
		c.path = append(c.path, key)
		if twin, ok := out.Fields[key]; ok {
			return nil, 0, c.fail(keyNode, fmt.Sprintf(
				"the key stands twice, first at line %d: one of the two values would be lost",
				twin.KeyAt.Line))
		}
		n, s, err := c.node(valueNode, depth+1)
		if err != nil {
			return nil, 0, err
		}
		c.path = c.path[:len(c.path)-1]
		n.KeyAt = c.at(keyNode)
		out.Fields[key] = n
		size += s
	}
	for key, n := range merged {
		if _, ok := out.Fields[key]; !ok {
			out.Fields[key] = n
		}
	}
	return out, size, nil
}

// merge adds the maps of a merge key (<<) to into. The first of several wins, as in YAML's merge type. above are the keys before it.
func (c *converter) merge(into, above map[string]*Node, key, y *yaml.Node, depth int) (int, error) {
	n, size, err := c.node(y, depth+1)
	if err != nil {
		return 0, err
	}
	sources := []*Node{n}
	if n.Kind == List {
		sources = n.Items
	}
	for _, source := range slices.Backward(sources) {
		if source.Kind != Map {
			return 0, c.fail(y, fmt.Sprintf("the merge key << takes maps, not %s", source.Kind))
		}
		if c.copied += len(source.Fields); c.copied > maxMerge {
			return 0, c.fail(y, fmt.Sprintf("over %d values once its merge keys are written out", maxMerge))
		}
		for _, name := range (&Node{Fields: above}).Keys() {
			if source.Fields[name] != nil {
				return 0, c.fail(key, fmt.Sprintf(
					"the merge key also sets %s, which stands at line %d: Helm lets a merge key win over what is above it; write << first",
					name, above[name].KeyAt.Line))
			}
		}
		maps.Copy(into, source.Fields)
	}
	return size, nil
}

// key is the string that Helm makes of a key: 1.29 and true are keys like any other.
func (c *converter) key(y *yaml.Node) (string, error) {
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	if y.Kind != yaml.ScalarNode {
		text := fmt.Sprintf("a key that is %s", map[yaml.Kind]string{yaml.MappingNode: "a map", yaml.SequenceNode: "a list"}[y.Kind])
		if y.Kind == yaml.MappingNode && y.Style&yaml.FlowStyle != 0 {
			text = "an unquoted template, which YAML reads as a map: write '{{ ... }}' with quotes"
		}
		return "", c.fail(y, text)
	}
	plain := y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) == 0
	switch {
	case y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!str":
		return "", c.fail(y, fmt.Sprintf("a key with the tag %s: write it without, in quotes", y.Tag))
	case plain && strings.ContainsFunc(y.Value, invisible):
		return "", c.fail(y, fmt.Sprintf("the key %+q holds an invisible character: it is not the key that it looks like", y.Value))
	case !plain || !mayBeTyped(y.Value):
		return y.Value, nil
	}
	key, err := helmKey(y.Value)
	if err != nil {
		return "", c.fail(y, err.Error())
	}
	return key, nil
}

// invisible reports whether a character shows nothing: a byte order mark inside a file, a no-break space, marks of direction.
func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || r != ' ' && unicode.Is(unicode.Zs, r)
}
