package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// copied is a copy of a directory of testdata.
func copied(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(inputs, name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestOutputsOverOwnFiles: a file that the program did not write is refused with its path, and nothing is written; --force means it. A
// former output is replaced, and one that was edited since is not.
func TestOutputsOverOwnFiles(t *testing.T) {
	environment, err := filepath.Abs(inputs + "/example/environment")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ own, args, other string }{
		"generate":     {"values.yaml", "generate --to 1.7.0 --output-dir", "generate --metallb-chart-version 0.15.2 --one-shot --output-dir"},
		"preview":      {"kustomization-metallb.yaml", "preview " + environment + upgrade + " --output-dir", "preview " + environment + " --from 1.5.0 --to 1.6.0 --output-dir"},
		"preview JSON": {"daemonset-metallb-image-prepull.json", "preview -o json " + environment + upgrade + " --output-dir", "preview -o json " + environment + " --from 1.5.0 --to 1.6.0 --output-dir"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copied(t, "example/environment")
			put(t, filepath.Join(dir, test.own), "mine: true\n")
			before := readTree(t, dir)
			args := append(strings.Fields(test.args), dir)
			_, stderr := command(t, codeBad, args...)
			if want := filepath.Join(dir, test.own) + ": not written by sylva-prepull"; !strings.Contains(stderr, want) || !strings.Contains(stderr, "--force") {
				t.Errorf("it does not say %q:\n%s", want, stderr)
			}
			if diff := cmp.Diff(before, readTree(t, dir)); diff != "" {
				t.Errorf("something was written:\n%s", diff)
			}
			command(t, codeFine, append(args, "--force")...)
			first := readTree(t, dir)
			command(t, codeFine, append(strings.Fields(test.other), dir)...)
			if cmp.Equal(first, readTree(t, dir)) {
				t.Error("the other outcome is the same: the test shows nothing")
			}
			command(t, codeFine, args...)
			if diff := cmp.Diff(first, readTree(t, dir)); diff != "" {
				t.Errorf("back again, it is another outcome:\n%s", diff)
			}
			put(t, filepath.Join(dir, test.own), "edited: true\n")
			command(t, codeBad, args...)
		})
	}
}

// TestCheckoutsOwnFiles: a manifest in the unit's directory that generate did not write is neither replaced nor deleted without --force.
func TestCheckoutsOwnFiles(t *testing.T) {
	core := copied(t, "core")
	command(t, codeFine, "generate", "--core", core)
	original := readTree(t, core)
	file := filepath.Join(core, "kustomize-units/metallb-image-prepull/daemonset.yaml")
	put(t, file, "mine: true\n")
	for _, args := range [][]string{{"generate", "--core", core}, {"generate", "--core", core, "--remove"}} {
		before := readTree(t, core)
		if _, stderr := command(t, codeBad, args...); !strings.Contains(stderr, file+": not written by sylva-prepull") {
			t.Errorf("it is not named:\n%s", stderr)
		}
		if diff := cmp.Diff(before, readTree(t, core)); diff != "" {
			t.Errorf("something was written:\n%s", diff)
		}
		command(t, codeFine, append(args, "--force")...)
		put(t, file, "mine: true\n")
	}
	command(t, codeFine, "generate", "--core", core, "--force")
	command(t, codeFine, "generate", "--core", core, "--remove")
	command(t, codeFine, "generate", "--core", core)
	if diff := cmp.Diff(original, readTree(t, core)); diff != "" {
		t.Errorf("in the end it is another tree:\n%s", diff)
	}
}

// TestCheckoutLinks: links in a checkout lead neither a write nor a delete out of it.
func TestCheckoutLinks(t *testing.T) {
	for _, linked := range []string{
		"kustomize-units/metallb-image-prepull/daemonset.yaml", "kustomize-units/metallb-image-prepull", "kustomize-units",
		"charts/sylva-units/values.yaml", "charts/sylva-units", "charts", "charts/sylva-units/units-description.md",
	} {
		for _, args := range []string{"generate --one-shot --metallb-chart-version 0.15.2", "generate --remove"} {
			core := copied(t, "core")
			command(t, codeFine, "generate", "--core", core)
			beside := filepath.Join(filepath.Dir(core), "beside")
			if err := os.Rename(filepath.Join(core, linked), beside); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(beside, filepath.Join(core, linked)); err != nil {
				t.Fatal(err)
			}
			all := func() []any {
				values, err := os.ReadFile(filepath.Join(core, "charts/sylva-units/values.yaml"))
				return []any{readTree(t, beside), string(values), err}
			}
			before := all()
			_, stderr := command(t, codeBad, append(strings.Fields(args), "--core", core)...)
			if !strings.Contains(stderr, "by the symbolic link "+filepath.Join(core, linked)) {
				t.Errorf("%s, %s: the link is not named:\n%s", linked, args, stderr)
			}
			if diff := cmp.Diff(before, all()); diff != "" {
				t.Errorf("%s, %s: something was written:\n%s", linked, args, diff)
			}
		}
	}
}

// TestCRLFCheckout: a checkout with the line ends of git's core.autocrlf is up to date, and what is written anew takes them.
func TestCRLFCheckout(t *testing.T) {
	core := copied(t, "core")
	command(t, codeFine, "generate", "--core", core)
	for path, text := range readTree(t, core) {
		put(t, filepath.Join(core, path), strings.ReplaceAll(text, "\n", "\r\n"))
	}
	before := readTree(t, core)
	if out, stderr := command(t, codeFine, "generate", "--core", core, "--check"); out != "" {
		t.Errorf("it is not up to date:\n%s%s", out, stderr)
	}
	if out, _ := command(t, codeFine, "verify", "--core", core); out != "" {
		t.Errorf("verify has findings:\n%s", out)
	}
	command(t, codeFine, "generate", "--core", core, "--remove")
	command(t, codeFine, "generate", "--core", core)
	if diff := cmp.Diff(before, readTree(t, core)); diff != "" {
		t.Errorf("taken out and put in again, it is another tree:\n%s", diff)
	}
	command(t, codeFinding, "generate", "--core", core, "--check", "--one-shot")
}

// TestEmptyDependsOn: a depends_on that was there but empty comes back with its comment, and a user's own entry in it stays.
func TestEmptyDependsOn(t *testing.T) {
	for _, empty := range []string{":", ": {}", ": { }  # none", ": ~", ": null # none", ":\n      # none yet"} {
		core := copied(t, "core")
		file := filepath.Join(core, "charts/sylva-units/values.yaml")
		text := readTree(t, core)["charts/sylva-units/values.yaml"]
		key := regexp.MustCompile(`(\n  metallb:\n(?:    .*\n|\n)*?)    depends_on:\n(?:      .*\n)+`)
		if key.FindString(text) == "" {
			t.Fatal("units.metallb.depends_on is not where the test looks for it")
		}
		put(t, file, key.ReplaceAllString(text, "${1}    depends_on"+empty+"\n"))
		before := readTree(t, core)
		command(t, codeFine, "generate", "--core", core)
		once := readTree(t, core)
		if _, stderr := command(t, codeFine, "generate", "--core", core); stderr != "" {
			t.Errorf("depends_on%s: the second run changes something:\n%s", empty, stderr)
		}
		command(t, codeFine, "generate", "--core", core, "--remove")
		if diff := cmp.Diff(before, readTree(t, core)); diff != "" {
			t.Errorf("depends_on%s: --remove left:\n%s", empty, diff)
		}
		edge := regexp.MustCompile(`\n( +)metallb-image-prepull: '.*  # in place of.*\n`)
		put(t, file, edge.ReplaceAllString(once["charts/sylva-units/values.yaml"], "$0${1}own: true\n"))
		command(t, codeFine, "generate", "--core", core, "--remove")
		if left := readTree(t, core)["charts/sylva-units/values.yaml"]; !strings.Contains(left, "      own: true\n") || strings.Contains(left, "metallb-image-prepull") {
			t.Errorf("depends_on%s: the own entry, or that of the unit:\n%s", empty, left)
		}
	}
}
