// Package resourcelist reads and changes a ResourceList, the wire format of KRM functions, as text: an item that is not changed leaves
// byte for byte as it came, with its comments, quotes, order of keys and annotations, and costs next to nothing.
package resourcelist

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// MaxBytes is the size of the largest stream that is read: kustomize's own functions need gigabytes for a tenth of it.
const MaxBytes = 512 << 20

// File is the name of the stream in messages.
const File = "stdin"

// apiVersions are those of the functions specification, which have the same shape.
var apiVersions = []string{"config.kubernetes.io/v1", "config.kubernetes.io/v1beta1"}

// Identity is what tells one object from another.
type Identity struct{ APIVersion, Kind, Namespace, Name string }

// Group is the API group, without the version.
func (id Identity) Group() string {
	group, _, ok := bytes.Cut([]byte(id.APIVersion), []byte("/"))
	if !ok {
		return ""
	}
	return string(group)
}

// String is Kind namespace/name.
func (id Identity) String() string {
	if id.Namespace == "" {
		return id.Kind + " " + id.Name
	}
	return id.Kind + " " + id.Namespace + "/" + id.Name
}

// Item is one object of the list.
type Item struct {
	Identity
	Flow bool // written in flow style, as JSON is

	before []byte // what stands between the item and the one before it
	text   []byte
	span   yamltext.Span // in the stream as it came
	index  int           // there
	made   bool          // the text is not that of the stream
}

// List is a ResourceList.
type List struct {
	APIVersion string
	Items      []*Item
	Config     *values.Node // functionConfig, nil where there is none

	text   *yamltext.Text
	all    *values.Node // the decoded stream, where anchors make a decoding in parts impossible
	shape  shape
	output output
}

// Read takes a ResourceList from a stream, of up to limit bytes. Anything else is refused with what is accepted.
func Read(in io.Reader, limit int64) (*List, error) {
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", File, err)
	}
	if int64(len(data)) > limit {
		return nil, &values.Error{At: values.Position{File: File}, Text: fmt.Sprintf("over %d bytes: more is not read", limit)}
	}
	return Parse(data)
}

// Is reports whether a text looks like a ResourceList, so that an error is to be told in a function's way.
func Is(data []byte) bool { return bytes.Contains(data, []byte("ResourceList")) }

// Parse takes a ResourceList in block or flow style; JSON is flow style. The list keeps the data and does not change it.
func Parse(data []byte) (*List, error) {
	l := &List{}
	body := bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := checkText(data); err != nil {
		return nil, err
	}
	l.text = yamltext.New(File, data)
	start := len(data) - len(body)
	first := bytes.TrimLeft(body, " \t\r\n")
	var err error
	switch {
	case len(first) == 0:
		return nil, notAList("it is empty")
	case first[0] == '{':
		err = l.parseFlow(len(data) - len(first))
	default:
		err = l.parseBlock(start)
	}
	if err != nil {
		return nil, err
	}
	return l, l.check()
}

// checkText refuses what no YAML parser takes.
func checkText(data []byte) error {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return &values.Error{At: values.Position{File: File, Line: 1, Column: 1}, Text: "UTF-16: a ResourceList is read as UTF-8"}
	}
	text := yamltext.Text{File: File, Data: data}
	if !utf8.Valid(data) {
		for offset := 0; offset < len(data); {
			r, size := utf8.DecodeRune(data[offset:])
			if r == utf8.RuneError && size == 1 {
				return &values.Error{At: text.Position(offset), Text: "a byte that is no UTF-8"}
			}
			offset += size
		}
	}
	isControl := func(c byte) bool { return c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f }
	if i := slices.IndexFunc(data, isControl); i >= 0 {
		return &values.Error{At: text.Position(i), Text: fmt.Sprintf("the control character %#x, which YAML does not allow", data[i])}
	}
	return nil
}

func notAList(what string) error {
	return &values.Error{At: values.Position{File: File}, Text: "a ResourceList of config.kubernetes.io/v1 or v1beta1 is due, as kustomize gives it to a function; " + what}
}

// check looks at the head of the list, and decodes its functionConfig.
func (l *List) check() error {
	s := &l.shape
	if s.kind != "ResourceList" {
		return notAList(fmt.Sprintf("the kind is %q", s.kind))
	}
	if !slices.Contains(apiVersions, s.apiVersion) {
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
	if count := len(nodeItems(items)); count != len(l.Items) {
		return notAList(fmt.Sprintf("its %d items were found to be %d", count, len(l.Items)))
	}
	for i, node := range nodeItems(items) {
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

func nodeItems(n *values.Node) []*values.Node {
	if n == nil {
		return nil
	}
	return n.Items
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
	items := nodeItems(root.Get("items"))
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
