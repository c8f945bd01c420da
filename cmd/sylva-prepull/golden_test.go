package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
)

const (
	inputs = "../../testdata"
	golden = "../../golden"
)

// TestGolden runs every case: a directory of testdata with a file args, one command a line. The outcome - what the commands print, their
// exit codes and the files they change - is the tree golden/<case>. UPDATE_GOLDEN=1 makes the trees anew, from nothing.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob(inputs + "/*/args")
	if err != nil || len(cases) == 0 {
		t.Fatal("no case found:", err)
	}
	update := os.Getenv("UPDATE_GOLDEN") != ""
	if update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, file := range cases {
		name := filepath.Base(filepath.Dir(file))
		known[name] = true
		t.Run(name, func(t *testing.T) {
			got := runCase(t, filepath.Join(here, inputs), name)
			want := filepath.Join(here, golden, name)
			if update {
				writeTree(t, want, got)
				return
			}
			if diff := cmp.Diff(readTree(t, want), got); diff != "" {
				t.Errorf("the outcome differs (-want +got); UPDATE_GOLDEN=1 make golden takes it over:\n%s", diff)
			}
		})
	}
	stale, _ := os.ReadDir(golden)
	for _, each := range stale {
		if !known[each.Name()] {
			t.Errorf("golden/%s has no case in testdata", each.Name())
		}
	}
}

// runCase runs the commands of a case in a copy of testdata, so that cases may share inputs.
func runCase(t *testing.T, testdata, name string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(testdata)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, name))
	before := readTree(t, "..")
	args, err := os.ReadFile("args")
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr, codes bytes.Buffer
	for line := range strings.Lines(string(args)) {
		line = strings.TrimSpace(line)
		command, input, _ := strings.Cut(line, " < ")
		heading := "$ sylva-prepull " + line + "\n"
		stdout.WriteString(heading)
		stderr.WriteString(heading)
		fmt.Fprintf(&codes, "%d %s\n", runIn(t, strings.Fields(command), input, &stdout, &stderr), line)
	}
	outcome := map[string]string{"stdout": stdout.String(), "stderr": stderr.String(), "code": codes.String()}
	after := readTree(t, "..")
	for path, content := range after {
		if filepath.Base(path) == files.Record {
			continue // its digests follow from the files beside it
		}
		if old, ok := before[path]; !ok || old != content {
			outcome[filepath.Join("tree", path)] = content
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			outcome[filepath.Join("tree", path)] = "(deleted)\n"
		}
	}
	return outcome
}

func runIn(t *testing.T, args []string, input string, stdout, stderr *bytes.Buffer) int {
	t.Helper()
	var stdin []byte
	if input != "" {
		var err error
		if stdin, err = os.ReadFile(input); err != nil {
			t.Fatal(err)
		}
	}
	return run(args, testWorld(bytes.NewReader(stdin), stdout, stderr))
}

// testWorld is the world of a pipe: no terminal, no environment.
func testWorld(stdin *bytes.Reader, stdout, stderr *bytes.Buffer) world {
	return world{in: stdin, out: stdout, err: stderr, fsys: filesys.MakeFsOnDisk(), lookupEnv: func(string) (string, bool) { return "", false }}
}

func readTree(t *testing.T, root string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		tree[rel] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return tree
}

func writeTree(t *testing.T, root string, tree map[string]string) {
	t.Helper()
	for path, content := range tree {
		file := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
