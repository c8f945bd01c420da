package resourcelist

import (
	"bytes"
	"strings"

	"sigs.k8s.io/yaml"
)

// The severities of a result.
const (
	Error   = "error"
	Warning = "warning"
	Info    = "info"
)

// Result is what a function has to say (KRM functions specification, results).
type Result struct {
	Message     string            `json:"message"`
	Severity    string            `json:"severity"`
	ResourceRef *Reference        `json:"resourceRef,omitempty"`
	Field       *Field            `json:"field,omitempty"`
	File        *Path             `json:"file,omitempty"`
	Tags        map[string]string `json:"tags,omitempty"`
}

// Reference names an object.
type Reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Namespace  string `json:"namespace,omitempty"`
}

// Field is a field of the object, by its path.
type Field struct {
	Path string `json:"path"`
}

// Path is a file of the package that the object came from, with its index there.
type Path struct {
	Path  string `json:"path"`
	Index int    `json:"index,omitempty"`
}

// SetResults gives the list results, in the place of those that it came with.
func (l *List) SetResults(results []Result) error {
	o := &l.output
	if len(results) == 0 {
		o.results = nil
		return nil
	}
	if o.inFlow {
		text, err := oneLine(results)
		o.results = append([]byte(`, "results": `), text...)
		return err
	}
	data, err := yaml.Marshal(map[string]any{"results": results})
	o.results = []byte(strings.ReplaceAll(string(data), "\n", o.newline))
	return err
}

// Failure is the list of a function that failed: its results and no items.
//
// kustomize reads the output of a failed function too, for its results (fn run --results-dir), and takes it for a list only where it
// has items or a functionConfig. No items are in it, not even those of the input: whoever overlooks the exit code has nothing to apply
// rather than metallb without what it should wait for. kustomize itself writes no file of an empty list, and fails.
func Failure(apiVersion string, results []Result) ([]byte, error) {
	data, err := yaml.Marshal(map[string]any{"results": results})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("apiVersion: " + apiVersion + "\nkind: ResourceList\nitems: []\n")
	out.Write(data)
	return out.Bytes(), nil
}
