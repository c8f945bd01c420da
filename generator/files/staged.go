package files

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// staged is a change that is ready: its new content in a temporary file beside the file itself.
type staged struct {
	Change
	tree              *tree
	target, temporary string // in the tree; temporary is empty where the file shall go
}

// known refuses a file that is not as the change knew it, or that is not to be written.
func (s *staged) known() error {
	path := s.tree.path(s.target)
	info, err := s.tree.Lstat(s.target)
	if errors.Is(err, fs.ErrNotExist) {
		if s.Before != nil {
			return fmt.Errorf("%s is gone: it was there a moment ago", path)
		}
		return nil
	}
	switch {
	case err != nil:
		return s.tree.named(s.target, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is %s: a file is due", path, kind(info.Mode()))
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s is read-only", path)
	}
	data, err := s.tree.ReadFile(s.target)
	if err != nil {
		return s.tree.named(s.target, err)
	}
	if !(Change{Before: s.Before, After: data}).Same() {
		return fmt.Errorf("%s was changed by somebody else in this moment: run it again", path)
	}
	file, err := s.tree.OpenFile(s.target, os.O_WRONLY, 0) // asks for the right to write; the content stays
	if err != nil {
		return s.tree.named(s.target, err)
	}
	return file.Close()
}

func kind(mode fs.FileMode) string {
	if mode.IsDir() {
		return "a directory"
	}
	return "no regular file"
}

const suffix = ".sylva-prepull"

// stage writes the new content beside the file. What is new gets the mode that the umask leaves of 0666 and 0777, as of any program;
// what is replaced keeps its own.
func (s *staged) stage() error {
	if s.After == nil {
		return nil
	}
	dir, base := filepath.Split(s.target)
	if err := s.tree.MkdirAll(filepath.Clean(dir), 0o777); err != nil {
		return s.tree.named(dir, err)
	}
	temporary := fmt.Sprintf("%s.%s.%x%s", dir, base, rand.Uint64(), suffix)
	file, err := s.tree.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return s.tree.named(temporary, err)
	}
	s.temporary = temporary
	_, err = file.Write(s.After)
	return errors.Join(err, s.tree.likeTarget(file, s.target), file.Sync(), file.Close())
}

// clear removes what a killed run left beside a file.
func (s *staged) clear() error {
	dir, base := filepath.Split(s.target)
	entries, err := fs.ReadDir(s.tree.FS(), filepath.ToSlash(filepath.Clean(dir)))
	if err != nil {
		return nil // a directory that is not there holds nothing, and any other trouble with it stops the writing
	}
	for _, each := range entries {
		if name := each.Name(); strings.HasPrefix(name, "."+base+".") && strings.HasSuffix(name, suffix) {
			err = errors.Join(err, ignoreMissing(s.tree.Remove(filepath.Join(dir, name))))
		}
	}
	return err
}

// commit puts the file into place, or takes it away.
func (s *staged) commit() error {
	if s.After == nil {
		if s.Before == nil {
			return nil
		}
		return s.tree.named(s.target, s.tree.Remove(s.target))
	}
	if err := s.tree.Rename(s.temporary, s.target); err != nil {
		return s.tree.named(s.target, err)
	}
	s.temporary = ""
	return s.tree.syncDir(filepath.Dir(s.target))
}
