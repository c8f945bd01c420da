//go:build unix

package files

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOwner: a replaced file keeps its owner, as far as the user may give files away.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to others")
	}
	root := t.TempDir()
	create(t, root, map[string]string{"a": "1\n"})
	if err := os.Chown(filepath.Join(root, "a"), 1234, 4321); err != nil {
		t.Fatal(err)
	}
	if err := Write(root, []Change{{"a", []byte("1\n"), []byte("2\n")}}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(root, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 1234 || owner.Gid != 4321 {
		t.Errorf("the owner is %d:%d", owner.Uid, owner.Gid)
	}
}
