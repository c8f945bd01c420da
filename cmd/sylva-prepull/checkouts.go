package main

import (
	"errors"
	"io/fs"
	"path/filepath"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/checkout"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
)

// openCheckout is the sylva-core checkout in a directory.
func openCheckout(w world, dir string, definition *unit.Definition) *checkout.Checkout {
	return checkout.New(dir, definition, below(w, dir))
}

// below reads the files below a directory.
func below(w world, dir string) files.Reader {
	return func(path string) ([]byte, error) {
		data, err := w.fsys.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case data == nil && err == nil:
			data = []byte{}
		}
		return data, err
	}
}

// checkoutImages are the images of a checkout's own values, or without one ("") of the flags alone.
func checkoutImages(w world, dir string, definition *unit.Definition, flags *imageFlags, to release.Release) ([]manifest.Image, error) {
	q := decision.Question{Unit: definition, Library: chart.NewLibrary(), To: to}
	if err := flags.fill(w, &q); err != nil {
		return nil, err
	}
	defaults, err := standIn()
	if err != nil {
		return nil, err
	}
	loader := sources.NewLoader(w.fsys, w.in, definition, defaults)
	if q.Set, err = loader.Load(sources.Request{Core: dir, Cluster: sources.Management}); err != nil {
		return nil, err
	}
	c, err := decision.Open(q)
	if err != nil {
		return nil, err
	}
	return checkout.Images(c)
}
