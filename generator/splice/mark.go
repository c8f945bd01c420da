package splice

import (
	"regexp"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// An entry that is written into a map that was there but empty says so in a comment, with what stood in its place: taken away, it gives
// the bytes back. Without the comment depends_on: {} and no depends_on at all would look the same afterwards.
const (
	mark    = "  # in place of"
	nothing = " nothing" // a null without a word
)

// marked are the marks that were written: what an empty map and a null look like, with the blanks in front.
var marked = regexp.MustCompile(mark + `( nothing|[ \t]+(\{ *\}|~|null|Null|NULL))$`)

// markOf is the mark at the end of an entry's first line; empty where there is none.
func (d *Document) markOf(e entry) string { return marked.FindString(d.lines[e.from]) }

// restores reports whether an entry that is to go is the only one of a map that was empty before it.
func (d *Document) restores(e entry) bool { return len(e.parent.Content) == 2 && d.markOf(e) != "" }

// restore takes the only entry of a map away, the last on the way, and puts back what its mark says. All comments stay: those around the
// entry are not its own.
func (d *Document) restore(way []entry) error {
	holder, e := way[len(way)-2], way[len(way)-1]
	if err := d.unanchored(e.value, e.path); err != nil {
		return err
	}
	before, _ := strings.CutPrefix(d.markOf(e), mark)
	if before == nothing {
		before = ""
	}
	empty, err := values.Parse(d.file, []byte("empty:"+before))
	if err != nil {
		return err
	}
	d.after = setIn(d.after, empty.Get("empty"), holder.path)
	key := d.lines[holder.from]
	end := holder.column() + keyLength(key[holder.column():], holder.key.Value)
	d.edits = append(d.edits,
		edit{holder.from, holder.from + 1, []string{key[:end] + before + key[end:]}, len(holder.path)}, edit{e.from, e.to, nil, len(e.path)})
	return nil
}

// withMark is the text of an entry with the mark of the one that it replaces.
func withMark(text []string, mark string) []string {
	if mark != "" {
		text = slices.Clone(text)
		text[0] += mark
	}
	return text
}
