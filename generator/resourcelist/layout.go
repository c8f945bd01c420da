package resourcelist

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// layOut keeps the text around the items of a list in block style.
func (r *blockReader) layOut() error {
	l, data := r.List, r.text.Data
	if r.end < 0 {
		r.end = len(data)
	}
	if r.open && !ended(data) {
		return r.fail(len(data), "the stream ends inside a block scalar: end its last line, what follows would change it")
	}
	s, o := &l.shape, &l.output
	s.config = s.keys["functionConfig"]
	results := s.keys["results"]
	o.indent, o.newline, o.trailer = max(r.indent, 0), yamltext.Newline(data), data[r.end:]
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
	if !ended(o.rest) {
		o.rest = append(slices.Clone(o.rest), o.newline...)
	}
	o.tail = without(data, yamltext.Span{Start: max(s.items.End, r.keyEnd), End: r.end}, results)
	if n := len(l.Items); n > 0 && !ended(l.Items[n-1].text) {
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
	o.flow, o.inFlow, o.newline = true, true, yamltext.Newline(data)
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
	if n := len(*parts); n > 0 && !ended((*parts)[n-1]) {
		*parts = append(*parts, []byte(o.newline))
	}
}

// ended reports whether a text ends with a line break, as YAML 1.1 has them.
func ended(text []byte) bool {
	last, _ := utf8.DecodeLastRune(text)
	return strings.ContainsRune("\n\r\u0085\u2028\u2029", last)
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
