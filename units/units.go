// Package units holds the pre-pull units as data: a directory a unit, with the unit in Sylva's own vocabulary and the catalogue of its
// images. Another unit is another directory.
package units

import "embed"

// FS is a directory a unit, and sylva-core.yaml, which stands in for the values of sylva-core where none are given.
//
//go:embed sylva-core.yaml */*.yaml
var FS embed.FS
