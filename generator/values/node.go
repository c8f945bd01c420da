// Package values reads Sylva values as Helm does, and keeps what Helm throws away: where each value stands and how it was
// written, so that reasons, warnings and errors can name file, line and column.
package values

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Kind is the type of a value, as Helm types it.
type Kind uint8

// The kinds of a node. Unknown is a value that exists and cannot be read here: encrypted, or set by the cluster.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
	Unknown
)

// String is the kind's name in messages.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "a map", "unknown"}[k]
}

// Position is a place in a source: file as the user named it, line and column from 1. The zero Position is nowhere.
type Position struct {
	File         string
	Line, Column int
}

// String is file:line:column, or the file alone where the place inside it has no meaning (a flag).
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Node is a value with its place. Nodes are never changed once made: merged trees share them.
type Node struct {
	Kind    Kind
	Scalar  any              // bool, float64 or string, by Kind
	Text    string           // a scalar's source text: 10.10 stays 10.10
	Plain   bool             // a scalar written without quotes
	Fields  map[string]*Node // by Kind Map
	Items   []*Node          // by Kind List
	At      Position         // the value
	KeyAt   Position         // the key that holds it
	Why     string           // by Kind Unknown: the reason
	Fails   bool             // by Kind Unknown: the reason is a template that fails, so that no chart would come of it
	Partial string           // by Kind Map or List: why other fields or items than these may be there
	Secret  bool             // came from a Secret: never printed
}

// Empty is a map without fields.
func Empty() *Node { return &Node{Kind: Map, Fields: map[string]*Node{}} }

// Get walks the keys of nested maps. It returns nil where a key is absent or a value on the way is not a map.
func (n *Node) Get(path ...string) *Node {
	for _, key := range path {
		if n == nil || n.Kind != Map {
			return nil
		}
		n = n.Fields[key]
	}
	return n
}

// AsText is the source text of a scalar; empty for all else, and where n is nil.
func (n *Node) AsText() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// Is reports whether n is the boolean b.
func (n *Node) Is(b bool) bool { return n != nil && n.Kind == Bool && n.Scalar == b }

// List are the items of a list, none where n is nil or no list.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Deepest walks as far along path as there are nodes and returns the last one with the number of keys it took.
func (n *Node) Deepest(path ...string) (*Node, int) {
	for i, key := range path {
		next := n.Get(key)
		if next == nil {
			return n, i
		}
		n = next
	}
	return n, len(path)
}

// Keys are a map's keys, sorted: the order in which Go templates range over them.
func (n *Node) Keys() []string {
	if n == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(n.Fields))
}

// Where is the place to name for a node: its key, or itself where it has none.
func (n *Node) Where() Position {
	if n == nil {
		return Position{}
	}
	if n.KeyAt.Line > 0 {
		return n.KeyAt
	}
	return n.At
}

// Set returns a tree in which path holds value, or nothing for nil, made of n's own nodes but for those on the path.
func (n *Node) Set(value *Node, path ...string) *Node {
	if len(path) == 0 {
		return value
	}
	out := &Node{Kind: Map, Fields: map[string]*Node{}}
	if n != nil && n.Kind == Map {
		out.At, out.KeyAt = n.At, n.KeyAt
		maps.Copy(out.Fields, n.Fields)
	}
	if next := n.Get(path[0]).Set(value, path[1:]...); next != nil {
		out.Fields[path[0]] = next
	} else {
		delete(out.Fields, path[0])
	}
	return out
}

// Go is the node as plain Go values, fresh at every call, the way Helm hands values to templates: map[string]any, []any, string,
// float64, bool, nil. hole makes the stand-in for what is not known.
func (n *Node) Go(hole func(*Node) any) any {
	switch {
	case n == nil || n.Kind == Null:
		return nil
	case n.Kind == Unknown || n.Partial != "":
		return hole(n)
	case n.Kind == Map:
		out := make(map[string]any, len(n.Fields))
		for key, field := range n.Fields {
			out[key] = field.Go(hole)
		}
		return out
	case n.Kind == List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = item.Go(hole)
		}
		return out
	}
	return n.Scalar
}

// FromGo makes a node of plain Go values, all of it standing at one place. unhole makes the node of a stand-in, nil for any other value.
func FromGo(value any, at Position, unhole func(any) *Node) *Node {
	n := &Node{At: at}
	switch v := value.(type) {
	case nil:
	case bool:
		n.Kind, n.Scalar = Bool, v
	case string:
		n.Kind, n.Scalar, n.Text = String, v, v
	case map[string]any:
		n.Kind, n.Fields = Map, make(map[string]*Node, len(v))
		for key, field := range v {
			n.Fields[key] = FromGo(field, at, unhole)
		}
	case []any:
		n.Kind, n.Items = List, make([]*Node, len(v))
		for i, item := range v {
			n.Items[i] = FromGo(item, at, unhole)
		}
	default:
		if held := unhole(value); held != nil {
			return held
		}
		return fromNumber(n, value)
	}
	return n
}

func fromNumber(n *Node, value any) *Node {
	v := reflect.ValueOf(value)
	switch {
	case v.CanFloat():
		n.Kind, n.Scalar = Number, v.Float()
	case v.CanInt():
		n.Kind, n.Scalar = Number, float64(v.Int())
	case v.CanUint():
		n.Kind, n.Scalar = Number, float64(v.Uint())
	default:
		n.Kind, n.Why = Unknown, fmt.Sprintf("a %T is no value", value)
	}
	n.Text = fmt.Sprint(value)
	return n
}

// AsSecret is the same tree, every node of it marked as coming from a Secret.
func (n *Node) AsSecret() *Node {
	if n == nil {
		return nil
	}
	out := *n
	out.Secret = true
	if n.Fields != nil {
		out.Fields = make(map[string]*Node, len(n.Fields))
		for key, field := range n.Fields {
			out.Fields[key] = field.AsSecret()
		}
	}
	if n.Items != nil {
		out.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			out.Items[i] = item.AsSecret()
		}
	}
	return &out
}
