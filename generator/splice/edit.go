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
	lines := []string{strings.TrimSuffix(d.lines[e.from][e.column():], d.markOf(e))}
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
	lines[0] = prefix + text[0] + d.markOf(e)
	if !slices.Equal(lines, d.lines[e.from:e.to]) {
		d.edits = append(d.edits, edit{e.from, e.to, lines, len(e.path)})
	}
	return nil
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
