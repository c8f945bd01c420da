package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

// unitFlags say which unit it is about.
type unitFlags struct{ unit, unitsDir string }

func (f *unitFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.unit, "unit", defaultUnit, "the pre-pull `UNIT`")
	cmd.Flags().StringVar(&f.unitsDir, "units-dir", "", "a `DIR` of pre-pull units, instead of those built in")
	_ = cmd.MarkFlagDirname("units-dir")
}

// defaultUnit is the unit that this project is for.
const defaultUnit = "metallb-image-prepull"

// definition loads the unit.
func (f *unitFlags) definition() (*unit.Definition, error) {
	var all fs.FS = units.FS
	if f.unitsDir != "" {
		all = os.DirFS(f.unitsDir)
	}
	definition, err := unit.Load(all, f.unit)
	if errors.Is(err, fs.ErrNotExist) {
		names, _ := unit.Names(all)
		if len(names) == 0 {
			return nil, fmt.Errorf("--units-dir %s: no directory of units (UNIT/unit.yaml)", f.unitsDir)
		}
		return nil, fmt.Errorf("no unit %q: there is %s (%w)", f.unit, strings.Join(names, ", "), err)
	}
	return definition, err
}
