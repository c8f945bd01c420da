package function

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/dependson"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// hold makes metallb's Kustomization wait for the unit's.
func (r *run) hold() error {
	item, err := r.held()
	if err != nil {
		return err
	}
	if item == nil {
		r.tellNotHeld()
		return nil
	}
	there, err := r.unitIsThere()
	if err == nil && !there {
		err = fmt.Errorf("%s would wait for ever: the Kustomization %s is not in the stream, and spec.emit does not have Kustomization", item, r.names.unit)
	}
	if err != nil {
		return err
	}
	e, err := r.edges(item)
	if err != nil {
		return err
	}
	want := &dependson.Entry{Name: r.names.unit}
	if e.root == "" && r.config.ReadyExpr {
		want.ReadyExpr = readyExpr(r.images)
	}
	if err := e.change(r.list, want); err != nil {
		return err
	}
	r.tellHeld(item, e.root != "", want.ReadyExpr != "")
	return nil
}

// release takes the unit's Kustomization out of what metallb's waits for.
func (r *run) release() error {
	item, err := r.held()
	if item == nil || err != nil {
		return err
	}
	e, err := r.edges(item)
	if err != nil {
		return err
	}
	return e.change(r.list, nil)
}

// edges is the dependsOn of a Kustomization.
type edges struct {
	item *resourcelist.Item
	node *values.Node
	list []*values.Node
	ours []int  // the indexes of the entries that name the unit's Kustomization
	root string // the Kustomization of Sylva's root-dependency unit that is among them, "" for none
}

func (r *run) edges(item *resourcelist.Item) (*edges, error) {
	node, err := r.list.Decode(item)
	if err != nil {
		return nil, err
	}
	e := &edges{item: item, node: node}
	field := node.Get("spec", "dependsOn")
	if field == nil || field.Kind == values.Null {
		return e, nil
	}
	if field.Kind != values.List {
		return nil, &values.Error{At: field.Where(), Text: fmt.Sprintf("%s: spec.dependsOn is %s, where a list is due", item, field.Kind)}
	}
	e.list = field.Items
	for i, entry := range e.list {
		name, namespace := text(entry.Get("name")), text(entry.Get("namespace"))
		if name == "" {
			return nil, &values.Error{At: entry.At, Text: fmt.Sprintf("%s: spec.dependsOn[%d] has no name", item, i)}
		}
		if name == r.names.unit && (namespace == "" || namespace == r.namespace) {
			e.ours = append(e.ours, i)
		}
		if strings.HasPrefix(name, rootPrefix) {
			e.root = name
		}
	}
	return e, nil
}

func text(node *values.Node) string {
	if node == nil || node.Kind == values.Null {
		return ""
	}
	return node.Text
}

// change has the list name the unit's Kustomization once, as wanted, or not at all. An entry that is as wanted stays where it is.
func (e *edges) change(list *resourcelist.List, want *dependson.Entry) error {
	remove := slices.Clone(e.ours)
	add := want
	for i, index := range e.ours {
		if want != nil && e.fits(e.list[index], want) {
			remove, add = slices.Delete(remove, i, i+1), nil
			break
		}
	}
	if add == nil && len(remove) == 0 {
		return nil
	}
	changed, err := dependson.Edit(e.item.Text(), remove, add)
	if err != nil {
		return fmt.Errorf("%s: %w", e.item, err)
	}
	list.SetText(e.item, changed)
	return e.check(list, remove, add)
}

// fits reports whether an entry is as wanted. A readyExpr of a user's own stays where none is wanted.
func (e *edges) fits(entry *values.Node, want *dependson.Entry) bool {
	expression := text(entry.Get("readyExpr"))
	return expression == want.ReadyExpr || want.ReadyExpr == "" && !strings.HasPrefix(expression, ownExpr)
}

// check decodes the text that came out: nothing but the list may have changed, and that as intended.
func (e *edges) check(list *resourcelist.List, remove []int, add *dependson.Entry) error {
	intended := plain(e.node)
	var entries []any
	if add != nil {
		entry := map[string]any{"name": add.Name}
		if add.ReadyExpr != "" {
			entry["readyExpr"] = add.ReadyExpr
		}
		entries = append(entries, entry)
	}
	for i, entry := range e.list {
		if !slices.Contains(remove, i) {
			entries = append(entries, entry.Go(func(*values.Node) any { return nil }))
		}
	}
	setEdges(intended, entries)
	node, err := list.Decode(e.item)
	if err != nil {
		return fmt.Errorf("%s: %w (%w)", e.item, errInPlace, err)
	}
	got := plain(node)
	var found []any
	if spec, ok := got["spec"].(map[string]any); ok {
		found, _ = spec["dependsOn"].([]any)
	}
	setEdges(got, found)
	if !reflect.DeepEqual(intended, got) {
		return fmt.Errorf("%s: %w", e.item, errInPlace)
	}
	return nil
}

// setEdges puts a list into an object; an empty one is none.
func setEdges(object map[string]any, entries []any) {
	spec, isMap := object["spec"].(map[string]any)
	switch {
	case len(entries) == 0:
		delete(spec, "dependsOn")
	case isMap:
		spec["dependsOn"] = entries
	default:
		object["spec"] = map[string]any{"dependsOn": entries}
	}
}
