package resourcelist

import (
	"bytes"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// parseFlow reads a list in flow style, of which JSON is a part.
func (l *List) parseFlow(start int) error {
	s := &l.shape
	s.flow, s.keys = true, map[string]yamltext.Span{}
	entries, closing, err := l.text.Entries(start)
	if err != nil {
		return err
	}
	if rest, err := l.text.Lines(lineAfter(l.text.Data, closing+1)).Next(); err != nil || rest != nil {
		return notAList("text is behind its end")
	}
	results := yamltext.Span{}
	var items []yamltext.Entry
	bracket := yamltext.Span{}
	for i, entry := range entries {
		key, ok := textOf(entry.Key.Of(l.text.Data))
		if _, twice := s.keys[key]; twice || !ok || entry.Odd {
			return &values.Error{At: l.text.Position(entry.Start), Path: []string{key}, Text: "a key that stands twice, or is no plain one"}
		}
		s.keys[key] = entry.Span
		switch text := entry.Value.Of(l.text.Data); key {
		case "kind":
			s.kind, _ = textOf(text)
		case "apiVersion":
			s.apiVersion, _ = textOf(text)
		case "functionConfig":
			if len(text) > 0 && text[0] == '{' {
				s.config = entry.Value
			}
		case "results":
			results = withComma(entries, i)
		case "items":
			if items, bracket, err = l.flowItems(entry.Value); err != nil {
				return err
			}
		}
	}
	l.layOutFlow(results, bracket, lastEnd(entries, start))
	return l.takeFlow(items, bracket.Start)
}

// lineAfter is the start of the line behind an offset, where the rest of its own line is blank or a comment; else the offset.
func lineAfter(data []byte, at int) int {
	end := bytes.IndexByte(data[at:], '\n')
	rest := data[at:]
	if end >= 0 {
		rest = rest[:end+1]
	}
	if trimmed := bytes.TrimSpace(rest); len(trimmed) == 0 || trimmed[0] == '#' {
		return at + len(rest)
	}
	return at
}

func lastEnd(entries []yamltext.Entry, start int) int {
	if len(entries) == 0 {
		return start + 1
	}
	return entries[len(entries)-1].End
}

// withComma is an entry with the comma that goes with it.
func withComma(entries []yamltext.Entry, i int) yamltext.Span {
	switch {
	case i > 0:
		return yamltext.Span{Start: entries[i-1].End, End: entries[i].End}
	case len(entries) > 1:
		return yamltext.Span{Start: entries[0].Start, End: entries[1].Start}
	}
	return entries[i].Span
}

// flowItems are the entries of a list in brackets with the place from the first to the last of them; none of one that is null, with the
// place of the null.
func (l *List) flowItems(value yamltext.Span) ([]yamltext.Entry, yamltext.Span, error) {
	text := value.Of(l.text.Data)
	if plain, ok := textOf(text); ok && plain == "" && len(text) > 0 {
		return nil, value, nil
	}
	if len(text) == 0 || text[0] != '[' {
		return nil, yamltext.Span{}, &values.Error{At: l.text.Position(value.Start), Path: []string{"items"}, Text: "a list is due"}
	}
	entries, _, err := l.text.Entries(value.Start)
	return entries, yamltext.Span{Start: value.Start + 1, End: lastEnd(entries, value.Start)}, err
}

// takeFlow makes items of the entries of a list in brackets.
func (l *List) takeFlow(entries []yamltext.Entry, from int) error {
	for i, entry := range entries {
		item := &Item{Flow: true, before: l.text.Data[from:entry.Start], text: entry.Of(l.text.Data), span: entry.Span, index: i}
		switch {
		case l.text.Anchors: // the whole list is decoded
		case item.text[0] != '{':
			return l.noObject(i, l.text.Position(entry.Start), "another value")
		default:
			if err := l.pick(item); err != nil {
				return err
			}
		}
		l.Items = append(l.Items, item)
		from = entry.End
	}
	return nil
}

// pick picks the identity of an item in flow style, and decodes the item where that takes a parser.
func (l *List) pick(item *Item) error {
	fields, odd, err := l.fields(item.span.Start, "apiVersion", "kind", "metadata")
	if err != nil {
		return err
	}
	inner := []string{"", ""}
	if metadata := fields[2]; !odd && !metadata.Empty() && l.text.Data[metadata.Start] == '{' {
		var spans []yamltext.Span
		spans, odd, err = l.fields(metadata.Start, "namespace", "name")
		for i := range spans {
			text, ok := textOf(spans[i].Of(l.text.Data))
			inner[i], odd = text, odd || !ok
		}
	}
	apiVersion, ok := textOf(fields[0].Of(l.text.Data))
	kind, ok2 := textOf(fields[1].Of(l.text.Data))
	item.Identity = Identity{APIVersion: apiVersion, Kind: kind, Namespace: inner[0], Name: inner[1]}
	if err != nil || !odd && ok && ok2 {
		return err
	}
	return l.identify(item)
}

// fields are the values of keys of the flow mapping at an offset. odd says that only a parser can tell.
func (l *List) fields(at int, names ...string) (found []yamltext.Span, odd bool, err error) {
	found = make([]yamltext.Span, len(names))
	entries, _, err := l.text.Entries(at)
	for _, entry := range entries {
		key := entry.Key.Of(l.text.Data)
		odd = odd || entry.Odd || special(key)
		for i, name := range names {
			if plainly(key, name) {
				odd = odd || !found[i].Empty()
				found[i] = entry.Value
			}
		}
	}
	return found, odd, err
}
