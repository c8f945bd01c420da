package resourcelist

import (
	"bytes"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// shape is what the list's own keys say, and where they stand.
type shape struct {
	kind, apiVersion string
	flow             bool
	config           yamltext.Span // in block style with its key
	keys             map[string]yamltext.Span
	items            yamltext.Span // the lines of the items, in flow style what is between the brackets
}

// blockReader reads a list in block style, line by line.
type blockReader struct {
	*List
	lines  *yamltext.Lines
	key    string // the list's key whose lines are read
	indent int    // the column of the items' dashes, -1 before the first
	item   *itemReader
	ended  bool          // behind "..."
	colon  int           // behind the colon of items, -1 where there is no such key
	value  yamltext.Span // on the line of items
	keyEnd int           // of that line
	last   int           // the end of the last line of the document
	open   bool          // the last line is of a block scalar
	end    int           // where "..." stands, else the end of the stream
}

func (l *List) parseBlock(start int) error {
	l.shape.keys = map[string]yamltext.Span{}
	r := &blockReader{List: l, lines: l.text.Lines(start), indent: -1, colon: -1, end: -1}
	for {
		line, err := r.lines.Next()
		if err != nil {
			return err
		}
		if line == nil {
			break
		}
		if err := r.line(line); err != nil {
			return err
		}
		if !line.Marker {
			r.last = line.End
			r.open = line.Kind == yamltext.Block
		}
	}
	if err := r.endItem(); err != nil {
		return err
	}
	return r.layOut()
}

func (r *blockReader) line(line *yamltext.Line) error {
	switch {
	case line.Marker:
		return r.marker(line)
	case r.ended:
		return r.fail(line.Start, "text behind the end of the document")
	}
	inItems := r.key == "items" && r.value.Empty()
	switch {
	case inItems && len(line.Dashes) > 0 && (r.indent < 0 || line.Dashes[0] == r.indent) && line.Dashes[0] == line.Column:
		return r.startItem(line)
	case line.Column == 0 && (len(line.Dashes) == 0 || r.key == "" || r.key == "items"):
		return r.topKey(line)
	case r.key == "":
		return r.notKey(line)
	case inItems && r.indent < 0:
		return r.fail(line.Start+line.Column, "a list of items is due")
	case inItems && line.Column <= r.indent:
		return r.fail(line.Start+line.Column, "a line between the items that is none")
	case inItems:
		return r.item.line(line)
	}
	r.extend(line.End)
	return nil
}

// marker allows one mark of a start in front and one of an end behind: a ResourceList is one document.
func (r *blockReader) marker(line *yamltext.Line) error {
	text := bytes.TrimSpace(line.Of(r.text.Data))
	comment := func(mark string) bool {
		rest, ok := bytes.CutPrefix(text, []byte(mark))
		rest = bytes.TrimSpace(rest)
		return ok && (len(rest) == 0 || rest[0] == '#')
	}
	switch {
	case r.last == 0 && (text[0] == '%' || comment("---")):
		return nil
	case r.ended && comment("..."):
		return nil
	case r.last > 0 && comment("..."):
		r.ended, r.end = true, line.Start
		return nil
	}
	return r.fail(line.Start, "a second document, or text on the line of a document's mark: a ResourceList of config.kubernetes.io/v1 is one document")
}

func (r *blockReader) fail(offset int, text string) error {
	return &values.Error{At: r.text.Position(offset), Text: text}
}

// topKey starts a key of the list itself.
func (r *blockReader) topKey(line *yamltext.Line) error {
	if err := r.endItem(); err != nil {
		return err
	}
	key, ok := textOf(line.Key.Of(r.text.Data))
	if line.Key.Empty() || len(line.Dashes) > 0 || !ok {
		return r.notKey(line)
	}
	if _, twice := r.shape.keys[key]; twice {
		return &values.Error{At: r.text.Position(line.Start), Path: []string{key}, Text: "the key stands twice"}
	}
	r.key = key
	r.shape.keys[key] = line.Span
	switch key {
	case "kind", "apiVersion":
		return r.scalar(line)
	case "items":
		return r.itemsKey(line)
	}
	return nil
}

func (r *blockReader) notKey(line *yamltext.Line) error {
	if len(r.shape.keys) == 0 {
		return notAList("its first line is no key of one")
	}
	return r.fail(line.Start, "a key of the ResourceList is due: apiVersion, kind, items, functionConfig")
}

func (r *blockReader) scalar(line *yamltext.Line) error {
	text, ok := textOf(line.Value.Of(r.text.Data))
	if line.Kind != yamltext.Plain && line.Kind != yamltext.Quoted || line.More || !ok {
		return r.fail(line.Start, r.key+": a plain text is due")
	}
	if r.key == "kind" {
		r.shape.kind = text
	} else {
		r.shape.apiVersion = text
	}
	return nil
}

// itemsKey reads what stands on the line of items.
func (r *blockReader) itemsKey(line *yamltext.Line) error {
	r.colon = line.Key.End + bytes.IndexByte(r.text.Data[line.Key.End:], ':') + 1
	r.keyEnd = line.End
	r.shape.items = yamltext.Span{Start: line.End, End: line.End}
	switch {
	case line.Kind == yamltext.None:
		return nil
	case line.Kind == yamltext.Plain && !line.More && slices.Contains([]string{"null", "~", "Null", "NULL"}, string(line.Value.Of(r.text.Data))):
		r.value = line.Value
		return nil
	case line.Kind == yamltext.Flow && r.text.Data[line.Value.Start] == '[':
		r.value = line.Value
		return nil
	}
	return r.fail(line.Value.Start, "items: a list is due")
}

// extend lets the key that is read reach to an end.
func (r *blockReader) extend(end int) {
	span := r.shape.keys[r.key]
	span.End = end
	r.shape.keys[r.key] = span
}

func (r *blockReader) startItem(line *yamltext.Line) error {
	if err := r.endItem(); err != nil {
		return err
	}
	r.indent = line.Dashes[0]
	r.item = newItemReader(r.text, line)
	return r.item.first(line)
}

// endItem takes the item that was read into the list.
func (r *blockReader) endItem() error {
	if r.item == nil {
		return nil
	}
	index := len(r.Items)
	item, err := r.item.end(r.List, index)
	if err != nil {
		return err
	}
	from := r.shape.items.End
	item.before = r.text.Data[from:r.item.span.Start]
	r.Items = append(r.Items, item)
	r.shape.items.End = r.item.span.End
	r.extend(r.item.span.End)
	r.item = nil
	return nil
}

// textOf is a scalar of one line as text; false where it takes a parser to read it.
func textOf(scalar []byte) (string, bool) {
	if len(scalar) == 0 {
		return "", true
	}
	if bytes.ContainsAny(scalar, "\n\r\u0085\u2028\u2029") {
		return "", false
	}
	inner := scalar[1:max(1, len(scalar)-1)]
	switch scalar[0] {
	case '"':
		return string(inner), !bytes.ContainsAny(inner, "\\")
	case '\'':
		return string(inner), !bytes.ContainsAny(inner, "'")
	case '&', '*', '!', '|', '>', '{', '[', '?':
		return "", false
	}
	switch string(scalar) {
	case "~", "null", "Null", "NULL":
		return "", true
	}
	return string(scalar), true
}
