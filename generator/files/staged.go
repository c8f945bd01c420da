package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// staged is a change that is ready: its new content in a temporary file beside the file itself.
type staged struct {
	Change
	target, temporary string // temporary is empty where the file shall go
}

// target is the file to replace, behind symbolic links, once it is known to be as the change knew it and to be writable.
func target(root string, change Change) (string, error) {
	path := filepath.Join(root, filepath.FromSlash(change.Path))
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if change.Before != nil {
			return "", fmt.Errorf("%s is gone: it was there a moment ago", path)
		}
		return path, nil
	}
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is %s: a file is due", path, kind(info.Mode()))
	case info.Mode().Perm()&0o222 == 0:
		return "", fmt.Errorf("%s is read-only", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if !(Change{Before: change.Before, After: data}).Same() {
		return "", fmt.Errorf("%s was changed by somebody else in this moment: run it again", path)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0) // asks for the right to write; the content stays
	if err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

func kind(mode fs.FileMode) string {
	if mode.IsDir() {
		return "a directory"
	}
	return "no regular file"
}

const suffix = ".sylva-prepull"

// stage writes the new content beside the file.
func (s *staged) stage() error {
	if s.After == nil {
		return nil
	}
	dir := filepath.Dir(s.target)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, "."+filepath.Base(s.target)+".*"+suffix)
	if err != nil {
		return err
	}
	s.temporary = file.Name()
	_, err = file.Write(s.After)
	return errors.Join(err, likeTarget(file, s.target), file.Sync(), file.Close())
}

// clear removes what a killed run left beside a file.
func clear(target string) error {
	dir := filepath.Dir(target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // a directory that is not there holds nothing, and any other trouble with it stops the writing
	}
	for _, each := range entries {
		if name := each.Name(); strings.HasPrefix(name, "."+filepath.Base(target)+".") && strings.HasSuffix(name, suffix) {
			err = errors.Join(err, ignoreMissing(os.Remove(filepath.Join(dir, name))))
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
		return os.Remove(s.target)
	}
	if err := os.Rename(s.temporary, s.target); err != nil {
		return err
	}
	s.temporary = ""
	return syncDir(filepath.Dir(s.target))
}
