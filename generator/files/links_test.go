//go:build unix

package files

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outside makes a directory with a file beside the tree.
func outside(t *testing.T) (root, beside string) {
	t.Helper()
	dir := t.TempDir()
	root, beside = filepath.Join(dir, "tree"), filepath.Join(dir, "beside")
	create(t, root, map[string]string{"first": "1\n", "dir/f": "1\n"})
	create(t, beside, map[string]string{"f": "1\n"})
	return root, beside
}

// TestLinks: no symbolic link leads a write or a delete out of the tree; nothing else is written either.
func TestLinks(t *testing.T) {
	for name, test := range map[string]struct {
		link, to, path string
		want           string // of the error; "" where the link stays inside and is followed
		written        string // the file that holds the new content then
	}{
		"a file":                       {link: "l", to: "../beside/f", path: "l", want: "tree/l (to ../beside/f)"},
		"a directory":                  {link: "l", to: "../beside", path: "l/f", want: "tree/l (to ../beside)"},
		"a directory, a new file":      {link: "l", to: "../beside", path: "l/new", want: "tree/l (to ../beside)"},
		"an absolute path":             {link: "l", to: "/tmp", path: "l/f", want: "tree/l (to /tmp)"},
		"out and in again":             {link: "l", to: "../tree/dir", path: "l/f", want: "leads out of"},
		"a link to itself":             {link: "l", to: "l", path: "l", want: "leads out of"},
		"no link at all":               {link: "l", to: "dir", path: "../beside/f", want: "leads out of"},
		"inside, a file":               {link: "l", to: "dir/f", path: "l", written: "dir/f"},
		"inside, a directory":          {link: "l", to: "dir", path: "l/f", written: "dir/f"},
		"inside, up and down":          {link: "dir/l", to: "../dir/../dir", path: "dir/l/f", written: "dir/f"},
		"inside, to what is not there": {link: "l", to: "dir/new", path: "l", written: "dir/new"},
	} {
		for what, after := range map[string][]byte{"written": []byte("2\n"), "deleted": nil} {
			t.Run(name+", "+what, func(t *testing.T) {
				root, beside := outside(t)
				if err := os.Symlink(test.to, filepath.Join(root, test.link)); err != nil {
					t.Fatal(err)
				}
				before, _ := os.ReadFile(filepath.Join(root, test.path))
				err := Write(root, []Change{{"first", []byte("1\n"), []byte("2\n")}, {test.path, before, after}})
				if data, _ := os.ReadFile(filepath.Join(beside, "f")); string(data) != "1\n" {
					t.Errorf("the file outside is %q", data)
				}
				first, _ := os.ReadFile(filepath.Join(root, "first"))
				if test.want != "" {
					if err == nil || !strings.Contains(err.Error(), test.want) || string(first) != "1\n" {
						t.Errorf("error %v, want %s; the first file is %q", err, test.want, first)
					}
					return
				}
				data, _ := os.ReadFile(filepath.Join(root, test.written))
				if err != nil || string(data) != string(after) {
					t.Errorf("%s is %q: %v", test.written, data, err)
				}
				if _, err := os.Readlink(filepath.Join(root, test.link)); err != nil {
					t.Error("the link is gone:", err)
				}
			})
		}
	}
}

// TestLinkSwappedIn puts a link in the place of the directory in front of every step of a write: nothing outside is touched, whenever.
func TestLinkSwappedIn(t *testing.T) {
	for at := range 20 {
		root, beside := outside(t)
		steps := 0
		err := write(root, []Change{{"dir/f", []byte("1\n"), []byte("2\n")}, {"dir/new", nil, []byte("2\n")}, {"first", []byte("1\n"), nil}}, func(string) {
			if steps++; steps == at {
				if err := os.Rename(filepath.Join(root, "dir"), filepath.Join(root, "away")); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink("../beside", filepath.Join(root, "dir")); err != nil {
					t.Fatal(err)
				}
			}
		})
		if diff := cmp.Diff(map[string]string{"f": "1\n"}, readTree(t, beside)); diff != "" {
			t.Errorf("swapped in front of step %d, it changed outside: %s", at, diff)
		}
		if at > steps {
			if at < 8 || err != nil {
				t.Errorf("%d steps: %v", steps, err)
			}
			return
		}
		if at > 0 && at < 8 && err == nil {
			t.Errorf("swapped in front of step %d, nothing was refused", at)
		}
	}
}

// TestUmask: what is new gets the mode that a plain create gives.
func TestUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	root := filepath.Join(t.TempDir(), "new")
	if err := Write(root, []Change{{"dir/f", nil, []byte("1\n")}}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{".": 0o750, "dir": 0o750, "dir/f": 0o640} {
		if info, err := os.Stat(filepath.Join(root, path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v: %v", path, info.Mode(), err)
		}
	}
}

// TestSpecialFile: a pipe is never opened, and never replaced.
func TestSpecialFile(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Skip("no pipe can be made here:", err)
	}
	if err := Write(root, []Change{{"pipe", nil, []byte("1\n")}}); err == nil || !strings.Contains(err.Error(), "pipe is no regular file") {
		t.Errorf("error %v", err)
	}
}
