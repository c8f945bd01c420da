package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/santhosh-tekuri/jsonschema/v6"
	appsv1 "k8s.io/api/apps/v1"
)

// goldenObjects are the objects of every preview in the golden outcomes, by case.
func goldenObjects(t *testing.T) map[string][]json.RawMessage {
	t.Helper()
	found := map[string][]json.RawMessage{}
	files, err := filepath.Glob(inputs + "/*/args")
	if err != nil || len(files) == 0 {
		t.Fatal("no case found:", err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		args, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(args)) {
			fields := strings.Fields(line)
			if fields[0] != "preview" || strings.Contains(line, "--output-dir") || strings.Contains(line, "--diff") {
				continue
			}
			t.Chdir(filepath.Join(here, filepath.Dir(file)))
			var stdout, stderr bytes.Buffer
			run(append(fields, "-o", "json"), testWorld(bytes.NewReader(nil), &stdout, &stderr))
			var objects []json.RawMessage
			if stdout.Len() > 0 {
				if err := json.Unmarshal(stdout.Bytes(), &objects); err != nil {
					t.Fatal(err)
				}
				found[strings.TrimSpace(line)+" in "+filepath.Base(filepath.Dir(file))] = objects
			}
		}
	}
	t.Chdir(here)
	if len(found) == 0 {
		t.Fatal("no case previews an active unit")
	}
	return found
}

func kindOf(t *testing.T, object json.RawMessage) string {
	t.Helper()
	var header struct{ Kind string }
	if err := json.Unmarshal(object, &header); err != nil {
		t.Fatal(err)
	}
	return header.Kind
}

// TestTypes decodes every previewed object into the types of Flux and Kubernetes; a field that they do not have is an error.
func TestTypes(t *testing.T) {
	for name, objects := range goldenObjects(t) {
		for _, object := range objects {
			into := map[string]any{"Kustomization": &kustomizev1.Kustomization{}, "DaemonSet": &appsv1.DaemonSet{}}[kindOf(t, object)]
			if into == nil {
				t.Errorf("%s: an object of kind %s", name, kindOf(t, object))
				continue
			}
			decoder := json.NewDecoder(bytes.NewReader(object))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(into); err != nil {
				t.Errorf("%s: %v\n%s", name, err, object)
			}
		}
	}
}

// TestSchemas validates the same objects against the JSON schemas of Flux 2.5.1, of the newest Flux, and of Kubernetes.
func TestSchemas(t *testing.T) {
	schemas := map[string][]*jsonschema.Schema{
		"Kustomization": {schema(t, "flux-kustomization_v1-2.5.1.json"), schema(t, "flux-kustomization_v1-newest.json")},
		"DaemonSet":     {schema(t, "daemonset-apps-v1.json")},
	}
	for name, objects := range goldenObjects(t) {
		for _, object := range objects {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
			if err != nil {
				t.Fatal(err)
			}
			for _, each := range schemas[kindOf(t, object)] {
				if err := each.Validate(value); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

func schema(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	path := filepath.Join(shared, "data/schemas", file)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the schemas are not here:", err)
	}
	compiled, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}
