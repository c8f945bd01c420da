package values

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Limits of one input. The real sylva-units values are 0.4 MB, 10,000 nodes and 20 levels deep.
const (
	maxBytes = 64 << 20
	maxDepth = 1000
	maxNodes = 2_000_000 // with every alias written out
	maxMerge = 500_000   // written out by merge keys, which copy
)

// Parse reads one YAML document as Helm does: YAML 1.1 scalars, non-string keys made strings, merge keys resolved. An empty
// document is an empty map. Refused, where Helm guesses: a top level that is not a map, duplicate keys, a second document.
// Errors are *Error.
func Parse(file string, data []byte) (*Node, error) {
	documents, err := decode(file, data)
	if err != nil {
		return nil, err
	}
	return single(file, documents)
}

// single makes the values of a file's only document: Helm reads the first one, and an empty one that stands in front is the first.
func single(file string, documents []*yaml.Node) (*Node, error) {
	for i, document := range documents {
		if i == 0 || document == nil {
			continue
		}
		at := Position{File: file, Line: document.Line, Column: document.Column}
		return nil, &Error{At: at, Text: "a second YAML document: Helm 3 reads only the first and Helm 4 merges them; use one document a file"}
	}
	if len(documents) == 0 || documents[0] == nil {
		root := Empty()
		root.At = Position{File: file, Line: 1, Column: 1}
		return root, nil
	}
	return root(file, documents[0], Map)
}

// ParseAll reads a stream of YAML documents, each a map or a list, in the same way. Empty documents are left out.
func ParseAll(file string, data []byte) ([]*Node, error) {
	documents, err := decode(file, data)
	if err != nil {
		return nil, err
	}
	roots := make([]*Node, 0, len(documents))
	for _, document := range documents {
		if document == nil {
			continue
		}
		n, err := root(file, document, Map, List)
		if err != nil {
			return nil, err
		}
		roots = append(roots, n)
	}
	return roots, nil
}

// root converts the top level of a document, which must be of one of the kinds.
func root(file string, document *yaml.Node, kinds ...Kind) (*Node, error) {
	c := &converter{file: file, anchors: map[*yaml.Node]anchor{}}
	n, _, err := c.node(document, 0)
	if err != nil {
		return nil, err
	}
	if n.Kind == Unknown || encryptedWhole(n) {
		return nil, c.fail(document, "encrypted with SOPS as a whole: not even its keys can be read, decrypt it first")
	}
	if !slices.Contains(kinds, n.Kind) {
		return nil, c.fail(document, fmt.Sprintf("the top level is %s: a map of keys is due", n.Kind))
	}
	return n, nil
}

// encryptedWhole reports whether a map is what SOPS makes of a file that it does not know the format of.
func encryptedWhole(n *Node) bool {
	data, sops := n.Get("data"), n.Get("sops")
	return data != nil && data.Kind == Unknown && sops != nil && sops.Kind == Map && len(n.Fields) == 2
}

// decode returns the contents of the documents, nil for one that is empty.
func decode(file string, data []byte) (contents []*yaml.Node, err error) {
	if len(data) > maxBytes {
		return nil, &Error{At: Position{File: file}, Text: fmt.Sprintf("%d bytes: at most %d are read", len(data), maxBytes)}
	}
	defer func() {
		if r := recover(); r != nil {
			contents, err = nil, &Error{At: Position{File: file}, Text: fmt.Sprintf("the YAML cannot be read: %v", r)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return contents, nil
		} else if err != nil {
			return nil, syntaxError(file, data, err)
		}
		var content *yaml.Node
		if len(document.Content) > 0 && document.Content[0].Tag != "!!null" {
			content = document.Content[0]
		}
		contents = append(contents, content)
	}
}
