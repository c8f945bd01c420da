package splice

import (
	"go.yaml.in/yaml/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Remove takes the entry at a path away, with the comment right above it and the blank line that set it apart, and so each mapping on
// the way that is empty without it; one at the top level stays, as an empty map, and one that was there, empty, before Set put the entry
// into it is again as it was. It reports whether there was one.
func (d *Document) Remove(path ...string) (bool, error) {
	way, err := d.find(path)
	if err != nil || !whole(way, path) {
		return false, err
	}
	last := len(way) - 1
	for last > 0 && len(way[last].parent.Content) == 2 && !d.restores(way[last]) && len(way[last-1].path) == len(way[last].path)-1 {
		last--
	}
	if last > 0 && d.restores(way[last]) {
		return true, d.restore(way[:last+1])
	}
	if last == 0 && len(path) > 1 && len(way[0].path) == 1 {
		return true, d.empty(way[0])
	}
	e := way[last]
	if err := d.unanchored(e.value, e.path); err != nil {
		return false, err
	}
	d.after = setIn(d.after, nil, e.path)
	from := d.commented(e)
	isLast := e.index+2 == len(e.parent.Content)
	if d.gap(e) && (isLast || e.to < len(d.lines) && blank(d.lines[e.to])) {
		from--
	}
	d.edits = append(d.edits, edit{from, e.to, nil, len(e.path)})
	return true, nil
}

// empty leaves an entry of the top level without its fields.
func (d *Document) empty(e entry) error {
	if err := d.unanchored(e.value, e.path); err != nil {
		return err
	}
	if e.value.Kind != yaml.MappingNode || e.value.Line-1 == e.from {
		return d.failAt(e.value, e.path, "the map does not begin below its key")
	}
	d.after = setIn(d.after, values.Empty(), e.path)
	key := d.lines[e.from]
	end := e.column() + keyLength(key[e.column():], e.key.Value)
	d.edits = append(d.edits, edit{e.from, e.to, []string{key[:end] + " {}" + key[end:]}, len(e.path)})
	return nil
}
