package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain has the test binary be the program where a test starts it as such.
func TestMain(m *testing.M) {
	if os.Getenv("SYLVA_PREPULL_BE_THE_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is the program as a process of its own.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "SYLVA_PREPULL_BE_THE_PROGRAM=1")
	return cmd
}

// TestKill kills generate at random moments, and generate --remove in between: each file is then the old or the new one, and the next run
// that is let through completes the job and leaves nothing else.
func TestKill(t *testing.T) {
	core := t.TempDir()
	if err := os.CopyFS(core, os.DirFS(inputs+"/core")); err != nil {
		t.Fatal(err)
	}
	padding(t, filepath.Join(core, "charts/sylva-units/values.yaml")) // so that writing takes its time
	states := []map[string]string{readTree(t, core), nil}
	start := time.Now()
	generate(t, core)
	delay := time.Since(start) // of the kill at the latest; follows the machine's load, so that about half of the runs are killed
	states[1] = readTree(t, core)
	killed := 0
	for round := range 30 {
		args := []string{"generate", "--core", core}
		if round%2 == 0 {
			args = append(args, "--remove")
		}
		cmd := program(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(delay/2 + time.Duration(rand.Int64N(int64(delay)))/2)
		_ = cmd.Process.Kill() // fails when it is through already
		if cmd.Wait() != nil {
			killed++
			delay += delay / 4
		} else {
			delay -= delay / 4
		}
		for path, content := range readTree(t, core) {
			if strings.HasSuffix(path, ".sylva-prepull") {
				continue // its name tells that it is not the file
			}
			if content != states[0][path] && content != states[1][path] {
				t.Fatalf("round %d: %s is neither the old nor the new file: %d bytes", round, path, len(content))
			}
		}
	}
	t.Logf("%d of 30 runs killed", killed)
	if killed == 0 {
		t.Error("no run was killed: the test shows nothing")
	}
	generate(t, core)
	after := readTree(t, core)
	for path := range after {
		if after[path] != states[1][path] {
			t.Errorf("the next run left %s, which is not as generated", filepath.Join(core, path))
		}
	}
	if len(after) != len(states[1]) {
		t.Errorf("%d files are there after the next run, want %d", len(after), len(states[1]))
	}
}

// padding adds 1.5 MB of comments to a file.
func padding(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(strings.Repeat("# "+strings.Repeat("-", 97)+"\n", 15_000))
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

func generate(t *testing.T, core string) {
	t.Helper()
	if out, err := program("generate", "--core", core).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
