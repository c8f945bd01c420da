package yamltext

import (
	"bytes"
	"fmt"
)

// value takes a scalar or a flow collection. A plain scalar ends where it can be a key, else at the end of the line or a comment.
func (l *Lines) value(at, end int) (Span, Kind, error) {
	var next int
	var err error
	kind := Plain
	switch c := l.Data[at]; c {
	case '"', '\'':
		kind = Quoted
		next, err = l.quoted(at)
	case '{', '[':
		kind = Flow
		f := flow{Text: l.Text}
		next, err = f.collection(at)
	case '*':
		kind, next = Alias, l.property(at, false)
	case '|', '>':
		kind, next = Block, l.plain(at, end)
	case '%', '@', '`', ',', ']', '}':
		return Span{}, None, l.fail(at, fmt.Sprintf("%q starts no value in YAML: quote it", c))
	default:
		next = l.plain(at, end)
	}
	return Span{at, next}, kind, err
}

// plain is the end of a plain scalar on its first line.
func (l *Lines) plain(at, end int) int {
	last := at
	for i := at; i < end; i++ {
		switch c := l.Data[i]; {
		case c == ' ' || c == '\t':
			continue
		case c == ':' && l.blankz(i+1):
			return last
		case c == '#' && i > last:
			return last
		}
		last = i + 1
	}
	return last
}

// finish notes a value, and takes the further lines that belong to it.
func (l *Lines) finish(value Span, kind Kind, end int) error {
	l.line.Value, l.line.Kind = value, kind
	switch {
	case kind == Block:
		l.blockScalar(bytes.IndexByte(value.Of(l.Data), '+') >= 0)
	case kind == Plain:
		if rest := l.blanks(value.End, end); rest < end && l.Data[rest] == ':' {
			return l.fail(rest, "a second key on the line: quote a text that holds \": \"")
		} else if rest == end {
			l.plainGoesOn()
		}
	case value.End > end:
		l.line.More = true
		last, next := l.Text.line(value.End)
		l.line.End = next
		return l.nothingBehind(value.End, last)
	default:
		return l.nothingBehind(value.End, end)
	}
	return nil
}

func (l *Lines) nothingBehind(at, end int) error {
	if at = l.blanks(at, end); !l.ends(at, end) {
		return l.fail(at, "text behind the end of a value")
	}
	return nil
}

// blockScalar takes the lines of a block scalar: those indented deeper than what holds it. Blank lines at its end belong to it where it
// keeps them (|+).
func (l *Lines) blockScalar(keep bool) {
	l.line.More = true
	parent := l.top()
	for pos := l.line.End; pos < len(l.Data); {
		first, end, next := l.indented(pos)
		if first < end && first-pos <= parent {
			return
		}
		if first < end || keep {
			l.line.End = next
		}
		pos = next
	}
}

// plainGoesOn takes the further lines of a plain scalar: those indented deeper than what holds it, up to a comment.
func (l *Lines) plainGoesOn() {
	parent := l.top()
	for pos := l.line.End; pos < len(l.Data); {
		first, end, next := l.indented(pos)
		if first < end && (first-pos <= parent || l.Data[first] == '#') {
			return
		}
		if first < end {
			l.line.More = true
			l.line.End = next
		}
		pos = next
	}
}
