package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readTree reads the files below a directory.
func readTree(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		found[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func create(t *testing.T, root string, contents map[string]string) {
	t.Helper()
	for path, content := range contents {
		file := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWrite(t *testing.T) {
	root := t.TempDir()
	create(t, root, map[string]string{"a": "1\n", "gone/b": "1\n", "stays/c": "1\n", ".a.123.sylva-prepull": "half"})
	if err := os.Chmod(filepath.Join(root, "a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("stays/c", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	changes := []Change{
		{"a", []byte("1\n"), []byte("2\n")}, {"gone/b", []byte("1\n"), nil}, {"new/d", nil, []byte("2\n")}, {"link", []byte("1\n"), []byte("2\n")},
		{"never", nil, nil},
	}
	if err := Write(root, changes); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "2\n", "new/d": "2\n", "link": "2\n", "stays/c": "2\n"}
	if diff := cmp.Diff(want, readTree(t, root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(root, "a")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of a is %v: %v", info.Mode(), err)
	}
	if info, err := os.Lstat(filepath.Join(root, "link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the symbolic link is a file now")
	}
	if _, err := os.Stat(filepath.Join(root, "gone")); err == nil {
		t.Error("the empty directory is left")
	}
}

// TestWriteRefuses: one file that cannot be written keeps all of them as they are.
func TestWriteRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(file string) error
		bad   Change
		want  string
	}{
		"a directory":   {func(file string) error { return os.Mkdir(file, 0o755) }, Change{"bad", nil, []byte("2\n")}, "bad is a directory: a file is due"},
		"read-only":     {func(file string) error { return os.WriteFile(file, []byte("1\n"), 0o444) }, Change{"bad", []byte("1\n"), []byte("2\n")}, "bad is read-only"},
		"changed since": {func(file string) error { return os.WriteFile(file, []byte("other\n"), 0o644) }, Change{"bad", []byte("1\n"), []byte("2\n")}, "was changed by somebody else"},
		"there already": {func(file string) error { return os.WriteFile(file, []byte("other\n"), 0o644) }, Change{"bad", nil, []byte("2\n")}, "was changed by somebody else"},
		"gone":          {func(string) error { return nil }, Change{"bad", []byte("1\n"), []byte("2\n")}, "bad is gone"},
		"below a file":  {func(file string) error { return os.WriteFile(file, nil, 0o644) }, Change{"bad/x", nil, []byte("2\n")}, "not a directory"},
		"a link out":    {func(file string) error { return os.Symlink(os.DevNull, file) }, Change{"bad", nil, []byte("2\n")}, "bad (to /dev/null): nothing is written there"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			create(t, root, map[string]string{"a": "1\n"})
			if err := test.spoil(filepath.Join(root, "bad")); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadDir(root)
			err := Write(root, []Change{{"a", []byte("1\n"), []byte("2\n")}, test.bad})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
			after, _ := os.ReadDir(root)
			if data, _ := os.ReadFile(filepath.Join(root, "a")); string(data) != "1\n" || len(before) != len(after) {
				t.Errorf("a is %q, %d files before and %d after", data, len(before), len(after))
			}
		})
	}
}

func TestDiff(t *testing.T) {
	got := Diff([]Change{{"x/a", []byte("1\n2\n"), []byte("1\n3\n")}, {"b", nil, []byte("1\n")}, {"c", []byte("1"), nil}, {"same", []byte("1"), []byte("1")}})
	want := `diff a/x/a b/x/a
--- a/x/a
+++ b/x/a
@@ -1,2 +1,2 @@
 1
-2
+3
diff /dev/null b/b
--- /dev/null
+++ b/b
@@ -0,0 +1,1 @@
+1
diff a/c /dev/null
--- a/c
+++ /dev/null
@@ -1,1 +0,0 @@
-1
\ No newline at end of file
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFirstLine(t *testing.T) {
	for want, change := range map[int]Change{
		1: {Before: nil, After: []byte("a\n")},
		2: {Before: []byte("a\nb\n"), After: []byte("a\nc\n")},
		3: {Before: []byte("a\nb\n"), After: []byte("a\nb\nc\n")},
	} {
		if got := change.FirstLine(); got != want {
			t.Errorf("%q becomes %q: line %d, want %d", change.Before, change.After, got, want)
		}
	}
}
