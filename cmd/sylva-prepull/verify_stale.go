package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

// stale compares the checkout with what generate would write, with the choices (--one-shot, --timeout, --tolerate-unavailable) that the
// unit in it shows.
func (f *verifyFlags) stale(w world) ([]verify.Difference, error) {
	definition, err := f.definition()
	if err != nil {
		return nil, err
	}
	images, err := checkoutImages(w, f.core, definition, &imageFlags{}, release.Release{})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(f.core, "charts", "sylva-units", "values.yaml")
	data, err := w.fsys.ReadFile(file)
	if err != nil {
		return nil, err
	}
	own, err := values.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if definition, err = definition.With(unit.VariantOf(own.Get("units", definition.Name))); err != nil {
		return nil, errors.Join(errors.New("the unit in the checkout"), err)
	}
	changes, _, err := openCheckout(w, f.core, definition).With(images)
	var found []verify.Difference
	for _, each := range files.Changed(changes) {
		text := "is not as generate writes it"
		if each.Before == nil {
			text = "is missing"
		}
		at := values.Position{File: filepath.Join(f.core, each.Path), Line: each.FirstLine(), Column: 1}
		found = append(found, verify.Difference{At: at, Text: fmt.Sprintf("%s %s", filepath.Base(each.Path), text)})
	}
	return found, err
}
