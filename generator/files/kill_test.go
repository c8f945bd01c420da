package files

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain has the test binary be a Write that dies in front of a step, where a test starts it as such.
func TestMain(m *testing.M) {
	if root := os.Getenv("FILES_DIE_IN"); root != "" {
		left := len(os.Getenv("FILES_DIE_AFTER"))
		err := write(root, killed(), func(string) {
			if left == 0 {
				process, _ := os.FindProcess(os.Getpid())
				_ = process.Kill() // as the kernel kills: nothing is cleaned up
				select {}
			}
			left--
		})
		if err != nil {
			panic(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func killed() []Change {
	return []Change{
		{"a", []byte("1\n"), []byte("2\n")}, {"gone/b", []byte("1\n"), nil}, {"new/c", nil, []byte("2\n")},
		{"d", []byte("1\n"), bytes.Repeat([]byte("2\n"), 1<<18)},
	}
}

// TestKill kills a Write in front of each of its steps: each file is then the old or the new one, and the next Write completes the job and
// leaves nothing else.
func TestKill(t *testing.T) {
	for step := 0; ; step++ {
		root := t.TempDir()
		before := map[string]string{"a": "1\n", "gone/b": "1\n", "d": "1\n"}
		create(t, root, before)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "FILES_DIE_IN="+root, "FILES_DIE_AFTER="+strings.Repeat("x", step))
		err := cmd.Run()
		after := map[string]string{}
		var again []Change
		for _, each := range killed() {
			after[each.Path] = string(each.After)
			now, err := os.ReadFile(filepath.Join(root, each.Path))
			if err == nil && !bytes.Equal(now, each.Before) && !bytes.Equal(now, each.After) {
				t.Errorf("killed in front of step %d, %s is neither the old nor the new file: %d bytes", step, each.Path, len(now))
			}
			again = append(again, Change{each.Path, now, each.After})
		}
		delete(after, "gone/b")
		if err := Write(root, again); err != nil {
			t.Fatal(err)
		}
		for path, content := range readTree(t, root) {
			if after[path] != content {
				t.Errorf("killed in front of step %d, the next Write left %s: %d bytes", step, path, len(content))
			}
			delete(after, path)
		}
		for path := range after {
			t.Errorf("killed in front of step %d, the next Write did not make %s", step, path)
		}
		if err == nil {
			if step < 12 {
				t.Errorf("%d steps: the test shows little", step)
			}
			return
		}
	}
}
