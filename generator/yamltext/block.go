package yamltext

import (
	"bytes"
)

// Kind says how the value on a line is written.
type Kind uint8

// The kinds of a value.
const (
	None   Kind = iota // nothing, or it stands on the next lines
	Plain              // a plain scalar
	Quoted             // a quoted scalar
	Flow               // a flow collection
	Block              // a literal or folded block scalar
	Alias              // an alias
)

// Line is one line of block style that says something: no blank line, no comment, and no further line of a scalar.
type Line struct {
	Span         // from the start of the line to behind its break, or behind that of the last line of its value
	Column int   // of the first token
	Dashes []int // the columns of the sequence indicators in front
	Key    Span  // with its quotes; empty where the line has none
	KeyAt  int   // the column of the key
	Value  Span  // of a block scalar the header alone, of a plain scalar the first line
	Kind   Kind  // of the value
	More   bool  // the value goes on over further lines
	Odd    bool  // an explicit key, an anchor or a tag is among the tokens
	Marker bool  // a directive or the mark of a document's start or end
}

// Lines walks the lines of block style.
type Lines struct {
	*Text
	Pos   int   // where the next line is looked for
	stack []int // the columns of the open block collections, as the scanner of libyaml keeps them (roll_indent, unroll_indent)
	line  Line
	dash  [8]int
}

// Lines starts at an offset, which must be the start of a line.
func (t *Text) Lines(pos int) *Lines { return &Lines{Text: t, Pos: pos} }

// Next is the next line, nil at the end of the text. It is valid up to the next call.
func (l *Lines) Next() (*Line, error) {
	for l.Pos < len(l.Data) {
		first, end, next := l.indented(l.Pos)
		if first == end || l.Data[first] == '#' || len(bytes.TrimLeft(l.Data[first:end], " \t")) == 0 {
			l.Pos = next
			continue
		}
		l.line = Line{Span: Span{l.Pos, next}, Column: first - l.Pos, Dashes: l.dash[:0]}
		l.unroll(l.line.Column)
		if l.marker(first) {
			l.line.Marker = true
			l.Pos = next
			return &l.line, nil
		}
		if err := l.tokens(first, end); err != nil {
			return nil, err
		}
		l.Pos = l.line.End
		return &l.line, nil
	}
	return nil, nil
}

// indented is where the line at an offset has its first character that is no space, where it ends, and where the next one starts.
func (l *Lines) indented(pos int) (first, end, next int) {
	end, next = l.Text.line(pos)
	for first = pos; first < end && l.Data[first] == ' '; first++ {
	}
	return first, end, next
}

// marker reports whether a line is "---", "..." or a directive.
func (l *Lines) marker(first int) bool {
	if first != l.line.Start {
		return false
	}
	rest := l.Data[first:]
	return rest[0] == '%' || (bytes.HasPrefix(rest, []byte("---")) || bytes.HasPrefix(rest, []byte("..."))) && l.blankz(first+3)
}

func (l *Lines) unroll(column int) {
	for len(l.stack) > 0 && l.stack[len(l.stack)-1] > column {
		l.stack = l.stack[:len(l.stack)-1]
	}
}

func (l *Lines) roll(column int) {
	if l.top() < column {
		l.stack = append(l.stack, column)
	}
}

func (l *Lines) top() int {
	if len(l.stack) == 0 {
		return -1
	}
	return l.stack[len(l.stack)-1]
}

// tokens takes the line apart: indicators, then a key and its value, or a value alone.
func (l *Lines) tokens(at, end int) error {
	at = l.indicators(at, end)
	node := at
	at = l.properties(at, end)
	if l.ends(at, end) {
		return nil
	}
	value, kind, err := l.value(at, end)
	if err != nil {
		return err
	}
	after := l.blanks(value.End, end)
	isKey := kind != Block && after < end && l.Data[after] == ':' && l.blankz(after+1) && value.End <= end
	if !isKey {
		return l.finish(value, kind, end)
	}
	l.line.Key, l.line.KeyAt = value, node-l.line.Start
	l.line.Odd = l.line.Odd || kind == Flow || kind == Alias
	l.roll(l.line.KeyAt)
	at = l.properties(l.blanks(after+1, end), end)
	if l.ends(at, end) {
		return nil
	}
	if value, kind, err = l.value(at, end); err != nil {
		return err
	}
	return l.finish(value, kind, end)
}

// indicators takes the "- ", "? " and ": " in front of a node.
func (l *Lines) indicators(at, end int) int {
	for at < end && (l.Data[at] == '-' || l.Data[at] == '?' || l.Data[at] == ':') && l.blankz(at+1) {
		column := at - l.line.Start
		l.roll(column)
		if l.Data[at] == '-' {
			l.line.Dashes = append(l.line.Dashes, column)
		} else {
			l.line.Odd = true
		}
		at = l.blanks(at+1, end)
	}
	return at
}

// properties takes the anchor and the tag in front of a node.
func (l *Lines) properties(at, end int) int {
	for at < end && (l.Data[at] == '&' || l.Data[at] == '!') {
		l.line.Odd = true
		at = l.blanks(l.property(at, false), end)
	}
	return at
}

func (l *Lines) blanks(at, end int) int {
	for at < end && (l.Data[at] == ' ' || l.Data[at] == '\t') {
		at++
	}
	return at
}

// ends reports whether nothing but a comment is left.
func (l *Lines) ends(at, end int) bool { return at >= end || l.Data[at] == '#' }
