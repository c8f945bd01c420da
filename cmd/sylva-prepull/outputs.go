package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
)

const forceUsage = "replace files that this program did not write, or that were edited since"

// writeOutputs makes the changes of an --output-dir. A file that is no former output is refused with its path, and nothing is written,
// unless force is given.
func writeOutputs(w world, dir string, changes []files.Change, force bool) error {
	all, foreign, err := files.Outputs(below(w, dir), changes)
	switch {
	case err != nil:
		return err
	case len(foreign) > 0 && !force:
		return notReplaced(dir, foreign)
	}
	return files.Write(dir, all)
}

// notReplaced refuses to replace files of somebody else.
func notReplaced(root string, paths []string) error {
	for i, path := range paths {
		paths[i] = filepath.Join(root, path)
	}
	return fmt.Errorf("%s: not written by sylva-prepull, or edited since; nothing is written, --force replaces it", strings.Join(paths, ", "))
}
