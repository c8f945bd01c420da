package values

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Limits of one input. The real sylva-units values are 0.4 MB, 10,000 nodes and 20 levels deep.
const (
	maxBytes = 64 << 20
	maxDepth = 1000
	maxNodes = 2_000_000 // with every alias written out
)

// Parse reads one YAML document as Helm does: YAML 1.1 scalars, non-string keys made strings, merge keys resolved. An empty
// document is an empty map. Refused, where Helm guesses: a top level that is not a map, duplicate keys, a second document.
// Errors are *Error.
func Parse(file string, data []byte) (*Node, error) {
	if len(data) > maxBytes {
		return nil, &Error{At: Position{File: file}, Text: fmt.Sprintf("%d bytes: at most %d are read", len(data), maxBytes)}
	}
	document, err := decode(file, data)
	if err != nil {
		return nil, err
	}
	if document == nil {
		root := Empty()
		root.At = Position{File: file, Line: 1, Column: 1}
		return root, nil
	}
	c := &converter{file: file, anchors: map[*yaml.Node]anchor{}}
	root, _, err := c.node(document, 0)
	if err != nil {
		return nil, err
	}
	switch root.Kind {
	case Null:
		root = &Node{Kind: Map, Fields: map[string]*Node{}, At: root.At}
	case Map:
	default:
		return nil, c.fail(document, fmt.Sprintf("the top level is %s: values are a map of keys", root.Kind))
	}
	return root, nil
}

// decode returns the content of the only document, nil where there is none.
func decode(file string, data []byte) (content *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			content, err = nil, &Error{At: Position{File: file}, Text: fmt.Sprintf("the YAML cannot be read: %v", r)}
		}
	}()
	var first, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, syntaxError(file, data, err)
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, syntaxError(file, data, err)
	case len(second.Content) > 0 && second.Content[0].Tag != "!!null":
		at := Position{File: file, Line: second.Content[0].Line, Column: second.Content[0].Column}
		return nil, &Error{At: at, Text: "a second YAML document: Helm 3 reads only the first and Helm 4 merges them; use one document a file"}
	}
	return first.Content[0], nil
}
