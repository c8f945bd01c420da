package main

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/checkout"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
)

type generateFlags struct {
	core, outputDir, to string
	remove, check, diff bool
	force               bool
	variant             unit.Variant
	imageFlags
	unitFlags
}

func newGenerate(w world) *cobra.Command {
	f := &generateFlags{}
	cmd := &cobra.Command{
		Use:   "generate (--core DIR | --output-dir DIR)",
		Short: "Write the unit into a sylva-core checkout",
		Long: `generate writes the unit into a sylva-core checkout: kustomize-units/metallb-image-prepull, the unit and the edge from metallb
in charts/sylva-units/values.yaml, the opt-in of workload clusters in workload-cluster.values.yaml, and the unit's line in
units-description.md. Only the lines of the unit change; a second run changes nothing. The tags are those of the checkout's
own version of the metallb chart and of its metallb_helm_values.

All files are put together before the first is written, and each is replaced at once: it is the old one or the new one.`,
		Example: `  sylva-prepull generate --core testdata/core --check
  sylva-prepull generate --core testdata/core --remove --diff
  sylva-prepull generate --output-dir metallb-image-prepull --metallb-chart-version 0.16.1`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(w) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.core, "core", "", "the sylva-core checkout `DIR`")
	flags.StringVar(&f.outputDir, "output-dir", "", "write a stand-alone copy into `DIR`: kustomize-units and two fragments of values")
	flags.BoolVar(&f.check, "check", false, "write nothing: print a unified diff, and exit with 1, if something is not up to date")
	flags.BoolVar(&f.diff, "diff", false, "print a unified diff of what is written")
	flags.BoolVar(&f.remove, "remove", false, "take the unit out of the checkout again")
	flags.BoolVar(&f.force, "force", false, forceUsage)
	flags.BoolVar(&f.variant.OneShot, "one-shot", false, "one_shot: true: the unit goes after the upgrade, and never runs again")
	flags.StringVar(&f.variant.Tolerate, "tolerate-unavailable", "", "let metallb go on when the images miss on `N|N%` nodes")
	flags.StringVar(&f.variant.Timeout, "timeout", "", "`DURATION` of the health check, 30s or more (default: the unit's, 10m)")
	flags.StringVar(&f.to, "to", "", "the Sylva `RELEASE` whose images to take where no values name the chart's version")
	f.imageFlags.add(cmd)
	f.unitFlags.add(cmd)
	_ = cmd.MarkFlagDirname("core") // these fail for unknown flags alone
	_ = cmd.MarkFlagDirname("output-dir")
	cmd.MarkFlagsOneRequired("core", "output-dir")
	cmd.MarkFlagsMutuallyExclusive("core", "output-dir")
	cmd.MarkFlagsMutuallyExclusive("remove", "output-dir")
	cmd.MarkFlagsMutuallyExclusive("check", "diff")
	return cmd
}

func (f *generateFlags) run(w world) error {
	root := cmp.Or(f.core, f.outputDir) // one of them is given
	all, notes, err := f.files(w)
	if err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintf(w.err, "note: %s\n", note)
	}
	changes := files.Changed(all)
	if f.check || f.diff {
		if _, err := w.out.Write(files.Diff(changes)); err != nil {
			return err
		}
	}
	if f.check {
		if len(changes) == 0 {
			return nil
		}
		for _, each := range changes {
			fmt.Fprintf(w.err, "not up to date: %s\n", filepath.Join(root, each.Path))
		}
		return exit(codeFinding)
	}
	if err := f.write(w, root, all); err != nil {
		return err
	}
	for _, each := range changes {
		verb := "wrote"
		if each.After == nil {
			verb = "removed"
		}
		fmt.Fprintf(w.err, "%s %s\n", verb, filepath.Join(root, each.Path))
	}
	return nil
}

// write writes what is to be there; what somebody else has written stays, unless --force is given.
func (f *generateFlags) write(w world, root string, all []files.Change) error {
	if f.outputDir != "" {
		return writeOutputs(w, root, all, f.force)
	}
	if foreign := checkout.Foreign(all); len(foreign) > 0 && !f.force {
		return notReplaced(root, foreign)
	}
	return files.Write(root, all)
}

// files puts together what is to be there, or to be gone.
func (f *generateFlags) files(w world) ([]files.Change, []string, error) {
	definition, err := f.definition()
	if err != nil {
		return nil, nil, err
	}
	if f.remove {
		return openCheckout(w, f.core, definition).Without()
	}
	to, err := f.release()
	if err != nil {
		return nil, nil, err
	}
	images, err := checkoutImages(w, f.core, definition, &f.imageFlags, to)
	if err != nil {
		return nil, nil, err
	}
	f.variant.Repositories = map[string]string{}
	for _, each := range images {
		f.variant.Repositories[each.Name] = each.Ref.Repository
	}
	if definition, err = definition.With(f.variant); err != nil {
		return nil, nil, err
	}
	if f.core != "" {
		return openCheckout(w, f.core, definition).With(images)
	}
	contents, err := checkout.Standalone(definition, images)
	if err != nil {
		return nil, nil, err
	}
	all, err := files.Onto(below(w, f.outputDir), contents, "\n")
	return all, nil, err
}

// release is the one of --to.
func (f *generateFlags) release() (release.Release, error) {
	if f.to == "" {
		return release.Release{}, nil
	}
	to, err := release.Parse(f.to)
	if err != nil {
		err = fmt.Errorf("--to: %w", err)
	}
	return to, err
}
