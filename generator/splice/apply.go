package splice

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Bytes is the file with the edits made, after it was parsed again: it means what it meant, but for what was set and removed. Anything
// else is an error.
func (d *Document) Bytes() ([]byte, error) {
	slices.SortStableFunc(d.edits, func(a, b edit) int { return cmp.Or(a.from-b.from, b.depth-a.depth) })
	var lines []string
	next := 0
	for _, edit := range d.edits {
		if edit.from < next {
			return nil, d.fail(edit.from+1, 1, nil, "two edits meet here")
		}
		lines = append(append(lines, d.lines[next:edit.from]...), edit.lines...)
		next = edit.to
	}
	text := strings.Join(append(lines, d.lines[next:]...), d.lineEnd)
	_, after, err := values.Document(d.file, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("the edited file would be no YAML any more, nothing is written: %w", err)
	}
	if found := values.Differences(d.after, after); len(found) > 0 {
		return nil, d.fail(0, 0, found[0].Path, "an edit would change this too, nothing is written")
	}
	return []byte(d.mark + text), nil
}

// setIn is Set through lists too, whose items on the path must be there.
func setIn(n, value *values.Node, path []string) *values.Node {
	if len(path) == 0 {
		return value
	}
	if n != nil && n.Kind == values.List {
		out := *n
		out.Items = slices.Clone(n.Items)
		i, _ := strconv.Atoi(path[0]) // find has looked at it
		out.Items[i] = setIn(out.Items[i], value, path[1:])
		return &out
	}
	return n.Set(setIn(n.Get(path[0]), value, path[1:]), path[0])
}
