package resourcelist

import (
	"bytes"
	"io"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
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
	if err := l.Verify(); err != nil {
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

// Verify decodes the outcome where anchors let a change in one item reach into another.
func (l *List) Verify() error {
	if l.all == nil {
		return nil
	}
	after, err := values.Parse(File, bytes.Join(l.pieces(), nil))
	if err != nil {
		return &values.Error{At: values.Position{File: File}, Text: "an anchor stands in an item that changes or goes, and is used elsewhere: " + err.Error()}
	}
	items := after.Get("items").List()
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
func same(a, b *values.Node) bool { return len(values.Differences(a, b)) == 0 }
