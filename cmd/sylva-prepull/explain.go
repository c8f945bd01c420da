package main

import (
	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
)

type explainFlags struct {
	sourceFlags
	output choice
}

func newExplain(w world) *cobra.Command {
	f := &explainFlags{output: choice{value: "table", words: []string{"table", "json", "yaml", "csv", "markdown"}}}
	cmd := &cobra.Command{
		Use:   "explain [ENV_DIR...]",
		Short: "Say whether the unit runs, and why",
		Long: `explain prints the decision with its guards, the images, and what the values should have changed before the upgrade.

Several directories, or one that holds environments, give the fleet: one line each. An environment that cannot be read is
a line with its error; the others still come, and the exit code is 2. It is 2 as well where the answer is "unknown".`,
		Example: `  sylva-prepull explain -f testdata/example/environment/values.yaml --from 1.6.3 --to 1.7.0
  sylva-prepull explain --core testdata/core testdata/example --from 1.6.3 --to 1.7.0`,
		RunE: func(_ *cobra.Command, args []string) error { return f.run(w, args) },
	}
	f.sourceFlags.add(cmd)
	addChoice(cmd, &f.output, "output", "o", "the format")
	return cmd
}

func (f *explainFlags) run(w world, args []string) error {
	asker, err := f.asker(w)
	if err != nil {
		return err
	}
	environments, fleet, err := expand(w, args)
	if err != nil {
		return err
	}
	if fleet {
		return f.fleet(w, asker, environments)
	}
	d, _, err := asker.ask(environments[0].dir)
	if err != nil {
		return err
	}
	if err := f.print(w, d); err != nil {
		return err
	}
	if d.Undecided() {
		return exit(codeBad)
	}
	return nil
}

func (f *explainFlags) print(w world, d *decision.Decision) error {
	if encode := encoders()[f.output.value]; encode != nil {
		return encode(w, d)
	}
	if f.output.value == "table" {
		return printDecision(w, d)
	}
	return printFleet(w, []row{rowOf(d)}, f.output.value)
}
