// Package yamltext finds where the parts of a YAML text stand, without decoding it: lines of block style with their keys, and the
// entries of flow collections, JSON included. It follows the scanner that Helm and kustomize read YAML with (libyaml's), so that a text
// can be changed in one place and stay as it is everywhere else.
//
// It is no validator. What it accepts means to a YAML parser what is told here, or is no YAML at all.
package yamltext

import (
	"bytes"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Span is a part of a text, from Start up to End.
type Span struct{ Start, End int }

// Empty reports whether there is nothing in a span.
func (s Span) Empty() bool { return s.Start >= s.End }

// Of is the text of a span.
func (s Span) Of(data []byte) []byte { return data[s.Start:s.End] }

// Text is a YAML text with what has to be known of it to find its lines.
type Text struct {
	File   string // named in errors
	Data   []byte
	exotic bool // it has line breaks other than LF and CRLF

	Anchors bool // set once an anchor or an alias has been met
}

// New looks at a text.
func New(file string, data []byte) *Text {
	t := &Text{File: file, Data: data}
	t.exotic = bytes.Count(data, []byte("\r")) != bytes.Count(data, []byte("\r\n")) ||
		bytes.Contains(data, []byte("\u0085")) || bytes.Contains(data, []byte("\u2028")) || bytes.Contains(data, []byte("\u2029"))
	return t
}

// Newline is how the lines of a text end, by its first one.
func Newline(data []byte) string {
	if n := bytes.IndexByte(data, '\n'); n > 0 && data[n-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Position is the place of an offset.
func (t *Text) Position(offset int) values.Position {
	offset = min(offset, len(t.Data))
	line, start := 1, 0
	for pos := 0; pos < offset; {
		end, next := t.line(pos)
		if next > offset || next == end {
			break
		}
		line, start, pos = line+1, next, next
	}
	return values.Position{File: t.File, Line: line, Column: len([]rune(string(t.Data[start:offset]))) + 1}
}

func (t *Text) fail(offset int, text string) error {
	return &values.Error{At: t.Position(offset), Text: text}
}

// line is the end of the line that starts at pos, without its break, and the start of the next one.
func (t *Text) line(pos int) (end, next int) {
	if t.exotic {
		for end = pos; end < len(t.Data); end++ {
			if n := t.breakAt(end); n > 0 {
				return end, end + n
			}
		}
		return len(t.Data), len(t.Data)
	}
	n := bytes.IndexByte(t.Data[pos:], '\n')
	if n < 0 {
		return len(t.Data), len(t.Data)
	}
	end, next = pos+n, pos+n+1
	if end > pos && t.Data[end-1] == '\r' {
		end--
	}
	return end, next
}

// breakAt is the length of the line break at a place, 0 where there is none: LF, CR, CRLF, and NEL, LS and PS of YAML 1.1.
func (t *Text) breakAt(pos int) int {
	rest := t.Data[pos:]
	switch {
	case rest[0] == '\n':
		return 1
	case rest[0] == '\r' && len(rest) > 1 && rest[1] == '\n':
		return 2
	case rest[0] == '\r':
		return 1
	case t.exotic && bytes.HasPrefix(rest, []byte("\u0085")):
		return 2
	case t.exotic && (bytes.HasPrefix(rest, []byte("\u2028")) || bytes.HasPrefix(rest, []byte("\u2029"))):
		return 3
	}
	return 0
}

// blankz reports whether a blank, a line break or the end of the text is at a place.
func (t *Text) blankz(pos int) bool {
	return pos >= len(t.Data) || t.Data[pos] == ' ' || t.Data[pos] == '\t' || t.breakAt(pos) > 0
}
