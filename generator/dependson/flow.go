package dependson

import (
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// flowSpec edits a spec in flow style, which starts at an offset.
func (e *editor) flowSpec(at int) error {
	entries, _, err := e.Entries(at)
	if err != nil {
		return err
	}
	i := indexOf(e.Data, entries, "dependsOn")
	if i < 0 {
		return e.newKey(at, entries)
	}
	value := entries[i].Value
	if value.Empty() || e.Data[value.Start] != '[' {
		return e.nullValue(value, entries[i].Key.End)
	}
	gone, err := e.flowList(value.Start)
	if err == nil && gone {
		cut := entries[i].Span
		switch {
		case i+1 < len(entries):
			cut.End = entries[i+1].Start
		case i > 0:
			cut.Start = entries[i-1].End
		}
		e.changes = nil
		e.change(cut.Start, cut.End, "")
	}
	return err
}

// newKey adds the list to a spec in flow style that has none.
func (e *editor) newKey(at int, entries []yamltext.Entry) error {
	if e.add == nil {
		return nil
	}
	text := `"dependsOn": [` + e.add.flow() + "]"
	if len(entries) == 0 {
		e.change(at+1, at+1, text)
		return nil
	}
	e.change(entries[0].Start, entries[0].Start, text+e.separator(at+1, entries[0].Start))
	return nil
}

// separator is a comma with the blanks that stand in front of the first entry, which are between the others too.
func (e *editor) separator(from, to int) string {
	if blank := string(e.Data[from:to]); strings.Contains(blank, "\n") && strings.TrimSpace(blank) == "" {
		return "," + blank
	}
	return ", "
}

// nullValue makes a list of a null.
func (e *editor) nullValue(value yamltext.Span, keyEnd int) error {
	switch text := string(value.Of(e.Data)); {
	case text != "" && text != "null" && text != "~" && text != "Null" && text != "NULL":
		return wrongList("no list")
	case e.add == nil:
		return nil
	}
	text := "[ " + e.add.flow() + " ]"
	if value.Empty() {
		rest := string(e.Data[keyEnd:])
		colon := strings.IndexByte(rest, ':')
		if colon < 0 || strings.TrimSpace(rest[:colon]) != "" {
			e.change(keyEnd, keyEnd, ": "+text) // {dependsOn}
			return nil
		}
		e.change(keyEnd+colon+1, keyEnd+colon+1, " "+text)
		return nil
	}
	e.change(value.Start, value.End, text)
	return nil
}

// flowList edits a list in brackets. gone says that the key is to go with it: its last entry has been taken away, and the list has not
// the blanks inside its brackets that mark one that was empty.
func (e *editor) flowList(at int) (gone bool, err error) {
	entries, _, err := e.Entries(at)
	if err != nil {
		return false, err
	}
	text := ""
	if e.add != nil {
		text = e.add.flow()
	}
	switch n := len(entries); {
	case n == 0 && e.add != nil:
		e.change(at+1, at+1, " "+text+" ")
	case n == 0:
	case len(e.remove) == n && e.add != nil:
		e.change(entries[0].Start, entries[n-1].End, text)
	case len(e.remove) == n:
		padded := e.Data[entries[0].Start-1] == ' ' && e.Data[entries[n-1].End] == ' '
		e.change(entries[0].Start-1, entries[n-1].End+1, "")
		return !padded, nil
	default:
		if e.add != nil {
			e.change(entries[0].Start, entries[0].Start, text+e.separator(at+1, entries[0].Start))
		}
		e.cut(entries)
	}
	return false, nil
}

// cut removes some of the entries of a list in brackets, each with the comma behind it. The last ones go with those in front.
func (e *editor) cut(entries []yamltext.Entry) {
	keep := len(entries) // from here on all go
	for keep > 0 && e.removes(keep-1) {
		keep--
	}
	for i := range keep {
		if e.removes(i) {
			e.change(entries[i].Start, entries[i+1].Start, "")
		}
	}
	if keep < len(entries) {
		e.change(entries[keep-1].End, entries[len(entries)-1].End, "")
	}
}

func (e *editor) removes(i int) bool {
	for _, each := range e.remove {
		if each == i {
			return true
		}
	}
	return false
}
