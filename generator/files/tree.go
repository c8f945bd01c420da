package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tree is a directory that nothing leads out of. Its operations are those of os.Root, which opens every path from the directory's own
// handle, one component at a time: a symbolic link that is swapped in while files are written is refused like one that was there before.
type tree struct {
	*os.Root
	dir string // as the user named it, for messages
}

// openTree opens a directory, and makes it where it is not there.
func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o777); err != nil { // the umask takes its share, as of all that is made here
			return nil, err
		}
		root, err = os.OpenRoot(dir)
	}
	return &tree{Root: root, dir: dir}, err
}

// path is how the user would name a path of the tree.
func (t *tree) path(path string) string { return filepath.Join(t.dir, path) }

// maxLinks bounds the symbolic links on the way to a file, as Linux does.
const maxLinks = 40

// inside is a path of the tree behind all symbolic links: os.Root follows those that stay inside, but a rename puts a file in the place
// of a link, and the link is to stay. One that leads out, or whose target is absolute, is refused. What is not there is no link.
func (t *tree) inside(path string) (string, error) {
	done, rest, by := ".", strings.Split(filepath.ToSlash(path), "/"), ""
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		next := filepath.Join(done, name)
		if !filepath.IsLocal(next) || links > maxLinks {
			return "", fmt.Errorf("%s leads out of %s%s: nothing is written there", t.path(path), t.dir, by)
		}
		info, err := t.Lstat(next)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", t.named(path, err)
		case err != nil || info.Mode()&fs.ModeSymlink == 0:
			done = next
			continue
		}
		target, err := t.Readlink(next)
		if err != nil {
			return "", t.named(path, err)
		}
		if filepath.IsAbs(target) {
			links = maxLinks
		}
		links++
		by = fmt.Sprintf(" by the symbolic link %s (to %s)", t.path(next), target)
		rest = slices.Concat(strings.Split(filepath.ToSlash(target), "/"), rest)
	}
	return done, nil
}

// named is an error with the path as the user would name it: those of os.Root name it from the tree on.
func (t *tree) named(path string, err error) error {
	if err == nil {
		return nil
	}
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", t.path(path), err)
}
