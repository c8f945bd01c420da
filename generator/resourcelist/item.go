package resourcelist

import (
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// itemReader follows the lines of one item and picks its identity. Where that takes more than a look at plain lines, the item is
// decoded.
type itemReader struct {
	text     *yamltext.Text
	span     yamltext.Span
	id       Identity
	column   int  // of the item's keys, -1 before the first
	inside   bool // below metadata
	below    int  // the column of the keys of metadata, -1 before the first
	decode   bool
	noObject bool
	seen     uint8
}

// The keys that are picked, as bits of what has been seen.
const (
	seenAPIVersion = 1 << iota
	seenKind
	seenMetadata
	seenName
	seenNamespace
)

func newItemReader(text *yamltext.Text, line *yamltext.Line) *itemReader {
	return &itemReader{text: text, span: line.Span, column: -1, below: -1}
}

// first reads the line with the item's dash.
func (r *itemReader) first(line *yamltext.Line) error {
	r.span.End = line.End
	switch {
	case len(line.Dashes) > 1:
		r.noObject = true
	case !line.Key.Empty():
		r.column = line.KeyAt
		r.key(line)
	case line.Kind == yamltext.None:
		r.decode = r.decode || line.Odd
	case line.Odd, line.Kind == yamltext.Flow && r.text.Data[line.Value.Start] == '{', line.Kind == yamltext.Alias:
		r.decode = true
	default:
		r.noObject = true
	}
	return nil
}

func (r *itemReader) line(line *yamltext.Line) error {
	r.span.End = line.End
	if r.column < 0 && !r.decode {
		if len(line.Dashes) > 0 || line.Key.Empty() {
			r.decode = true // a value on a line of its own
			return nil
		}
		r.column = line.KeyAt
	}
	if line.Key.Empty() || len(line.Dashes) > 0 {
		r.decode = r.decode || line.Odd && (line.Column == r.column || r.inside && line.Column == r.below)
		if line.Column <= r.column {
			r.inside = r.inside && len(line.Dashes) == 0
		}
		return nil
	}
	if line.Column == r.column {
		r.key(line)
	} else if r.inside {
		if r.below < 0 {
			r.below = line.Column
		}
		if line.Column == r.below {
			r.metadata(line)
		}
	}
	return nil
}

// key reads a key of the item itself.
func (r *itemReader) key(line *yamltext.Line) {
	r.inside = false
	switch key := line.Key.Of(r.text.Data); {
	case plainly(key, "apiVersion"):
		r.pick(line, &r.id.APIVersion, seenAPIVersion)
	case plainly(key, "kind"):
		r.pick(line, &r.id.Kind, seenKind)
	case plainly(key, "metadata"):
		r.see(seenMetadata)
		r.inside = line.Kind == yamltext.None
		r.decode = r.decode || line.Kind != yamltext.None || line.Odd
	default:
		r.decode = r.decode || special(key) || line.Odd && r.text.Data[line.Start+line.Column] == '?'
	}
}

// metadata reads a key of the item's metadata.
func (r *itemReader) metadata(line *yamltext.Line) {
	switch key := line.Key.Of(r.text.Data); {
	case plainly(key, "name"):
		r.pick(line, &r.id.Name, seenName)
	case plainly(key, "namespace"):
		r.pick(line, &r.id.Namespace, seenNamespace)
	default:
		r.decode = r.decode || special(key)
	}
}

func (r *itemReader) pick(line *yamltext.Line, into *string, bit uint8) {
	r.see(bit)
	text, ok := textOf(line.Value.Of(r.text.Data))
	if !ok || line.More || line.Odd || line.Kind == yamltext.None {
		r.decode = true
		return
	}
	*into = text
}

// see has a key that stands twice decoded, which refuses it.
func (r *itemReader) see(bit uint8) {
	r.decode = r.decode || r.seen&bit != 0
	r.seen |= bit
}

// plainly reports whether a key is a word, quoted or not.
func plainly(key []byte, word string) bool {
	if n := len(key); n == len(word)+2 && (key[0] == '"' || key[0] == '\'') && key[n-1] == key[0] {
		key = key[1 : n-1]
	}
	return string(key) == word
}

// special reports whether a key may be another than it seems: a merge key, or one with escapes.
func special(key []byte) bool {
	if string(key) == "<<" {
		return true
	}
	_, ok := textOf(key)
	return !ok
}

// end is the item, decoded where that is needed.
func (r *itemReader) end(l *List, index int) (*Item, error) {
	item := &Item{Identity: r.id, span: r.span, text: r.span.Of(r.text.Data), index: index}
	switch {
	case r.noObject:
		return nil, l.noObject(index, l.text.Position(r.span.Start), "another value")
	case !r.decode && r.column >= 0 || r.text.Anchors: // with anchors the whole list is decoded
		return item, nil
	}
	return item, l.identify(item)
}
