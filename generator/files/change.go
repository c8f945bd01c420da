// Package files changes the files of a tree all together: what is to change is put together in memory, shown as a diff, and written so
// that each file is at any moment the old one or the new one.
package files

import (
	"bytes"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/yamltext"
)

// Change is a file as it is and as it shall be. A nil Before is a file that is not there, a nil After one that shall go.
type Change struct {
	Path          string // below the root, with slashes
	Before, After []byte
}

// Same reports whether there is nothing to do.
func (c Change) Same() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

// FirstLine is the number of the first line that differs, from 1.
func (c Change) FirstLine() int {
	after := bytes.Split(c.After, []byte("\n"))
	line := 0
	for old := range bytes.Lines(c.Before) {
		if line >= len(after) || !bytes.Equal(bytes.TrimSuffix(old, []byte("\n")), after[line]) {
			break
		}
		line++
	}
	return line + 1
}

// Changed leaves out the files that stay as they are.
func Changed(all []Change) []Change {
	var out []Change
	for _, each := range all {
		if !each.Same() {
			out = append(out, each)
		}
	}
	return out
}

// Diff is the unified diff of the changes, as git apply and patch -p1 take it.
func Diff(changes []Change) []byte {
	var out bytes.Buffer
	for _, each := range changes {
		path := filepath.ToSlash(each.Path)
		old, new := "a/"+path, "b/"+path
		if each.Before == nil {
			old = "/dev/null"
		}
		if each.After == nil {
			new = "/dev/null"
		}
		out.Write(diff.Diff(old, each.Before, new, each.After))
	}
	return out.Bytes()
}

// Reader gives what the file at a path, below some root, holds: nil where there is none, and not nil where it is empty.
type Reader func(path string) ([]byte, error)

// Onto makes changes of contents, which have lines that end with \n: what each path holds now is what is replaced. A file keeps its own
// line ends, so that a checkout with others (git's core.autocrlf) is up to date where nothing else differs; one that is new, or that has no
// line end, takes newline.
func Onto(read Reader, contents []Change, newline string) ([]Change, error) {
	var out []Change
	for _, each := range contents {
		before, err := read(each.Path)
		if err != nil {
			return nil, err
		}
		own := newline
		if bytes.Contains(before, []byte("\n")) {
			own = yamltext.Newline(before)
		}
		after := each.After
		if own != "\n" && after != nil {
			after = bytes.ReplaceAll(after, []byte("\n"), []byte(own))
		}
		out = append(out, Change{Path: each.Path, Before: before, After: after})
	}
	return out, nil
}
