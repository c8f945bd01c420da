package splice

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

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

// expand writes the text below a key whose value is null or an empty map, with a mark of what stood there.
func (d *Document) expand(e entry, text []string) error {
	line, was := d.lines[e.from], nothing
	if e.value.Line-1 == e.from && (e.value.Value != "" || e.value.Kind == yaml.MappingNode) {
		runes := []rune(line)
		head, tail := string(runes[:e.value.Column-1]), string(runes[e.value.Column-1:])
		rest, ok := behindEmpty(tail)
		if !ok {
			return d.failAt(e.value, e.path, "an empty map or null is due in one piece: {} or nothing")
		}
		head = strings.TrimRight(head, " \t")
		line, was = head+rest, line[len(head):len(line)-len(rest)]
	} else if e.value.Value != "" || e.value.Kind == yaml.MappingNode {
		return d.failAt(e.value, e.path, "the empty value stands on a line of its own: write it behind the key")
	}
	lines := append([]string{line}, d.lines[e.from+1:e.to]...) // comments: behind the text they would become its own
	d.edits = append(d.edits, edit{e.from, e.to, append(lines, indented(withMark(text, mark+was), e.column()+2)...), len(e.path)})
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
