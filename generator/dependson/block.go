package dependson

import (
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// block follows the lines of an object in block style.
type block struct {
	*editor
	column int // of the object's keys
	spec   *yamltext.Line
	below  int // the column of the keys of spec
	key    *yamltext.Line
	list   int // the column of the dashes of dependsOn
	items  []yamltext.Span
	wideAt int // the column of a key whose value may be a list, to see how lists are indented
	seen   bool
}

// line takes one line; done says that the rest does not matter.
func (b *block) line(line *yamltext.Line) (done bool, err error) {
	b.indentation(line)
	switch {
	case b.column < 0:
		if line.Key.Empty() {
			return false, nil
		}
		b.column = line.KeyAt
	case b.spec != nil && line.Column <= b.column:
		return true, b.end()
	}
	switch {
	case b.spec == nil:
		return b.lookForSpec(line)
	case b.below < 0:
		if b.below = line.Column; line.Key.Empty() || len(line.Dashes) > 0 {
			return true, errNoSpec
		}
	}
	return b.inSpec(line)
}

// indentation notes whether the first list of the object is indented deeper than its key.
func (b *block) indentation(line *yamltext.Line) {
	if !b.seen && len(line.Dashes) > 0 && b.column >= 0 {
		b.seen, b.wide = true, line.Dashes[0] > b.wideAt
	}
	if !line.Key.Empty() {
		b.wideAt = line.KeyAt
	}
}

func (b *block) lookForSpec(line *yamltext.Line) (bool, error) {
	if line.KeyAt != b.column || !isKey(line.Key.Of(b.Data), "spec") {
		return false, nil
	}
	switch {
	case line.Kind == yamltext.None:
		b.spec = copyOf(line)
		return false, nil
	case line.Kind == yamltext.Flow && b.Data[line.Value.Start] == '{':
		return true, b.flowSpec(line.Value.Start)
	}
	return true, errNoSpec
}

func copyOf(line *yamltext.Line) *yamltext.Line {
	twin := *line
	twin.Dashes = nil
	return &twin
}

// inSpec takes a line below spec.
func (b *block) inSpec(line *yamltext.Line) (bool, error) {
	isDash := len(line.Dashes) > 0
	switch {
	case b.key == nil && !isDash && line.Column == b.below && isKey(line.Key.Of(b.Data), "dependsOn"):
		b.key = copyOf(line)
		switch {
		case line.Kind == yamltext.None:
			return false, nil
		case line.Kind == yamltext.Flow && b.Data[line.Value.Start] == '[':
			return true, b.flowValue()
		}
		return true, b.nullValue(line.Value, line.Key.End)
	case b.key == nil:
		return false, nil
	case line.Column == b.below && !isDash:
		return true, b.end()
	case isDash && (b.list < 0 || line.Dashes[0] == b.list):
		b.list = line.Dashes[0]
		b.items = append(b.items, line.Span)
	case len(b.items) == 0:
		return true, wrongList("no list")
	default:
		b.items[len(b.items)-1].End = line.End
	}
	return false, nil
}

// flowValue edits a dependsOn in brackets below a spec in block style.
func (b *block) flowValue() error {
	gone, err := b.flowList(b.key.Value.Start)
	if err == nil && gone {
		b.changes = nil
		b.change(b.key.Start, b.key.End, "")
	}
	return err
}

// end edits what was found, once spec is over.
func (b *block) end() error {
	switch {
	case b.spec == nil || b.below < 0:
		return errNoSpec
	case b.key == nil:
		return b.newList()
	case len(b.items) == 0:
		return b.nullValue(b.key.Value, b.key.Key.End)
	}
	for _, i := range b.remove {
		b.change(b.items[i].Start, b.items[i].End, "")
	}
	if b.add == nil {
		if len(b.remove) == len(b.items) {
			b.changes = nil
			b.change(b.key.Start, b.items[len(b.items)-1].End, "")
		}
		return nil
	}
	b.change(b.key.End, b.key.End, b.add.block(b.list, yamltext.Newline(b.Data)))
	return nil
}

// newList adds the list to a spec that has none, in front of its other fields.
func (b *block) newList() error {
	if b.add == nil {
		return nil
	}
	column := b.below
	if b.wide {
		column += 2
	}
	newline := yamltext.Newline(b.Data)
	text := strings.Repeat(" ", b.below) + "dependsOn:" + newline + b.add.block(column, newline)
	b.change(b.spec.End, b.spec.End, text)
	return nil
}
