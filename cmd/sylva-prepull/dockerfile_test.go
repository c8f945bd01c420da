package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// instructions are the lines of the Dockerfile by their instruction, those of the last stage apart.
func instructions(t *testing.T) (all, last map[string][]string) {
	t.Helper()
	data, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	all, last = map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(data)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" || word[0] == '#' {
			continue
		}
		if word == "FROM" {
			last = map[string][]string{}
		}
		all[word], last[word] = append(all[word], rest), append(last[word], rest)
	}
	return all, last
}

// TestDockerfile: kustomize gives a container no arguments, no network and a user of its own, so that the entrypoint must be in
// function mode, and the image must have a static binary and nothing to set up.
func TestDockerfile(t *testing.T) {
	all, last := instructions(t)
	if stages := all["FROM"]; len(stages) != 2 || stages[1] != "${BASE}" || !strings.HasPrefix(strings.Join(all["ARG"], " "), "GO_VERSION=") {
		t.Errorf("two stages are due, the last on the argument BASE: %v", stages)
	}
	var entrypoint []string
	if err := json.Unmarshal([]byte(strings.Join(last["ENTRYPOINT"], "")), &entrypoint); err != nil || strings.Join(entrypoint, " ") != "/sylva-prepull fn" {
		t.Errorf("the entrypoint is %v (%v)", entrypoint, err)
	}
	if len(last["CMD"]) > 0 || len(last["RUN"]) > 0 || len(last["EXPOSE"]) > 0 {
		t.Errorf("the last stage has more than a binary: %v", last)
	}
	if user := last["USER"]; len(user) != 1 || !regexp.MustCompile(`^[1-9]\d*(:\d+)?$`).MatchString(user[0]) {
		t.Errorf("the user must be a number, so that runAsNonRoot can tell, and not root: %v", user)
	}
	if build := strings.Join(all["RUN"], "\n"); !strings.Contains(build, "CGO_ENABLED=0") {
		t.Errorf("the binary is not static: %s", build)
	}
	if copied := last["COPY"]; len(copied) != 1 || !strings.HasSuffix(copied[0], " "+entrypoint[0]) {
		t.Errorf("the binary is not copied to where the entrypoint has it: %v", copied)
	}
}

// TestDockerignore: what the build needs goes into the context, and no file of the working tree but that.
func TestDockerignore(t *testing.T) {
	data, err := os.ReadFile("../../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, name := range []string{"cmd", "generator", "templates", "units", "go.mod", "go.sum", "Makefile"} {
		if _, err := os.Stat(filepath.Join("../..", name)); err != nil || !strings.Contains(text, "\n!"+name+"\n") {
			t.Errorf("%s is not in the context (%v)", name, err)
		}
	}
	if !strings.Contains(text, "\n*\n") {
		t.Error("not everything else is left out")
	}
}
