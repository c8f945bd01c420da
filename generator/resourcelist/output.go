package resourcelist

import (
	"bytes"
	"io"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// output is the text around the items.
type output struct {
	head    [][]byte // up to the items
	empty   []byte   // stands for a list without items, behind head
	rest    []byte   // of the line of the key of items
	absent  bool     // there is no such key
	tail    [][]byte // behind the items
	trailer []byte   // behind the results
	indent  int      // of the items in block style
	newline string
	flow    bool // the items are in brackets
	inFlow  bool // the list itself is in flow style
	results []byte
}

// layOut keeps the text around the items of a list in block style.
func (r *blockReader) layOut() error {
	l, data := r.List, r.text.Data
	if r.end < 0 {
		r.end = len(data)
	}
	if r.open && (len(data) == 0 || data[len(data)-1] != '\n') {
		return r.fail(len(data), "the stream ends inside a block scalar: end its last line, what follows would change it")
	}
	s, o := &l.shape, &l.output
	s.config = s.keys["functionConfig"]
	results := s.keys["results"]
	o.indent, o.newline, o.trailer = max(r.indent, 0), newlineOf(data), data[r.end:]
	if r.colon < 0 {
		o.absent = true
		o.head = without(data, yamltext.Span{Start: 0, End: r.end}, results)
		o.endLine()
		return nil
	}
	if text := r.value.Of(data); len(text) > 0 && text[0] == '[' && string(text) != "[]" {
		return r.layOutBrackets(results)
	}
	o.head = without(data, yamltext.Span{Start: 0, End: r.colon}, results)
	valueEnd := max(r.colon, r.value.End)
	o.empty, o.rest = data[r.colon:valueEnd], data[valueEnd:r.keyEnd]
	if len(l.Items) > 0 {
		o.empty = []byte(" []")
	}
	if !bytes.HasSuffix(o.rest, []byte("\n")) {
		o.rest = append(slices.Clone(o.rest), o.newline...)
	}
	o.tail = without(data, yamltext.Span{Start: max(s.items.End, r.keyEnd), End: r.end}, results)
	if n := len(l.Items); n > 0 && !bytes.HasSuffix(l.Items[n-1].text, []byte("\n")) {
		l.Items[n-1].text = append(slices.Clone(l.Items[n-1].text), o.newline...)
	}
	o.endLine()
	return nil
}

// layOutBrackets is for a list of items in brackets, in a list in block style.
func (r *blockReader) layOutBrackets(results yamltext.Span) error {
	entries, inside, err := r.flowItems(r.value)
	if err != nil {
		return err
	}
	o := &r.output
	o.flow = true
	o.head = without(r.text.Data, yamltext.Span{Start: 0, End: inside.Start}, results)
	o.tail = without(r.text.Data, yamltext.Span{Start: inside.End, End: r.end}, results)
	o.endLine()
	return r.takeFlow(entries, inside.Start)
}

// layOutFlow keeps the text around the items of a list in flow style. last is the end of its last key.
func (l *List) layOutFlow(results, inside yamltext.Span, last int) {
	o, data := &l.output, l.text.Data
	o.flow, o.inFlow, o.newline = true, true, newlineOf(data)
	o.trailer = data[last:]
	if results.End == last { // the results stand last
		last = results.Start
	}
	if inside.Start == 0 {
		o.absent = true
		o.head = without(data, yamltext.Span{Start: 0, End: last}, results)
		return
	}
	o.head = without(data, yamltext.Span{Start: 0, End: inside.Start}, results)
	o.tail = without(data, yamltext.Span{Start: inside.End, End: last}, results)
	if data[inside.Start-1] != '[' {
		o.empty = inside.Of(data) // null
	}
}

// endLine sees to it that what comes behind the list starts on a line of its own.
func (o *output) endLine() {
	parts := &o.head
	if len(o.tail) > 0 {
		parts = &o.tail
	} else if !o.absent {
		return
	}
	if n := len(*parts); n > 0 && !bytes.HasSuffix((*parts)[n-1], []byte("\n")) {
		*parts = append(*parts, []byte(o.newline))
	}
}

func newlineOf(data []byte) string {
	if n := bytes.IndexByte(data, '\n'); n > 0 && data[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// without is a part of the text in pieces, without what is in cut.
func without(data []byte, part, cut yamltext.Span) [][]byte {
	pieces := []yamltext.Span{part}
	if !cut.Empty() && cut.Start < part.End && cut.End > part.Start {
		pieces = []yamltext.Span{{Start: part.Start, End: cut.Start}, {Start: cut.End, End: part.End}}
	}
	var out [][]byte
	for _, piece := range pieces {
		if !piece.Empty() {
			out = append(out, piece.Of(data))
		}
	}
	return out
}

// pieces are the texts of which the list is made, in order.
func (l *List) pieces() [][]byte {
	o := &l.output
	out := slices.Clone(o.head)
	switch {
	case o.absent && len(l.Items) > 0 && o.inFlow:
		out = append(out, []byte(`, "items": [`))
	case o.absent && len(l.Items) > 0:
		out = append(out, []byte("items:"+o.newline))
	case !o.flow && !o.absent:
		if len(l.Items) == 0 {
			out = append(out, o.empty)
		}
		out = append(out, o.rest)
	}
	wasNull := o.flow && len(o.empty) > 0
	switch {
	case wasNull && len(l.Items) == 0:
		out = append(out, o.empty)
	case wasNull:
		out = append(out, []byte("["))
	}
	for _, item := range l.Items {
		out = append(out, item.before, item.text)
	}
	if len(l.Items) > 0 && (wasNull || o.absent && o.inFlow) {
		out = append(out, []byte("]"))
	}
	out = append(out, o.tail...)
	return append(out, o.results, o.trailer)
}

// WriteTo writes the list.
func (l *List) WriteTo(w io.Writer) (int64, error) {
	if err := l.verify(); err != nil {
		return 0, err
	}
	var written int64
	for _, piece := range l.pieces() {
		n, err := w.Write(piece)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// verify decodes the outcome where anchors let a change in one item reach into another.
func (l *List) verify() error {
	if l.all == nil {
		return nil
	}
	after, err := values.Parse(File, bytes.Join(l.pieces(), nil))
	if err != nil {
		return &values.Error{At: values.Position{File: File}, Text: "an anchor stands in an item that changes or goes, and is used elsewhere: " + err.Error()}
	}
	items := nodeItems(after.Get("items"))
	for i, item := range l.Items {
		if item.made {
			continue
		}
		before := l.all.Get("items").Items[item.index]
		if i >= len(items) || !same(before, items[i]) {
			return &values.Error{At: before.At, Text: item.String() + " would change: an anchor stands in an item that changes or goes, and is used here"}
		}
	}
	return nil
}

// same reports whether two values are equal, wherever they stand and however they are written.
func same(a, b *values.Node) bool {
	if a.Kind != b.Kind || a.Scalar != b.Scalar || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for key, field := range a.Fields {
		if other := b.Fields[key]; other == nil || !same(field, other) {
			return false
		}
	}
	return true
}
