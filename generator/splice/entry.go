package splice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entry is a key of a block mapping with its value: the lines from (counted from 0) up to, not with, to.
type entry struct {
	parent     *yaml.Node
	index      int // of the key in the parent's content
	key, value *yaml.Node
	from, to   int
	path       []string
}

// column is the number of characters in front of the key.
func (e entry) column() int { return e.key.Column - 1 }

// find walks a path of keys, and of numbers for the items of lists, as far as it goes: it returns the entries on the way, fewer than
// keys where one is missing. An error tells what on the way cannot be edited.
func (d *Document) find(path []string) ([]entry, error) {
	var way []entry
	node, limit := d.root, len(d.lines)
	if node == nil {
		return nil, nil
	}
	for i, key := range path {
		if err := d.editable(node, path[:i]); err != nil {
			return nil, err
		}
		if node.Kind == yaml.SequenceNode {
			item, err := strconv.Atoi(key)
			if err != nil || item < 0 || item >= len(node.Content) {
				return nil, d.failAt(node, path[:i], fmt.Sprintf("no item %s in the list", key))
			}
			if item+1 < len(node.Content) {
				limit = node.Content[item+1].Line - 1
			}
			node = node.Content[item]
			continue
		}
		at := keyIndex(node, key)
		if at < 0 {
			return way, nil
		}
		found, err := d.entry(node, at, limit, path[:i+1])
		if err != nil {
			return nil, err
		}
		way = append(way, found)
		node, limit = found.value, found.to
	}
	return way, nil
}

// keyIndex finds a key of a mapping; -1 where it is absent or the node is no mapping.
func keyIndex(node *yaml.Node, key string) int {
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		if node.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// editable refuses what a text edit could change elsewhere, or has no lines of its own.
func (d *Document) editable(node *yaml.Node, path []string) error {
	switch {
	case node.Kind == yaml.AliasNode:
		return d.failAt(node, path, fmt.Sprintf("an alias (*%s) is in the way: write the value out", node.Value))
	case node.Anchor != "":
		return d.failAt(node, path, fmt.Sprintf("an anchor (&%s) is in the way: an edit would change its aliases too", node.Anchor))
	case node.Style&yaml.FlowStyle != 0 && len(node.Content) > 0:
		return d.failAt(node, path, "a flow collection ({...} or [...]) is in the way: write it as a block, one entry a line")
	case node.Kind == yaml.MappingNode && slices.ContainsFunc(node.Content, func(n *yaml.Node) bool { return n.Tag == "!!merge" }):
		return d.failAt(node, path, "a merge key (<<) is in the way: write the keys out")
	}
	return nil
}

// entry finds the lines of a mapping's entry; limit is the line at which what holds the mapping ends.
func (d *Document) entry(parent *yaml.Node, index, limit int, path []string) (entry, error) {
	e := entry{parent: parent, index: index, key: parent.Content[index], value: parent.Content[index+1], path: path}
	e.from, e.to = e.key.Line-1, limit
	if index+2 < len(parent.Content) {
		e.to = parent.Content[index+2].Line - 1
	}
	column := e.column()
	if e.from >= len(d.lines) || e.to <= e.from || column > len(d.lines[e.from]) || strings.Trim(d.lines[e.from][:column], " -") != "" ||
		keyLength(d.lines[e.from][column:], e.key.Value) == 0 {
		return e, d.failAt(e.key, path, "the key does not begin a line of its own, as an edit of the text needs")
	}
	end := e.from + 1
	if kept := d.keptLines(e.value, column); kept > end {
		end = kept
	}
	for e.to > end && (blank(d.lines[e.to-1]) || comment(d.lines[e.to-1]) && indent(d.lines[e.to-1]) <= column) {
		e.to--
	}
	return e, nil
}

// keyLength is the length of a key as users write it, plain or quoted, with its colon, at the start of a text; 0 where the key is not there.
func keyLength(text, key string) int {
	for _, quote := range []string{"", "'", `"`} {
		rest, ok := strings.CutPrefix(text, quote+key+quote)
		if trimmed := strings.TrimLeft(rest, " "); ok && strings.HasPrefix(trimmed, ":") {
			return len(text) - len(trimmed) + 1
		}
	}
	return 0
}

// keeps reports whether the header of a block scalar (|+, >2+) keeps the blank lines at its end.
func keeps(header string) bool {
	return strings.ContainsAny(header[:1], "|>") && strings.HasPrefix(strings.TrimLeft(header[1:], "0123456789"), "+")
}

// keptLines is where the blank lines behind a block scalar end that keeps them (|+): they are part of its value.
func (d *Document) keptLines(value *yaml.Node, column int) int {
	for len(value.Content) > 0 {
		value = value.Content[len(value.Content)-1]
	}
	if value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 || value.Line > len(d.lines) {
		return 0
	}
	line := []rune(d.lines[value.Line-1])
	if value.Column < 1 || value.Column > len(line) || !keeps(string(line[value.Column-1:])) {
		return 0
	}
	end := value.Line
	for end < len(d.lines) && (blank(d.lines[end]) || indent(d.lines[end]) > column) {
		end++
	}
	if end == len(d.lines) { // what follows the last line end is no line
		end--
	}
	return end
}
