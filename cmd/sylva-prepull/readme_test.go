package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// block is a command of a document with the output that stands below it.
type block struct {
	file, command, output string
	line                  int
}

// consoleBlocks are the commands of ```console blocks: a line that starts with "$ ", and its output up to the next one. A line "..." of
// the output stands for any lines.
func consoleBlocks(t *testing.T, file string) []block {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	in := false
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case !in && line == "```console":
			in = true
		case in && line == "```":
			in = false
		case in && strings.HasPrefix(line, "$ "):
			blocks = append(blocks, block{file: file, command: line[2:], line: i + 1})
		case in && len(blocks) > 0:
			blocks[len(blocks)-1].output += line + "\n"
		}
	}
	return blocks
}

// TestReadme runs every command of the README and of docs/ in a copy of the repository, with the binary on the path, and compares
// what it prints, errors included, with what stands in the document.
func TestReadme(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	for _, file := range append([]string{"../../README.md"}, files...) {
		blocks = append(blocks, consoleBlocks(t, file)...)
	}
	if len(blocks) == 0 {
		t.Fatal("the README has no command")
	}
	dir := checkedOut(t)
	for _, b := range blocks {
		t.Run(filepath.Base(b.file)+" "+b.command, func(t *testing.T) {
			cmd := exec.Command("bash", "-c", b.command)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "NO_COLOR=1")
			out, err := cmd.CombinedOutput()
			if _, failed := err.(*exec.ExitError); err != nil && !failed {
				t.Fatal(err)
			}
			if !matches(b.output, string(out)) {
				t.Errorf("%s:%d prints something else (-document +now):\n%s", b.file, b.line, cmp.Diff(b.output, string(out)))
			}
		})
	}
}

// TestDocumentsYAML: the YAML that the documents show can be read.
func TestDocumentsYAML(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range append([]string{"../../README.md"}, files...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```\n").FindAllSubmatch(data, -1) {
			seen++
			if _, err := values.ParseAll(file, match[1]); err != nil {
				t.Errorf("%v in\n%s", err, match[1])
			}
		}
	}
	if seen == 0 {
		t.Error("no block of YAML was found")
	}
}

// checkedOut copies what the documents' commands use, and builds the binary.
func checkedOut(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"testdata", "units", "templates", "generator", "cmd"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS("../../"+name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "Makefile"} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "sylva-prepull"), ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return dir
}

// matches compares output with what a document shows of it.
func matches(shown, got string) bool {
	parts := strings.Split(shown, "...\n")
	if len(parts) == 1 {
		return shown == got
	}
	if !strings.HasPrefix(got, parts[0]) || !strings.HasSuffix(got, parts[len(parts)-1]) {
		return false
	}
	rest := got
	for _, part := range parts {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return true
}
