// Package prepull runs the program under test, and reads the objects that it prints.
package prepull

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// A Program is a built sylva-prepull, and the directory that it runs in.
type Program struct{ Path, Dir string }

// An Answer is what a run printed.
type Answer struct {
	Stdout, Stderr string
	Code           int
}

// Run runs the program with text on stdin. An exit code other than 0 is no error.
func (p Program) Run(stdin string, args ...string) (Answer, error) {
	command := exec.Command(p.Path, args...)
	command.Dir = p.Dir
	command.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Exited() {
		err = nil
	}
	return Answer{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}, err
}

// Objects are what "preview" prints.
type Objects []*unstructured.Unstructured

// Preview returns the objects that "preview -o json" prints; none if the unit is not active.
func (p Program) Preview(args ...string) (Objects, error) {
	answer, err := p.Run("", append([]string{"preview", "-o", "json"}, args...)...)
	if err != nil {
		return nil, err
	}
	if answer.Code != 0 {
		return nil, fmt.Errorf("sylva-prepull preview %s: exit code %d: %s", strings.Join(args, " "), answer.Code, answer.Stderr)
	}
	if answer.Stdout == "" {
		return nil, nil
	}
	var list []any
	if err := json.Unmarshal([]byte(answer.Stdout), &list); err != nil {
		return nil, fmt.Errorf("sylva-prepull preview %s: %w", strings.Join(args, " "), err)
	}
	return objects(list)
}

// Function runs the program as a KRM function on a ResourceList, and returns the items that it puts out.
func (p Program) Function(resourceList string) (Objects, error) {
	answer, err := p.Run(resourceList, "fn")
	if err != nil {
		return nil, err
	}
	if answer.Code != 0 {
		return nil, fmt.Errorf("sylva-prepull fn: exit code %d: %s", answer.Code, answer.Stderr)
	}
	text, err := yaml.YAMLToJSON([]byte(answer.Stdout))
	if err != nil {
		return nil, fmt.Errorf("sylva-prepull fn: %w", err)
	}
	var list map[string]any
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("sylva-prepull fn: %w", err)
	}
	items, ok := list["items"].([]any)
	if !ok {
		return nil, fmt.Errorf("sylva-prepull fn: no items in %s", answer.Stdout)
	}
	return objects(items)
}

func objects(list []any) (Objects, error) {
	var all Objects
	for _, o := range list {
		object, ok := o.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%T in the place of an object", o)
		}
		all = append(all, &unstructured.Unstructured{Object: object})
	}
	return all, nil
}

// Get returns a copy of the object of a kind and name, which must be there.
func (o Objects) Get(kind, name string) (*unstructured.Unstructured, error) {
	for _, u := range o {
		if u.GetKind() == kind && u.GetName() == name {
			return u.DeepCopy(), nil
		}
	}
	return nil, fmt.Errorf("no %s %s among the objects", kind, name)
}
