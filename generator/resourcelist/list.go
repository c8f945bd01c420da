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
func apiVersions() []string {
	return []string{"config.kubernetes.io/v1", "config.kubernetes.io/v1beta1"}
}

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
