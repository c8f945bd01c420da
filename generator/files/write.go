package files

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Write makes the changes below a directory. First every new content is written to a temporary file in its directory and synced, with the
// mode and the owner of the file that it replaces; only then are the files renamed into place, one after the other. An error, or a kill,
// before that leaves all files old; one in between leaves each file old or new, and another Write of the same files completes the job and
// clears away what was left behind. Refused before anything is written: a path that leads out of the directory, by itself or by a symbolic
// link, a directory or another special file where a file is due, a file that is not writable, and one that is not any more as the
// change knew it.
func Write(root string, changes []Change) error {
	return write(root, changes, func(string) {})
}

// write is Write; step is called in front of each thing that it does to the disk.
func write(root string, changes []Change, step func(what string)) (err error) {
	t, err := openTree(root)
	if err != nil {
		return err
	}
	ready, err := t.prepare(changes)
	defer func() {
		for _, each := range ready {
			if each.temporary != "" {
				err = errors.Join(err, ignoreMissing(t.Remove(each.temporary)))
			}
		}
		err = errors.Join(err, t.Close())
	}()
	if err != nil {
		return err
	}
	for i := range ready {
		step("clear")
		if err := ready[i].clear(); err != nil {
			return err
		}
	}
	for i := range ready {
		step("stage")
		if ready[i].Same() {
			continue
		}
		if err := ready[i].stage(); err != nil {
			return err
		}
	}
	for i := range ready {
		step("commit")
		if ready[i].Same() {
			continue
		}
		if err := ready[i].commit(); err != nil {
			return err
		}
	}
	step("end")
	return t.removeEmpty(ready)
}

// prepare finds the files to change, and refuses those that are not to be changed.
func (t *tree) prepare(changes []Change) ([]staged, error) {
	var ready []staged
	for _, change := range changes {
		target, err := t.inside(change.Path)
		if err != nil {
			return nil, err
		}
		each := staged{Change: change, tree: t, target: target}
		if !change.Same() {
			if err := each.known(); err != nil {
				return nil, err
			}
		}
		ready = append(ready, each)
	}
	return ready, nil
}

// removeEmpty takes away the directories of the tree that the removals left empty.
func (t *tree) removeEmpty(done []staged) error {
	for _, each := range done {
		if each.After != nil || each.Before == nil {
			continue
		}
		for dir := filepath.Dir(each.target); dir != "."; dir = filepath.Dir(dir) {
			entries, err := fs.ReadDir(t.FS(), filepath.ToSlash(dir))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if len(entries) > 0 {
				break
			}
			if err := t.Remove(dir); err != nil {
				return t.named(dir, err)
			}
		}
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
