package splice

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Entry is the text of the entry at a path, its key in the first column; empty where there is none.
func (d *Document) Entry(path ...string) ([]string, error) {
	way, err := d.find(path)
	if err != nil || !whole(way, path) {
		return nil, err
	}
	e := way[len(way)-1]
	lines := []string{d.lines[e.from][e.column():]}
	for _, line := range d.lines[e.from+1 : e.to] {
		lines = append(lines, line[min(e.column(), indent(line)):])
	}
	return lines, nil
}

func whole(way []entry, path []string) bool {
	return len(way) > 0 && len(way[len(way)-1].path) == len(path)
}

// Set has the entry at a path be the text, whose first line is the key in the first column. What is there is replaced in place; what is
// not there goes behind the first of the siblings that exists, else to the end of the mapping. Missing mappings on the way are made.
func (d *Document) Set(path, text []string, siblings ...string) error {
	key, err := values.Parse(d.file+" (to be written)", []byte(strings.Join(text, "\n")+"\n"))
	if err != nil {
		return err
	}
	value := key.Get(path[len(path)-1])
	if value == nil || len(key.Fields) != 1 {
		return fmt.Errorf("the text for %s does not hold that key alone", strings.Join(path, "."))
	}
	way, err := d.find(path)
	if err != nil {
		return err
	}
	d.after = setIn(d.after, value, path)
	if whole(way, path) {
		return d.replace(way[len(way)-1], text)
	}
	return d.insert(way, path, text, siblings)
}

// replace puts the text in an entry's place.
func (d *Document) replace(e entry, text []string) error {
	if err := d.unanchored(e.value, e.path); err != nil {
		return err
	}
	prefix := d.lines[e.from][:e.column()]
	lines := indented(text, e.column())
	lines[0] = prefix + text[0]
	if !slices.Equal(lines, d.lines[e.from:e.to]) {
		d.edits = append(d.edits, edit{e.from, e.to, lines, len(e.path)})
	}
	return nil
}

// insert puts the text, within the mappings that are missing, into the deepest mapping that is there.
func (d *Document) insert(way []entry, path, text, siblings []string) error {
	depth, parent, limit := 0, d.root, len(d.lines)
	if len(way) > 0 {
		last := way[len(way)-1]
		depth, parent, limit = len(last.path), last.value, last.to
	}
	if parent == nil {
		return d.fail(1, 1, nil, "the file is empty: a map of keys is due")
	}
	if err := d.editable(parent, path[:depth]); err != nil {
		return err
	}
	for i := len(path) - 2; i >= depth; i-- {
		text = append([]string{path[i] + ":"}, indented(text, 2)...)
	}
	switch {
	case parent.Kind == yaml.MappingNode && len(parent.Content) > 0:
		return d.insertBehind(parent, limit, path[:depth], text, siblings)
	case depth > 0 && (parent.Kind == yaml.MappingNode || parent.Tag == "!!null"):
		return d.expand(way[len(way)-1], text)
	}
	return d.failAt(parent, path[:depth], "a map is due, and a value of another kind stands here")
}

// insertBehind puts the text behind a sibling, a blank line between them where siblings are set apart so.
func (d *Document) insertBehind(parent *yaml.Node, limit int, path, text, siblings []string) error {
	at := len(parent.Content) - 2
	for _, sibling := range siblings {
		if i := keyIndex(parent, sibling); i >= 0 {
			at = i
			break
		}
	}
	e, err := d.entry(parent, at, limit, append(slices.Clip(path), parent.Content[at].Value))
	if err != nil {
		return err
	}
	lines := indented(text, e.column())
	if d.apart(e, limit) {
		lines = append([]string{""}, lines...)
	}
	d.edits = append(d.edits, edit{e.to, e.to, lines, len(e.path)})
	return nil
}

// apart reports whether a blank line sets an entry apart from the next one, or from the one before where it is the last.
func (d *Document) apart(e entry, limit int) bool {
	if e.index+2 < len(e.parent.Content) {
		return e.to < limit && blank(d.lines[e.to])
	}
	return d.gap(e)
}

// gap reports whether a blank line stands between an entry, with its comment, and the one before.
func (d *Document) gap(e entry) bool {
	if e.index == 0 {
		return false
	}
	from := d.commented(e)
	before, err := d.entry(e.parent, e.index-2, from, e.path)
	return err == nil && before.to < from && blank(d.lines[from-1])
}

// commented is the first line of the comment right above an entry, or the entry's own.
func (d *Document) commented(e entry) int {
	from := e.from
	for from > 0 && comment(d.lines[from-1]) && indent(d.lines[from-1]) == e.column() {
		from--
	}
	return from
}

// expand writes the text below a key whose value is null or an empty map.
func (d *Document) expand(e entry, text []string) error {
	line := d.lines[e.from]
	if e.value.Line-1 == e.from && (e.value.Value != "" || e.value.Kind == yaml.MappingNode) {
		runes := []rune(line)
		head, tail := string(runes[:e.value.Column-1]), string(runes[e.value.Column-1:])
		rest, ok := behindEmpty(tail)
		if !ok {
			return d.failAt(e.value, e.path, "an empty map or null is due in one piece: {} or nothing")
		}
		line = strings.TrimRight(head, " ") + rest
	} else if e.value.Value != "" || e.value.Kind == yaml.MappingNode {
		return d.failAt(e.value, e.path, "the empty value stands on a line of its own: write it behind the key")
	}
	d.edits = append(d.edits, edit{e.from, e.from + 1, append([]string{line}, indented(text, e.column()+2)...), len(e.path)})
	return nil
}

// behindEmpty is what follows an empty map or a null at the start of a text.
func behindEmpty(text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "{"); ok {
		return strings.CutPrefix(strings.TrimLeft(rest, " "), "}")
	}
	for _, null := range []string{"~", "null", "Null", "NULL"} {
		if rest, ok := strings.CutPrefix(text, null); ok {
			return rest, true
		}
	}
	return text, false
}

// unanchored refuses a value with an anchor in it: an alias elsewhere may need it.
func (d *Document) unanchored(node *yaml.Node, path []string) error {
	if node.Anchor != "" {
		return d.failAt(node, path, fmt.Sprintf("an anchor (&%s) stands in what is to be replaced", node.Anchor))
	}
	for _, child := range node.Content {
		if err := d.unanchored(child, path); err != nil {
			return err
		}
	}
	return nil
}

// indented puts spaces in front of the lines that are not empty.
func indented(lines []string, spaces int) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			line = strings.Repeat(" ", spaces) + line
		}
		out[i] = line
	}
	return out
}
