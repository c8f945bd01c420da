package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const shared = "../../../shared"

type oracleCase struct {
	Name, Cluster, Namespace string
	Upgrade                  bool
	Layers                   []string
	Expect                   struct {
		Active, Metallb  bool
		MetallbDependsOn []string       `json:"metallb_dependsOn"`
		PrepullSpec      map[string]any `json:"prepull_spec"`
		RenderError      bool           `json:"render_error"`
	}
}

// args are the case's flags: its layers one -f after the other.
func (c oracleCase) args(command string) []string {
	args := []string{command, "-o", "json", "--namespace", c.Namespace, map[bool]string{true: "--upgrade", false: "--fresh"}[c.Upgrade]}
	for _, layer := range c.Layers {
		args = append(args, "-f", filepath.Join(shared, layer))
	}
	return args
}

func oracleCases(t *testing.T) []oracleCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared, "oracle/cases.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("what the real chart renders is not here:", err)
	}
	var cases []oracleCase
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) == 0 {
		t.Fatal("no oracle cases:", err)
	}
	return cases
}

// TestOracle compares explain and preview with what the real chart rendered (helm template) for the same layers.
func TestOracle(t *testing.T) {
	cases := oracleCases(t)
	decisions, lists, allLists := 0, 0, 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if decides(t, c) {
				decisions++
			}
			if c.Expect.RenderError || !c.Expect.Active {
				return
			}
			objects := previewed(t, c)
			allLists += 2
			metallb := dependsOn(objects["metallb"])
			if slices.Equal(metallb, c.Expect.MetallbDependsOn) {
				lists++
			} else {
				t.Errorf("metallb depends on %v, the chart says %v", metallb, c.Expect.MetallbDependsOn)
			}
			if sameSpec(t, objects["metallb-image-prepull"], c.Expect.PrepullSpec) {
				lists++
			}
		})
	}
	t.Logf("decisions %d of %d, dependsOn lists %d of %d", decisions, len(cases), lists, allLists)
}

// decides checks one answer of explain. Values that the chart refuses must end in exit code 2 or a warning.
func decides(t *testing.T, c oracleCase) bool {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(c.args("explain"), testWorld(bytes.NewReader(nil), &stdout, &stderr))
	var answer struct {
		Active   any
		Warnings []struct{ Rule string }
	}
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		t.Errorf("explain: %v\n%s", err, stderr.String())
		return false
	}
	if c.Expect.RenderError {
		warned := slices.ContainsFunc(answer.Warnings, func(w struct{ Rule string }) bool { return w.Rule == "peer-field" })
		if code != codeBad && !warned {
			t.Errorf("the chart refuses these values, and explain says nothing: exit code %d", code)
		}
		return code == codeBad || warned
	}
	if answer.Active != c.Expect.Active || code != codeFine {
		t.Errorf("explain: active is %v with exit code %d, the chart says %v\n%s", answer.Active, code, c.Expect.Active, stdout.String())
		return false
	}
	return true
}

// previewed are the objects of preview, by name; a DaemonSet under its kind.
func previewed(t *testing.T, c oracleCase) map[string]map[string]any {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(c.args("preview"), testWorld(bytes.NewReader(nil), &stdout, &stderr)); code != codeFine {
		t.Fatalf("preview: exit code %d\n%s", code, stderr.String())
	}
	var list []map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	objects := map[string]map[string]any{}
	for _, object := range list {
		name := object["metadata"].(map[string]any)["name"].(string)
		if object["kind"] != "Kustomization" {
			name = object["kind"].(string)
		}
		objects[name] = object
	}
	return objects
}

func dependsOn(object map[string]any) []string {
	spec, _ := object["spec"].(map[string]any)
	list, _ := spec["dependsOn"].([]any)
	var names []string
	for _, each := range list {
		names = append(names, each.(map[string]any)["name"].(string))
	}
	return names
}

// sameSpec compares the fields of the spec that the oracle has.
func sameSpec(t *testing.T, object, want map[string]any) bool {
	t.Helper()
	spec, _ := object["spec"].(map[string]any)
	same := true
	for field, value := range want {
		wantJSON, _ := json.Marshal(value)
		gotJSON, _ := json.Marshal(spec[field])
		if string(wantJSON) != string(gotJSON) {
			same = false
			t.Errorf("spec.%s is %s, the chart says %s", field, gotJSON, wantJSON)
		}
	}
	return same
}

// TestSameEverywhere: the example prints the same bytes on every run and from every directory.
func TestSameEverywhere(t *testing.T) {
	example, err := filepath.Abs(inputs + "/example/environment")
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for i := range 4 {
		if i == 2 {
			t.Chdir(t.TempDir())
		}
		var stdout, stderr bytes.Buffer
		if code := run([]string{"preview", example, "--from", "1.6.3", "--to", "1.7.0"}, testWorld(bytes.NewReader(nil), &stdout, &stderr)); code != codeFine {
			t.Fatal(stderr.String())
		}
		if first == "" {
			first = stdout.String()
		}
		if stdout.String() != first || !strings.Contains(first, "kind: DaemonSet") {
			t.Fatalf("run %d printed something else:\n%s", i, stdout.String())
		}
	}
}
