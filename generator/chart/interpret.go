package chart

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// maxDepth bounds templates that print templates; the real values need 4.
const maxDepth = 60

type nodeKey struct {
	node  *values.Node
	phase phase
}

// walk follows path from n, interpreting no more than the way needs, and interprets what it finds there. It returns nil where there
// is nothing, and the Unknown that stops it.
func (e *Engine) walk(n *values.Node, path []string, p phase) *values.Node {
	for n != nil {
		p = e.of(n, p)
		switch {
		case p.pass == passRaw:
			return n.Get(path...)
		case len(path) == 0:
			return kept(e.interpret(n, p))
		case n.Kind == values.Map && n.Partial == "":
			n, path = e.field(n, path[0], p), path[1:]
		case n.Kind == values.Map:
			return unknown(n.At, n.Partial)
		case n.Kind == values.Unknown:
			return n
		case isTemplate(n):
			made := e.interpret(n, p)
			if made == n || isTemplate(made) {
				return nil
			}
			n = made
		default:
			return nil
		}
	}
	return nil
}

// field is the value of a key, which may be written as a template. Of several that come out the same the last in sorted order counts.
func (e *Engine) field(n *values.Node, key string, p phase) *values.Node {
	found := n.Fields[key]
	if !e.hasTemplatedKey(n) {
		return found
	}
	for _, name := range n.Keys() {
		if !gotpl.IsTemplate(name) {
			if name == key {
				found = n.Fields[name]
			}
			continue
		}
		switch made := e.text(name, p, n.Fields[name].KeyAt, false); {
		case made.Kind == values.Unknown:
			return made
		case made.Scalar == key:
			found = n.Fields[name]
		}
	}
	return found
}

func (e *Engine) hasTemplatedKey(n *values.Node) bool {
	for key := range n.Fields {
		if strings.Contains(key, "{{") {
			return true
		}
	}
	return false
}

// interpret is interpret-inner-gotpl (templates/_interpret-values.tpl): every template in n replaced by what it makes.
func (e *Engine) interpret(n *values.Node, p phase) *values.Node {
	p = e.of(n, p)
	if p.pass == passRaw {
		return n
	}
	switch n.Kind {
	case values.String:
		if !isTemplate(n) {
			return n
		}
	case values.Map, values.List:
	default:
		return n
	}
	key := nodeKey{n, p}
	if made, ok := e.nodes[key]; ok {
		return made
	}
	if e.busy[key] {
		return unknown(n.At, "the value refers to itself")
	}
	e.busy[key] = true
	defer delete(e.busy, key)
	var made *values.Node
	switch n.Kind {
	case values.String:
		made = e.text(n.Scalar.(string), p, n.At, n.Secret)
	case values.Map:
		made = e.interpretMap(n, p)
	default:
		made = e.interpretList(n, p)
	}
	if made.KeyAt.Line == 0 && n.KeyAt.Line > 0 {
		twin := *made
		twin.KeyAt = n.KeyAt
		made = &twin
	}
	e.nodes[key] = made
	return made
}

func (e *Engine) interpretMap(n *values.Node, p phase) *values.Node {
	if raw := n.Fields["(raw)"]; raw != nil && len(n.Fields) == 1 && raw.Kind == values.String {
		shielded := *raw
		shielded.Scalar = strings.ReplaceAll(raw.Scalar.(string), "{{", "《") // as the chart shields what is no template
		return &shielded
	}
	out := &values.Node{Kind: values.Map, Fields: make(map[string]*values.Node, len(n.Fields)), At: n.At, KeyAt: n.KeyAt, Partial: n.Partial, Secret: n.Secret}
	for _, key := range n.Keys() {
		field := n.Fields[key]
		name := key
		if gotpl.IsTemplate(key) {
			made := e.text(key, p, field.KeyAt, n.Secret)
			if made.Kind != values.String {
				out.Partial = fmt.Sprintf("the key %s of a map: %s", quoteUnless(n.Secret, key), made.Why)
			} else {
				name = made.Scalar.(string)
			}
		}
		made := e.interpret(field, p)
		switch {
		case skipped(made):
			continue
		case maySkip(field, made):
			out.Partial = made.Why
		}
		out.Fields[name] = made
	}
	return out
}

func (e *Engine) interpretList(n *values.Node, p phase) *values.Node {
	out := &values.Node{Kind: values.List, Items: make([]*values.Node, 0, len(n.Items)), At: n.At, KeyAt: n.KeyAt, Partial: n.Partial, Secret: n.Secret}
	for _, item := range n.Items {
		made := e.interpret(item, p)
		switch {
		case skipped(made):
			continue
		case maySkip(item, made):
			out.Partial = made.Why
		}
		out.Items = append(out.Items, made)
	}
	return out
}

// text runs one template text and interprets what it prints.
func (e *Engine) text(text string, p phase, at values.Position, secret bool) *values.Node {
	if e.depth++; e.depth > maxDepth {
		e.depth--
		return &values.Node{Kind: values.Unknown, Fails: true, At: at, Why: "a template that prints templates without end"}
	}
	defer func() { e.depth-- }()
	output, err := e.lib.Parse(text).Run(reader{e, p}, e.context)
	if err != nil {
		return e.lostText(err, at, secret)
	}
	made, err := typed(output, at)
	if err != nil {
		return e.lostText(err, at, secret)
	}
	made.Secret = secret
	return e.interpret(made, p)
}

// lostText is the value of a template that does not come to an end, with its place in the reason.
func (e *Engine) lostText(err error, at values.Position, secret bool) *values.Node {
	why := err.Error()
	if secret {
		why = "a template in a Secret that cannot be evaluated here"
	}
	if place := at.String(); place != "" && !placed.MatchString(why) {
		why += " (" + place + ")"
	}
	var failure *gotpl.Failure
	return &values.Node{Kind: values.Unknown, Why: why, At: at, Fails: errors.As(err, &failure), Secret: secret}
}

var placed = regexp.MustCompile(`:\d+:\d+\)$`)

// typed takes a template's output for what it is: JSON wrapped by preserve-type and its kin, or a string.
func typed(output string, at values.Position) (*values.Node, error) {
	if !strings.HasPrefix(strings.TrimLeft(output, " \n"), `{"`+resultKey+`":`) {
		if err := gotpl.Output(output); err != nil {
			return nil, err
		}
		return values.FromGo(output, at, unhole(at)), nil
	}
	value, err := gotpl.FromJSON(output)
	if err != nil {
		return nil, &gotpl.Failure{Why: "text stands beside a typed result"}
	}
	return values.FromGo(value.(map[string]any)[resultKey], at, unhole(at)), nil
}

func isTemplate(n *values.Node) bool {
	return n != nil && n.Kind == values.String && gotpl.IsTemplate(n.Scalar.(string))
}

// kept is n unless the chart would leave it out.
func kept(n *values.Node) *values.Node {
	if skipped(n) {
		return nil
	}
	return n
}

func skipped(n *values.Node) bool { return n.Kind == values.String && n.Scalar == skipResult }

// maySkip reports whether a value that is not known may turn out to be left out.
func maySkip(written, made *values.Node) bool {
	if made.Kind != values.Unknown || written.Kind != values.String {
		return false
	}
	text := written.Scalar.(string)
	return strings.Contains(text, "set-only-if") || strings.Contains(text, "set-if-defined")
}

func quoteUnless(secret bool, text string) string {
	if secret {
		return "(redacted)"
	}
	return fmt.Sprintf("%q", text)
}
