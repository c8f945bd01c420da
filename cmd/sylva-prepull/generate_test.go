package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const realCore = "../../../shared/data/sylva-core"

// copyCore copies sylva-core's real charts, or skips.
func copyCore(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(realCore); err != nil {
		t.Skip("the real sylva-core values are not here:", err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(realCore)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o755)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// command runs the program and returns what it prints.
func command(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(args, testWorld(bytes.NewReader(nil), &out, &errs)); code != want {
		t.Fatalf("%v: exit code %d, want %d:\n%s%s", args, code, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// TestGenerateReal: on the real sylva-core the diff adds lines and nothing else, a second run changes nothing, a hand edit is stale, and
// what --remove leaves is the original.
func TestGenerateReal(t *testing.T) {
	core := copyCore(t)
	original := readTree(t, core)
	diff, _ := command(t, codeFinding, "generate", "--core", core, "--check")
	if after := readTree(t, core); !cmp.Equal(original, after) {
		t.Fatal("--check wrote something")
	}
	added, removed := regexp.MustCompile(`(?m)^\+[^+]`).FindAllString(diff, -1), regexp.MustCompile(`(?m)^-[^-]`).FindAllString(diff, -1)
	t.Logf("%d lines added, %d removed", len(added), len(removed))
	if len(added) < 100 || len(removed) != 0 {
		t.Errorf("the diff is not of added lines alone:\n%s", diff)
	}
	command(t, codeFine, "generate", "--core", core)
	generated := readTree(t, core)
	command(t, codeFine, "generate", "--core", core, "--check")
	command(t, codeFine, "generate", "--core", core)
	if diff := cmp.Diff(generated, readTree(t, core)); diff != "" {
		t.Errorf("the second run changed:\n%s", diff)
	}
	checkSylvaRules(t, core)
	if out, _ := command(t, codeFine, "verify", "--core", core); out != "" {
		t.Errorf("verify has findings on the tree:\n%s", out)
	}

	file := filepath.Join(core, "charts/sylva-units/values.yaml")
	edited := strings.Replace(generated["charts/sylva-units/values.yaml"], "      timeout: 10m\n", "      timeout: 5m\n", 1)
	if err := os.WriteFile(file, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, _ := command(t, codeFine, "verify", "--core", core, "--rule", "stale"); out != "" {
		t.Errorf("a choice (--timeout) is taken for stale:\n%s", out)
	}
	_, note := command(t, codeFinding, "generate", "--core", core, "--check")
	if want := `units.metallb-image-prepull.kustomization_spec.timeout: "5m" becomes "10m"`; !strings.Contains(note, want) {
		t.Errorf("a field edited by hand is not reported:\n%s", note)
	}
	command(t, codeFine, "generate", "--core", core, "--remove")
	if diff := cmp.Diff(original, readTree(t, core)); diff != "" {
		t.Errorf("--remove left:\n%s", diff)
	}
}

// checkSylvaRules holds what was written against the rules of sylva-core's own CI and of its values schema.
func checkSylvaRules(t *testing.T, core string) {
	t.Helper()
	dir := filepath.Join(core, "kustomize-units/metallb-image-prepull")
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil || built.Size() != 1 {
		t.Errorf("a plain kustomize build gives %d objects: %v", built.Size(), err)
	}
	for path, data := range readTree(t, core) {
		if strings.Contains(path, "metallb-image-prepull") && (!strings.HasSuffix(data, "\n") || strings.HasSuffix(data, "\n\n") || strings.Contains(data, "\r")) {
			t.Errorf("%s: unix line ends and one at the end are due", path)
		}
	}
	data, err := os.ReadFile(filepath.Join(core, "charts/sylva-units/values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var values struct {
		Units map[string]map[string]any `json:"units"`
	}
	if err := yaml.Unmarshal(data, &values); err != nil {
		t.Fatal(err)
	}
	checkUnitSchema(t, values.Units["metallb-image-prepull"], values.Units["metallb"])
}

// checkUnitSchema: sylva-core's values.schema.yaml and tools/validation/helm-template-yamllint.sh.
func checkUnitSchema(t *testing.T, unit, held map[string]any) {
	t.Helper()
	known := strings.Fields(`info enabled enabled_conditions one_shot depends_on repo unit_templates kustomization_spec labels annotations suspend
		kustomization_name kustomization_substitute_secrets`)
	for key := range unit {
		if !slices.Contains(known, key) || key == "enabled" {
			t.Errorf("units.metallb-image-prepull.%s: not known to the schema, or not allowed in values.yaml", key)
		}
	}
	single := regexp.MustCompile(`(?s)^\{\{.*\}\}$`)
	for _, condition := range append(slices.Clone(unit["enabled_conditions"].([]any)), held["depends_on"].(map[string]any)["metallb-image-prepull"]) {
		if text, ok := condition.(string); !ok || !single.MatchString(text) {
			t.Errorf("a condition that the schema refuses: %v", condition)
		}
	}
	spec := unit["kustomization_spec"].(map[string]any)
	for _, key := range []string{"dependsOn", "sourceRef", "wait", "patches", "components"} {
		if _, ok := spec[key]; ok {
			t.Errorf("kustomization_spec.%s is not the chart's to set", key)
		}
	}
}
