package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
)

func newImages(w world) *cobra.Command {
	f := &sourceFlags{}
	output := choice{value: "text", words: []string{"text", "json"}}
	cmd := &cobra.Command{
		Use:   "images [ENV_DIR]",
		Short: "Print the images to have on the nodes",
		Long: `images prints one reference a line: for a mirror, or for a pull by hand. With -o json each comes with where it is from and
whether it is new on the nodes, a bump or the same. An inactive unit pulls nothing, and nothing is printed.`,
		Example: "  sylva-prepull images testdata/example/environment --from 1.6.3 --to 1.7.0",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			asker, err := f.asker(w)
			if err != nil {
				return err
			}
			d, _, err := asker.ask(one(args))
			if err != nil {
				return err
			}
			return printImages(w, d, output.value)
		},
	}
	f.add(cmd)
	addChoice(cmd, &output, "output", "o", "the format")
	return cmd
}

func printImages(w world, d *decision.Decision, format string) error {
	printWarnings(w, d)
	if d.Undecided() {
		return undecided(w, d)
	}
	images := d.Images
	if d.Active == decision.False {
		fmt.Fprintf(w.err, "%s is off: %s\n", d.Unit, d.Why)
		images = nil
	}
	if format == "json" {
		if images == nil {
			images = []decision.Image{}
		}
		return printJSON(w, images)
	}
	var out strings.Builder
	seen := map[string]bool{}
	for _, each := range images {
		if !seen[each.Image] {
			fmt.Fprintln(&out, each.Image)
		}
		seen[each.Image] = true
	}
	_, err := io.WriteString(w.out, out.String())
	return err
}
