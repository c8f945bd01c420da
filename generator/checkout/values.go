package checkout

import (
	"fmt"
	"path/filepath"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/splice"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// parse reads a values file that must have units.
func (c *Checkout) parse(file string, data []byte) (*splice.Document, error) {
	name := filepath.Join(c.root, filepath.FromSlash(file))
	document, err := splice.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if document.Values().Get("units") == nil {
		return nil, fmt.Errorf("%s: no units: key at the top level, as sylva-core's values have", name)
	}
	return document, nil
}

// putValues writes the unit behind the one that waits for it, and the edge between them.
func (c *Checkout) putValues(data []byte) ([]byte, error) {
	document, err := c.parse(valuesFile, data)
	if err != nil {
		return nil, err
	}
	if held := document.Values().Get("units", c.unit.Holds); held == nil || held.Kind != values.Map {
		return nil, fmt.Errorf("%s: no units.%s, which is to wait for %s", filepath.Join(c.root, valuesFile), c.unit.Holds, c.unit.Name)
	}
	own, err := splice.Parse("units/"+c.unit.Name+"/values.yaml", c.unit.Source)
	if err != nil {
		return nil, err
	}
	for _, put := range []struct{ path, siblings []string }{
		{[]string{"units", c.unit.Name}, []string{c.unit.Holds}},
		{[]string{"units", c.unit.Holds, "depends_on", c.unit.Name}, []string{"enabled_conditions", "unit_templates", "info"}},
	} {
		text, err := own.Entry(put.path...)
		if err != nil {
			return nil, err
		}
		if err := c.set(document, put.path, text, put.siblings...); err != nil {
			return nil, err
		}
	}
	return document.Bytes()
}

// putOptIn enables the unit in workload clusters, which opt in unit by unit.
func (c *Checkout) putOptIn(data []byte) ([]byte, error) {
	document, err := c.parse(workloadFile, data)
	if err != nil {
		return nil, err
	}
	if err := c.set(document, []string{"units", c.unit.Name, "enabled"}, []string{"enabled: true"}, c.unit.Holds); err != nil {
		return nil, err
	}
	return document.Bytes()
}

// set writes an entry and notes what of the one that is there gets lost.
func (c *Checkout) set(document *splice.Document, path, text []string, siblings ...string) error {
	old, err := document.Entry(path...)
	if err != nil {
		return err
	}
	before := document.Values().Get(path...)
	if err := document.Set(path, text, siblings...); err != nil {
		return err
	}
	if before == nil || strings.Join(old, "\n") == strings.Join(text, "\n") {
		return nil
	}
	written, err := values.Parse("", []byte(strings.Join(text, "\n")+"\n"))
	if err != nil {
		return err
	}
	differences := values.Differences(before, written.Get(path[len(path)-1]))
	for _, each := range differences {
		c.notes = append(c.notes, fmt.Sprintf("%s: %s: %s becomes %s", place(each, before), strings.Join(append(path, each.Path...), "."), shown(each.Old, each.New), shown(each.New, each.Old)))
	}
	if len(differences) == 0 {
		c.notes = append(c.notes, fmt.Sprintf("%s: %s: only its form or its comments change", before.Where(), strings.Join(path, ".")))
	}
	return nil
}

// place is where the old value stands, or for one that is not there the entry.
func place(difference values.Difference, entry *values.Node) values.Position {
	if difference.Old == nil {
		return entry.Where()
	}
	return difference.Old.Where()
}

// shown is a value for a note; of a text that is too long for a line, the part from where it begins to differ from the other value.
func shown(n, other *values.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == values.Map || n.Kind == values.List:
		return n.Kind.String()
	}
	const width = 40
	text, twin := []rune(n.Text), []rune(other.AsText())
	if len(text) <= width {
		return fmt.Sprintf("%q", string(text))
	}
	same := 0
	for same < min(len(text), len(twin)) && text[same] == twin[same] {
		same++
	}
	cut := string(text[max(0, same-width/4):])
	if same > width/4 {
		cut = "…" + cut
	}
	if runes := []rune(cut); len(runes) > width {
		cut = string(runes[:width]) + "…"
	}
	return fmt.Sprintf("%q", cut)
}

func (c *Checkout) dropValues(data []byte) ([]byte, error) {
	return c.drop(valuesFile, data, []string{"units", c.unit.Name}, []string{"units", c.unit.Holds, "depends_on", c.unit.Name})
}

func (c *Checkout) dropOptIn(data []byte) ([]byte, error) {
	return c.drop(workloadFile, data, []string{"units", c.unit.Name, "enabled"})
}

func (c *Checkout) drop(file string, data []byte, paths ...[]string) ([]byte, error) {
	document, err := c.parse(file, data)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if _, err := document.Remove(path...); err != nil {
			return nil, err
		}
	}
	return document.Bytes()
}
