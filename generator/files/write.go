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

// Write makes the changes below a directory. First every new content is written to a temporary file in its directory and synced, with the
// mode and the owner of the file that it replaces; only then are the files renamed into place, one after the other. An error, or a kill,
// before that leaves all files old; one in between leaves each file old or new, and another Write of the same files completes the job and
// clears away what was left behind. Refused before anything is written: a directory or another special file where a file is due, a
// file that is not writable, and one that is not any more as the change knew it.
func Write(root string, changes []Change) (err error) {
	var ready []staged
	defer func() {
		for _, each := range ready {
			if each.temporary != "" {
				err = errors.Join(err, ignoreMissing(os.Remove(each.temporary)))
			}
		}
	}()
	for _, change := range changes {
		if err := clear(filepath.Join(root, filepath.FromSlash(change.Path))); err != nil {
			return err
		}
		if change.Same() {
			continue
		}
		target, err := target(root, change)
		if err != nil {
			return err
		}
		ready = append(ready, staged{Change: change, target: target})
	}
	for i := range ready {
		if err := ready[i].stage(); err != nil {
			return err
		}
	}
	for i := range ready {
		if err := ready[i].commit(); err != nil {
			return err
		}
	}
	return removeEmpty(root, ready)
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

// removeEmpty takes away the directories, below the root, that the removals left empty.
func removeEmpty(root string, done []staged) error {
	for _, each := range done {
		if each.After != nil || each.Before == nil {
			continue
		}
		for dir := filepath.Dir(filepath.Join(root, filepath.FromSlash(each.Path))); within(root, dir); dir = filepath.Dir(dir) {
			entries, err := os.ReadDir(dir)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if len(entries) > 0 {
				break
			}
			if err := os.Remove(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// within reports whether a directory is below another one, and not the same.
func within(root, dir string) bool {
	relative, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(relative) && relative != "."
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
