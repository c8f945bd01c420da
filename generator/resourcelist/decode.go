package resourcelist

import (
	"bytes"
	"fmt"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// check looks at the head of the list, and decodes its functionConfig.
func (l *List) check() error {
	s := &l.shape
	if s.kind != "ResourceList" {
		return notAList(fmt.Sprintf("the kind is %q", s.kind))
	}
	if !slices.Contains(apiVersions(), s.apiVersion) {
		return notAList(fmt.Sprintf("the apiVersion is %q", s.apiVersion))
	}
	l.APIVersion = s.apiVersion
	if l.text.Anchors {
		return l.decodeAll()
	}
	if s.config.Empty() {
		return nil
	}
	root, err := l.parsePart(s.config, nil)
	if err != nil {
		return err
	}
	l.Config = root
	if !s.flow {
		l.Config = root.Get("functionConfig")
	}
	return nil
}

// decodeAll decodes the whole stream: an alias may stand in another item than its anchor.
func (l *List) decodeAll() error {
	all, err := values.Parse(File, l.text.Data)
	if err != nil {
		return err
	}
	l.all, l.Config = all, all.Get("functionConfig")
	items := all.Get("items")
	if count := len(items.List()); count != len(l.Items) {
		return notAList(fmt.Sprintf("its %d items were found to be %d", count, len(l.Items)))
	}
	for i, node := range items.List() {
		if node.Kind != values.Map {
			return l.noObject(i, node.At, node.Kind.String())
		}
		l.Items[i].Identity = identityOf(node)
	}
	return nil
}

func (l *List) noObject(i int, at values.Position, what string) error {
	return &values.Error{At: at, Path: []string{"items", fmt.Sprintf("[%d]", i)}, Text: what + ", where an object is due"}
}

// Decode is an item with the places of its values in the stream.
func (l *List) Decode(item *Item) (*values.Node, error) {
	switch {
	case item.made:
		return l.decodeText(item.text, item.Flow)
	case l.all != nil:
		return l.all.Get("items").Items[item.index], nil
	case item.Flow:
		return l.parsePart(item.span, nil)
	}
	return oneItem(l.parsePart(item.span, []byte("items:\n")))
}

// oneItem is the item of a list that was decoded.
func oneItem(root *values.Node, err error) (*values.Node, error) {
	if err != nil {
		return nil, err
	}
	items := root.Get("items").List()
	if len(items) != 1 {
		return nil, &values.Error{At: values.Position{File: File}, Text: fmt.Sprintf("an item was found to be %d", len(items))}
	}
	return items[0], nil
}

func (l *List) decodeText(text []byte, isFlow bool) (*values.Node, error) {
	if isFlow {
		return values.Parse(File, text)
	}
	return oneItem(values.Parse(File, append([]byte("items:\n"), text...)))
}

// identify decodes an item of the stream for its identity. The places of its values are looked for only where it cannot be decoded: to
// count lines for each of many items would cost their square.
func (l *List) identify(item *Item) error {
	node, err := l.decodeText(item.span.Of(l.text.Data), item.Flow)
	if err != nil {
		if _, placed := l.Decode(item); placed != nil {
			return placed
		}
		return err
	}
	if node.Kind != values.Map {
		return l.noObject(item.index, l.text.Position(item.span.Start), node.Kind.String())
	}
	item.Identity = identityOf(node)
	return nil
}

// parsePart decodes a part of the stream. Blank lines in front keep the line numbers those of the stream, a line of heading among them.
func (l *List) parsePart(span yamltext.Span, heading []byte) (*values.Node, error) {
	at := l.text.Position(span.Start)
	lines := at.Line - 1 - bytes.Count(heading, []byte("\n"))
	part := append(bytes.Repeat([]byte("\n"), max(0, lines)), heading...)
	part = append(part, bytes.Repeat([]byte(" "), at.Column-1)...)
	return values.Parse(File, append(part, span.Of(l.text.Data)...))
}

// identityOf reads the identity of a decoded object.
func identityOf(node *values.Node) Identity {
	text := func(path ...string) string {
		n := node.Get(path...)
		if n == nil || n.Kind == values.Null {
			return ""
		}
		return n.Text
	}
	return Identity{APIVersion: text("apiVersion"), Kind: text("kind"), Namespace: text("metadata", "namespace"), Name: text("metadata", "name")}
}
