package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

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
