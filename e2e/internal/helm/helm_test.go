package helm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// small is a chart with what the project's charts have: a dependency with a condition, a schema, a lookup, and notes.
var small = map[string]string{
	"Chart.yaml": "apiVersion: v2\nname: small\nversion: 1.2.3\nappVersion: v9\n" +
		"dependencies: [{name: below, version: 0.1.0, condition: on.enabled}]\n",
	"values.yaml":                   "on: {enabled: true}\nkept: 1\ndropped: {a: 1}\n",
	"values.schema.json":            `{"type": "object", "properties": {"kept": {"type": "integer"}}}`,
	"templates/NOTES.txt":           "nothing\n",
	"templates/_helpers.tpl":        `{{- define "name" -}}of-{{ .Release.Name }}{{- end -}}`,
	"charts/below/Chart.yaml":       "apiVersion: v2\nname: below\nversion: 0.1.0\n",
	"charts/below/values.yaml":      "tag: x\n",
	"charts/below/templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: below}\ndata: {tag: '{{ .Values.tag }}'}\n",
	"templates/a.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: '{{ include "name" . }}', namespace: '{{ .Release.Namespace }}'}
data:
  revision: '{{ .Release.Revision }}'
  upgrade: '{{ .Release.IsUpgrade }}'
  kept: '{{ .Values.kept }}'
  dropped: '{{ .Values.dropped }}'
  found: '{{ lookup "v1" "ConfigMap" "a" "b" | len }}'
  kube: '{{ .Capabilities.KubeVersion.Version }}'
`,
}

func load(t *testing.T) *Chart {
	t.Helper()
	dir := t.TempDir()
	for name, text := range small {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	chart, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func names(objects []*unstructured.Unstructured) string {
	var all []string
	for _, object := range objects {
		all = append(all, object.GetName())
	}
	return strings.Join(all, " ")
}

func TestRenderAsHelm(t *testing.T) {
	chart := load(t)
	release := Release{Name: "r", Namespace: "n", Revision: 4, Upgrade: true, KubeVersion: "1.31.2"}
	off := map[string]any{"on": map[string]any{"enabled": false}, "dropped": nil}
	for range 2 { // a render that switches the dependency off leaves the chart as it was
		objects, err := chart.Render(release, off)
		if err != nil {
			t.Fatal(err)
		}
		if got := names(objects); got != "of-r" {
			t.Fatalf("switched off: objects %q", got)
		}
		data, _, _ := unstructured.NestedStringMap(objects[0].Object, "data")
		want := map[string]string{"revision": "4", "upgrade": "true", "kept": "1", "dropped": "", "found": "0", "kube": "v1.31.2"}
		for key, value := range want {
			if data[key] != value {
				t.Errorf("%s is %q, want %q", key, data[key], value)
			}
		}
		objects, err = chart.Render(release, off, map[string]any{"on": map[string]any{"enabled": true}})
		if err != nil {
			t.Fatal(err)
		}
		if got := names(objects); got != "below of-r" {
			t.Fatalf("switched on by a later layer: objects %q", got)
		}
	}
}

func TestSchema(t *testing.T) {
	chart := load(t)
	wrong := map[string]any{"kept": "text"}
	if _, err := chart.Render(Release{Name: "r"}, wrong); !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), "/kept") {
		t.Errorf("error %v, want one of the schema at /kept", err)
	}
	if _, err := chart.Render(Release{Name: "r", SkipSchema: true}, wrong); err != nil {
		t.Errorf("schema skipped: %v", err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("an empty directory was loaded as a chart")
	}
	if _, err := load(t).Render(Release{Name: "r", KubeVersion: "x.y"}); err == nil {
		t.Error("a version that is none was taken")
	}
	path := filepath.Join(t.TempDir(), "v.yaml")
	if err := os.WriteFile(path, []byte("- a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLayer(path); err == nil {
		t.Error("a list was read as values")
	}
}
