package values

import "go.yaml.in/yaml/v3"

// Document parses one YAML document and returns the parser's own nodes beside the values: for edits of the text, which need to know how
// a value is written. It refuses what Parse refuses; the nodes of an empty document are nil.
func Document(file string, data []byte) (*yaml.Node, *Node, error) {
	documents, err := decode(file, data)
	if err != nil {
		return nil, nil, err
	}
	n, err := single(file, documents)
	if err != nil || len(documents) == 0 {
		return nil, n, err
	}
	return documents[0], n, nil
}
