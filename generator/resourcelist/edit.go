package resourcelist

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// Remove takes an item out. In block style the comments above it stay.
func (l *List) Remove(item *Item) {
	i := slices.Index(l.Items, item)
	if i < 0 {
		return
	}
	o := &l.output
	last := i == len(l.Items)-1
	switch {
	case o.flow && i == 0 && !last:
		l.Items[i+1].before = item.before
	case o.flow && i == 0:
		o.tail = append([][]byte{item.before}, o.tail...)
	case o.flow:
	case last:
		o.tail = append([][]byte{item.before}, o.tail...)
	default:
		l.Items[i+1].before = slices.Concat(item.before, l.Items[i+1].before)
	}
	l.Items = slices.Delete(l.Items, i, i+1)
}

// Append puts an object behind the last item.
func (l *List) Append(object map[string]any) error {
	item := &Item{Flow: l.output.flow, made: true}
	if err := l.set(item, object); err != nil {
		return err
	}
	if n := len(l.Items); n > 0 && item.Flow {
		item.before = separator(l.Items[n-1].before, n > 1)
	}
	l.Items = append(l.Items, item)
	return nil
}

// separator is a comma, and the blanks that the list has between its items.
func separator(before []byte, comma bool) []byte {
	if comma {
		_, before, _ = bytes.Cut(before, []byte(","))
	}
	if blank := string(before); strings.TrimSpace(blank) == "" && blank != "" {
		return []byte("," + blank)
	}
	return []byte(", ")
}

// Replace puts an object in the place of an item.
func (l *List) Replace(item *Item, object map[string]any) error {
	item.made = true
	return l.set(item, object)
}

// set writes an object in the style of the list.
func (l *List) set(item *Item, object map[string]any) error {
	id := func(path ...string) string {
		var at any = object
		for _, key := range path {
			m, _ := at.(map[string]any)
			at = m[key]
		}
		text, _ := at.(string)
		return text
	}
	item.Identity = Identity{APIVersion: id("apiVersion"), Kind: id("kind"), Namespace: id("metadata", "namespace"), Name: id("metadata", "name")}
	var err error
	if item.Flow {
		item.text, err = oneLine(object)
	} else {
		item.text, err = l.blockText(object)
	}
	return err
}

// oneLine is a value as JSON on one line, with characters as they are.
func oneLine(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// blockText is an object as an entry of the list in block style. One that would end with a block scalar is put on one line: blanks of
// the stream that follow would become part of the scalar.
func (l *List) blockText(object any) ([]byte, error) {
	data, err := yaml.Marshal(object)
	if err == nil && endsOpen(data) {
		data, err = oneLine(object)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	margin := strings.Repeat(" ", l.output.indent)
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		switch {
		case i == 0:
			out.WriteString(margin + "- " + line)
		case line != "":
			out.WriteString(margin + "  " + line)
		}
		out.WriteString(l.output.newline)
	}
	return out.Bytes(), nil
}

func endsOpen(data []byte) bool {
	open := false
	lines := yamltext.New("", data).Lines(0)
	for {
		line, err := lines.Next()
		if err != nil || line == nil {
			return open || err != nil
		}
		open = line.Kind == yamltext.Block
	}
}

// Text is an item as it stands in the list.
func (i *Item) Text() []byte { return i.text }

// SetText puts another text in the place of an item's. It is for a change that leaves the item's identity as it is.
func (l *List) SetText(item *Item, text []byte) {
	item.text, item.made = text, true
}
