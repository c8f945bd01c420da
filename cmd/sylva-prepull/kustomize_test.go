package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kustomizeVersion is the release that the function is tested with; the next ones need a newer Go.
const kustomizeVersion = "v5.8.2"

// kustomizeCLI is the kustomize of $KUSTOMIZE, of bin/tools, where .ci/run puts it, or of the path. Without one of the right version the
// test is skipped, but where KUSTOMIZE names it.
func kustomizeCLI(t *testing.T) string {
	t.Helper()
	named := os.Getenv("KUSTOMIZE")
	tools, err := filepath.Abs("../../bin/tools/kustomize")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{named, tools, "kustomize"} {
		out, err := exec.Command(path, "version").CombinedOutput()
		switch {
		case err == nil && strings.TrimSpace(string(out)) == kustomizeVersion:
			return path
		case path == named && named != "":
			t.Fatalf("KUSTOMIZE=%s is no kustomize %s: %v %s", named, kustomizeVersion, err, out)
		}
	}
	t.Skipf("no kustomize %s: GOBIN=$PWD/bin/tools go install sigs.k8s.io/kustomize/kustomize/v5@%s", kustomizeVersion, kustomizeVersion)
	return ""
}

// TestKustomize runs the binary as a function in the pipelines of testdata/krm-pipeline, with the real kustomize.
func TestKustomize(t *testing.T) {
	kustomize := kustomizeCLI(t)
	binary := filepath.Join(t.TempDir(), "sylva-prepull")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	for name, test := range map[string]func(*testing.T, pipeline){
		"build": testBuild, "hash": testHash, "off": testOff, "error": testError, "trap": testTrap, "fn run": testFnRun, "command line": testCommandLine,
	} {
		t.Run(name, func(t *testing.T) { test(t, newPipeline(t, kustomize, binary)) })
	}
}

// pipeline is a copy of testdata/krm-pipeline with the binary beside its directories.
type pipeline struct {
	kustomize, binary, dir string
}

func newPipeline(t *testing.T, kustomize, binary string) pipeline {
	t.Helper()
	p := pipeline{kustomize: kustomize, binary: binary, dir: filepath.Join(t.TempDir(), "pipeline")}
	if err := os.CopyFS(p.dir, os.DirFS(inputs+"/krm-pipeline")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(p.dir, "sylva-prepull")); err != nil {
		t.Fatal(err)
	}
	return p
}

// run runs kustomize in the pipeline's directory.
func (p pipeline) run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	cmd := exec.Command(p.kustomize, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, &out, &told
	err := cmd.Run()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return out.String(), told.String(), cmd.ProcessState.ExitCode()
}

// build builds a directory with the function allowed, which must go well.
func (p pipeline) build(t *testing.T, directory string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, code := p.run(t, "build", "--enable-alpha-plugins", "--enable-exec", directory)
	if code != 0 {
		t.Fatalf("kustomize build %s: exit code %d\n%s", directory, code, stderr)
	}
	return stdout, stderr
}

// edit replaces a text in a file of the pipeline.
func (p pipeline) edit(t *testing.T, file, old, with string) {
	t.Helper()
	name := filepath.Join(p.dir, file)
	data, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q: %v", file, old, err)
	}
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(data), old, with)), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	daemonSet = "kind: DaemonSet\nmetadata:"
	edge      = "  dependsOn:\n  - name: metallb-image-prepull\n"
)

// testBuild runs the function in "kustomize build": as a generator, as a transformer, as both, and under an overlay.
func testBuild(t *testing.T, p pipeline) {
	for directory, want := range map[string]struct {
		daemonSets, edges int
		told              string
	}{
		"generator":   {1, 0, "info: the Kustomization metallb is not in this stream"},
		"transformer": {1, 1, "info: Kustomization sylva-system/metallb waits for metallb-image-prepull"},
		"both":        {1, 1, "info: Kustomization sylva-system/metallb waits for metallb-image-prepull"},
		"overlay":     {1, 1, "info: Kustomization sylva-system/metallb waits for metallb-image-prepull"},
	} {
		t.Run(directory, func(t *testing.T) {
			out, told := p.build(t, directory)
			if n := strings.Count(out, daemonSet); n != want.daemonSets {
				t.Errorf("%d DaemonSets\n%s", n, out)
			}
			if n := strings.Count(out, edge); n != want.edges {
				t.Errorf("%d edges\n%s", n, out)
			}
			if strings.Contains(out, "ImagePrepull") || strings.Contains(out, "config.kubernetes.io/path") || !strings.Contains(told, want.told) {
				t.Errorf("the functionConfig or an annotation is left, or it is not told:\n%s\n%s", out, told)
			}
		})
	}
}

// testHash: a ConfigMap of a generator that the function reads and passes on keeps the hash of its name, and what uses it.
func testHash(t *testing.T, p pipeline) {
	with, _ := p.build(t, "transformer")
	p.edit(t, "transformer/kustomization.yaml", "transformers: [prepull.yaml]", "")
	without, _ := p.build(t, "transformer")
	name := "name: sylva-units-values-"
	if strings.Count(with, name) != 2 || strings.Count(without, name) != 2 {
		t.Errorf("with the function:\n%s\nwithout:\n%s", with, without)
	}
}

// testOff: on a release that is no upgrade the build is the one without the function.
func testOff(t *testing.T, p pipeline) {
	p.edit(t, "transformer/prepull.yaml", `from: "1.6.3"`, `from: "1.7.0"`)
	off, told := p.build(t, "transformer")
	p.edit(t, "transformer/kustomization.yaml", "transformers: [prepull.yaml]", "")
	without, _ := p.build(t, "transformer")
	if diff := cmp.Diff(without, off); diff != "" || !strings.Contains(told, "info: metallb-image-prepull is off: upgrade: ") {
		t.Errorf("(-without the function +off):\n%s\n%s", diff, told)
	}
}

// testError: what the function refuses fails the build, with the reason on stderr and nothing on stdout.
func testError(t *testing.T, p pipeline) {
	for text, want := range map[string]string{
		`to: 1.10`:     `functionConfig.spec.release.to: YAML reads 1.1 as a number`, // kustomize itself makes 1.1 of it
		`to: "main"`:   `functionConfig.spec.release.to: "main" cannot be ordered`,
		`till: "1.7"`:  `functionConfig.spec.release.till: unknown field; known are from, to`,
		`to: "1.99.0"`: `the images of Sylva 1.99.0 are not in the catalogue`,
	} {
		p := newPipeline(t, p.kustomize, p.binary)
		p.edit(t, "transformer/prepull.yaml", `to: "1.7.0"`, text)
		out, told, code := p.run(t, "build", "--enable-alpha-plugins", "--enable-exec", "transformer")
		if code != 1 || out != "" || !strings.Contains(told, "Error: ") || !strings.Contains(told, want) {
			t.Errorf("%s: exit code %d, want %q in\n%s\n%s", text, code, want, told, out)
		}
	}
}

// testTrap: without --enable-exec kustomize leaves the function out, and says nothing. The documents warn of it.
func testTrap(t *testing.T, p pipeline) {
	out, told, code := p.run(t, "build", "--enable-alpha-plugins", "transformer")
	if code != 0 || strings.Contains(out, daemonSet) || strings.Contains(told, "metallb") {
		t.Errorf("kustomize no longer leaves the function out silently: change the warning in docs/krm-function.md\n%d\n%s\n%s", code, told, out)
	}
}

// testFnRun: on a directory of files a second run changes no byte, off gives the files back, and an error leaves them alone
// and is in the results.
func testFnRun(t *testing.T, p pipeline) {
	fnRun := func(want int) {
		t.Helper()
		results := filepath.Join(p.dir, "results")
		if err := os.RemoveAll(results); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(results, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, told, code := p.run(t, "fn", "run", "directory", "--enable-exec", "--results-dir", "results"); code != want {
			t.Fatalf("exit code %d\n%s", code, told)
		}
	}
	files := func() map[string]string { return readTree(t, filepath.Join(p.dir, "directory")) }
	before := files()
	fnRun(0)
	on := files()
	if diff := cmp.Diff(len(before)+1, len(on)); diff != "" || !strings.Contains(on["clusters/a/metallb-image-prepull.yaml"], daemonSet) {
		t.Errorf("the unit is in no file of its own beside metallb's: %v", on)
	}
	if !strings.Contains(on["clusters/a/metallb.yaml"], edge) {
		t.Errorf("metallb does not wait:\n%s", on["clusters/a/metallb.yaml"])
	}
	fnRun(0)
	if diff := cmp.Diff(on, files()); diff != "" {
		t.Errorf("a second run changes (-first +second):\n%s", diff)
	}
	p.edit(t, "directory/prepull.yaml", `from: "1.6.3"`, `from: "1.7.0"`)
	fnRun(0)
	p.edit(t, "directory/prepull.yaml", `from: "1.7.0"`, `from: "1.6.3"`)
	if diff := cmp.Diff(before, files()); diff != "" {
		t.Errorf("on and off again leaves a trace (-before +after):\n%s", diff)
	}
	p.edit(t, "directory/prepull.yaml", `from: "1.6.3"`, `from: "main"`)
	broken := files()
	fnRun(1)
	if diff := cmp.Diff(broken, files()); diff != "" {
		t.Errorf("an error changes files:\n%s", diff)
	}
	told := ""
	for _, text := range readTree(t, filepath.Join(p.dir, "results")) {
		told += text
	}
	if !strings.Contains(told, "severity: error") || !strings.Contains(told, "path: spec.release.from") {
		t.Errorf("the error is not in the results:\n%s", told)
	}
}

// testCommandLine: the functionConfig as KEY=VALUE, where 1.10 needs no quotes.
func testCommandLine(t *testing.T, p pipeline) {
	if err := os.Remove(filepath.Join(p.dir, "directory/prepull.yaml")); err != nil {
		t.Fatal(err)
	}
	args := []string{"fn", "run", "directory", "--enable-exec", "--exec-path", "./sylva-prepull", "--", "from=1.9", "to=1.10", "metallbChartVersion=0.16.1", "valuesFrom=ConfigMap/sylva-units-values"}
	_, told, code := p.run(t, args...)
	if code != 0 || !strings.Contains(told, "info: metallb-image-prepull is on") {
		t.Errorf("exit code %d\n%s", code, told)
	}
}
