// Package dependson changes spec.dependsOn of a Flux Kustomization in its text. Nothing else of the text changes, and what is added
// and then removed leaves no trace, with one exception: a dependsOn that is null comes back as an empty list.
package dependson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// Entry is an entry of dependsOn (kustomize.toolkit.fluxcd.io/v1).
type Entry struct {
	Name      string `json:"name"`
	ReadyExpr string `json:"readyExpr,omitempty"` // of Flux 2.7 and newer
}

// Edit removes the entries of some indexes, and puts add, where it is not nil, in front of the others. A list that is left without
// entries goes with its key, unless it was there, empty, before something was added.
//
// text is the object as an entry of a list: lines of block style with their dash, or a flow mapping.
func Edit(text []byte, remove []int, add *Entry) ([]byte, error) {
	e := &editor{Text: yamltext.New("", text), remove: remove, add: add}
	if err := e.find(); err != nil {
		return nil, err
	}
	return e.apply(), nil
}

// editor collects the changes of one text.
type editor struct {
	*yamltext.Text
	remove  []int
	add     *Entry
	wide    bool // lists are indented below their keys
	changes []change
}

// change puts a text in the place of a span.
type change struct {
	yamltext.Span
	text string
}

func (e *editor) change(start, end int, text string) {
	e.changes = append(e.changes, change{yamltext.Span{Start: start, End: end}, text})
}

func (e *editor) apply() []byte {
	slices.SortStableFunc(e.changes, func(a, b change) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	var out []byte
	at := 0
	for _, c := range e.changes {
		out = append(out, e.Data[at:c.Start]...)
		out = append(out, c.text...)
		at = c.End
	}
	return append(out, e.Data[at:]...)
}

// errNoSpec is for an object that is no Kustomization to Flux.
var errNoSpec = errors.New("it has no spec with fields: Flux takes no such Kustomization")

// find goes to spec.dependsOn and has it changed there.
func (e *editor) find() error {
	if bytes.HasPrefix(e.Data, []byte("{")) {
		return e.object(0)
	}
	b := &block{editor: e, column: -1, below: -1, list: -1}
	lines := e.Lines(0)
	for {
		line, err := lines.Next()
		if err != nil {
			return err
		}
		if line == nil {
			return b.end()
		}
		if b.column < 0 && line.Key.Empty() && line.Kind == yamltext.Flow {
			return e.object(line.Value.Start)
		}
		if done, err := b.line(line); done || err != nil {
			return err
		}
	}
}

// object edits an object in flow style.
func (e *editor) object(at int) error {
	entries, _, err := e.Entries(at)
	if err != nil {
		return err
	}
	i := indexOf(e.Data, entries, "spec")
	if i < 0 || entries[i].Value.Empty() || e.Data[entries[i].Value.Start] != '{' {
		return errNoSpec
	}
	return e.flowSpec(entries[i].Value.Start)
}

func indexOf(data []byte, entries []yamltext.Entry, key string) int {
	return slices.IndexFunc(entries, func(entry yamltext.Entry) bool { return isKey(entry.Key.Of(data), key) })
}

func isKey(text []byte, key string) bool {
	unquoted := strings.Trim(string(text), `"'`)
	return unquoted == key
}

// flow is the entry in flow style, which is JSON as well.
func (entry *Entry) flow() string {
	text := `{"name": ` + quoted(entry.Name)
	if entry.ReadyExpr != "" {
		text += `, "readyExpr": ` + quoted(entry.ReadyExpr)
	}
	return text + "}"
}

// block is the entry in block style, its dash in a column.
func (entry *Entry) block(column int, newline string) string {
	margin := strings.Repeat(" ", column)
	name := entry.Name
	if !plainName.MatchString(name) || slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, name) {
		name = quoted(name)
	}
	text := margin + "- name: " + name + newline
	if entry.ReadyExpr != "" {
		text += margin + "  readyExpr: " + quoted(entry.ReadyExpr) + newline
	}
	return text
}

// plainName is a name that YAML takes for a text without quotes, but for a few words.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// quoted is a text as a JSON string, which YAML reads as well.
func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string always has a JSON form
	return strings.TrimSuffix(out.String(), "\n")
}

func wrongList(what string) error {
	return fmt.Errorf("spec.dependsOn is %s, where a list is due", what)
}
