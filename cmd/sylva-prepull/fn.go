package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/function"
)

func newFn(w world) *cobra.Command {
	f := &unitFlags{}
	cmd := &cobra.Command{
		Use:   "fn",
		Short: "Run as a KRM function, in a kustomize pipeline",
		Long: `fn reads a ResourceList on stdin and writes it to stdout: with the unit's Kustomization and DaemonSet where the unit is on,
and metallb's Kustomization waiting for it; without them where it is off. All other items are left byte for byte.

The functionConfig says which releases it is about, and where in the stream the values are (docs/krm-function.md). What
happened is told in the results and on stderr. The same runs without "fn" where stdin is a ResourceList, so that kustomize
needs no arguments.`,
		Example: "  sylva-prepull fn < testdata/krm-on/list.yaml",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return runFn(w, f, w.in) },
	}
	f.add(cmd)
	return cmd
}

// runFn runs the function, and tells its results on stderr: "kustomize build" shows no others.
func runFn(w world, f *unitFlags, in io.Reader) error {
	definition, err := f.definition()
	if err != nil {
		return err
	}
	defaults, err := standIn()
	if err != nil {
		return err
	}
	results, err := (&function.Function{Unit: definition, StandIn: defaults}).Run(in, w.out)
	for _, result := range results {
		fmt.Fprintln(w.err, strings.ReplaceAll(function.Text(result), "\n", " "))
	}
	if errors.Is(err, function.ErrFailed) {
		return exit(codeBad) // the results have told why
	}
	return err
}

// runBare is the program without a command: a function where stdin holds something, else its help.
func runBare(w world, cmd *cobra.Command) error {
	if w.inTerminal {
		return cmd.Help()
	}
	in := bufio.NewReader(w.in)
	if _, err := in.Peek(1); errors.Is(err, io.EOF) {
		return cmd.Help()
	}
	return runFn(w, &unitFlags{unit: defaultUnit}, in)
}
