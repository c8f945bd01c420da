package yamltext

import "fmt"

// maxDepth bounds the nesting of flow collections, as package values bounds it.
const maxDepth = 1000

// Entry is one entry of a flow collection: of a mapping with its key, of a sequence without.
type Entry struct {
	Span       // the whole entry
	Key   Span // empty in a sequence
	Value Span // empty where a key has no value
	Odd   bool // an explicit key, an anchor, an alias or a tag stands in the entry itself
}

// Entries are the entries of the flow collection that starts at pos. close is the offset of its closing bracket.
func (t *Text) Entries(pos int) (entries []Entry, closing int, err error) {
	mapping := t.Data[pos] == '{'
	f := &flow{Text: t}
	at := pos + 1
	for {
		if at = f.blanks(at); at >= len(t.Data) {
			return nil, 0, t.fail(pos, "a bracket that is not closed")
		}
		switch t.Data[at] {
		case '}', ']':
			if (t.Data[at] == '}') != mapping {
				return nil, 0, t.fail(at, fmt.Sprintf("%q closes another kind of bracket", t.Data[at]))
			}
			return entries, at, nil
		case ',':
			at++
			continue
		}
		entry, next, err := f.entry(at)
		if err != nil {
			return nil, 0, err
		}
		if !mapping {
			entry.Value, entry.Key = entry.Span, Span{}
		}
		entries = append(entries, entry)
		at = next
	}
}

// flow scans flow style.
type flow struct{ *Text }

// entry scans up to the comma or bracket that ends an entry.
func (f *flow) entry(at int) (Entry, int, error) {
	entry := Entry{Span: Span{at, at}}
	colon := false
	for {
		at = f.blanks(at)
		if at >= len(f.Data) || f.Data[at] == ',' || f.Data[at] == '}' || f.Data[at] == ']' {
			if !colon {
				entry.Key = entry.Span
			}
			return entry, at, nil
		}
		start := at
		switch f.Data[at] {
		case ':':
			at++
			if !colon {
				colon, entry.Key = true, entry.Span
			}
			entry.End = at
			continue
		case '?', '&', '*', '!':
			entry.Odd = true
		}
		next, err := f.token(at)
		if err != nil {
			return entry, at, err
		}
		at, entry.End = next, next
		if colon && entry.Value.Empty() {
			entry.Value = Span{start, next}
		} else if colon {
			entry.Value.End = next
		}
	}
}

// token scans one scalar, property or collection and returns its end.
func (f *flow) token(at int) (int, error) {
	switch f.Data[at] {
	case '{', '[':
		return f.collection(at)
	case '"', '\'':
		return f.quoted(at)
	case '?':
		return at + 1, nil
	case '&', '*', '!':
		return f.property(at, true), nil
	}
	return f.plain(at), nil
}

// collection skips a collection with all that is in it.
func (f *flow) collection(at int) (int, error) {
	start, open := at, []byte{}
	for at < len(f.Data) {
		switch c := f.Data[at]; c {
		case '{', '[':
			if open = append(open, c); len(open) > maxDepth {
				return at, f.fail(at, fmt.Sprintf("nested deeper than %d levels", maxDepth))
			}
			at++
		case '}', ']':
			if (c == '}') != (open[len(open)-1] == '{') {
				return at, f.fail(at, fmt.Sprintf("%q closes another kind of bracket", c))
			}
			if open, at = open[:len(open)-1], at+1; len(open) == 0 {
				return at, nil
			}
		case ',', ':':
			at++
		default:
			next, err := f.token(at)
			if err != nil {
				return at, err
			}
			at = next
		}
		at = f.blanks(at)
	}
	return at, f.fail(start, "a bracket that is not closed")
}

// blanks skips blanks, line breaks and comments.
func (f *flow) blanks(at int) int {
	for at < len(f.Data) {
		switch c := f.Data[at]; {
		case c == ' ' || c == '\t':
			at++
		case c == '#':
			at, _ = f.line(at)
		default:
			n := f.breakAt(at)
			if n == 0 {
				return at
			}
			at += n
		}
	}
	return at
}

// plain is the end of a plain scalar in flow style, behind its last character that is no blank. Quotes inside it are text.
func (f *flow) plain(at int) int {
	end := at
	for at < len(f.Data) {
		switch c := f.Data[at]; c {
		case ',', '?', '[', ']', '{', '}':
			return end
		case ':':
			if f.blankz(at + 1) {
				return end
			}
		case '#':
			if at > end { // a blank is before it: a comment
				return end
			}
		}
		if f.blankz(at) {
			at += max(1, f.breakAt(at))
			continue
		}
		at++
		end = at
	}
	return end
}

// quoted is the end of a quoted scalar.
func (t *Text) quoted(at int) (int, error) {
	quote := t.Data[at]
	for i := at + 1; i < len(t.Data); i++ {
		switch {
		case t.Data[i] == '\\' && quote == '"':
			i++
		case t.Data[i] != quote:
		case quote == '\'' && i+1 < len(t.Data) && t.Data[i+1] == quote:
			i++
		default:
			return i + 1, nil
		}
	}
	return at, t.fail(at, "a quote that is not closed")
}

// property is the end of an anchor, an alias or a tag.
func (t *Text) property(at int, inFlow bool) int {
	if t.Data[at] != '!' {
		t.Anchors = true
		for at++; at < len(t.Data) && alphanumeric(t.Data[at]); at++ {
		}
		return at
	}
	for at++; !t.blankz(at); at++ {
		if c := t.Data[at]; inFlow && (c == ',' || c == '[' || c == ']' || c == '{' || c == '}') {
			return at
		}
	}
	return at
}

// alphanumeric are the characters of an anchor's name.
func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-'
}
