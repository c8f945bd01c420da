package main

import (
	"cmp"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
)

// compare prints what differs from the objects of --diff: of the same environment with another release to come, or of another environment.
func (f *previewFlags) compare(w world, asker *asker, environment string, objects []preview.Object) error {
	other := *asker
	otherEnvironment, old, new := environment, f.diff, f.to
	to, err := release.Parse(f.diff)
	isDir := w.fsys.IsDir(f.diff)
	switch {
	case isDir && err == nil:
		return fmt.Errorf("--diff %s is a release and a directory: write ./%s for the directory", f.diff, f.diff)
	case isDir:
		otherEnvironment, new = f.diff, environment
	case err != nil:
		return fmt.Errorf("--diff %s: neither an environment's directory nor a release: %w", f.diff, err)
	default:
		other.question.To = to
	}
	fmt.Fprintf(w.err, "with %s:\n", f.diff)
	before, err := f.objects(w, &other, otherEnvironment)
	if err != nil {
		return err
	}
	textBefore, err := f.text(before)
	if err != nil {
		return err
	}
	text, err := f.text(objects)
	if err != nil {
		return err
	}
	difference := diff.Diff(old, textBefore, cmp.Or(new, "the values"), text)
	if len(difference) == 0 {
		return nil
	}
	if _, err := w.out.Write(difference); err != nil {
		return err
	}
	return exit(codeFinding)
}
