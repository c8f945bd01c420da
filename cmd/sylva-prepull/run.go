package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// world is all that the program touches.
type world struct {
	in                    io.Reader
	out, err              io.Writer
	bareErr               io.Writer // err without the escaping of control characters
	fsys                  filesys.FileSystem
	lookupEnv             func(string) (string, bool)
	terminal, errTerminal bool // out and err are terminals
	inTerminal            bool
}

// The exit codes.
const (
	codeFine    = 0
	codeFinding = 1 // of verify, or a difference of generate --check
	codeBad     = 2 // bad usage, bad input, or undecidable
)

// exit is an error that has been told already, or that is none: only its code is left.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run is the program: it returns the exit code.
func run(args []string, w world) int {
	w.err, w.bareErr = visible{w.err}, w.err
	out := &checked{to: w.out}
	w.out = out
	root := newRoot(w)
	root.SetArgs(args)
	err := root.Execute()
	var code exit
	switch {
	case out.err != nil:
		err = fmt.Errorf("writing the result: %w", out.err)
	case err == nil:
		return codeFine
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(w.err, "Error: %s\n", strings.TrimSpace(err.Error()))
	return codeBad
}

// checked remembers the first error of a writer: a result that is lost must not look like one that is empty.
type checked struct {
	to  io.Writer
	err error
}

// Write is io.Writer's.
func (c *checked) Write(data []byte) (int, error) {
	n, err := c.to.Write(data)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

func newRoot(w world) *cobra.Command {
	root := &cobra.Command{
		Use:   "sylva-prepull",
		Short: "Pull MetalLB's new images on every node before MetalLB is upgraded",
		Long: `sylva-prepull generates, previews and checks the Sylva unit metallb-image-prepull: it pulls the images of frr-k8s on
every node before the metallb unit is upgraded, so that the move from native BGP to frr-k8s does not take every
LoadBalancer service down.

It asks no cluster, no network and no clock: the same input gives the same output. Results go to stdout, all else to
stderr. The exit code is 0 when all is fine, 1 for a finding or a difference, 2 for bad usage, bad input, or what
cannot be decided.`,
		SilenceUsage: true, SilenceErrors: true,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBare(w, cmd) },
	}
	root.SetIn(w.in)
	root.SetOut(w.out)
	root.SetErr(w.err)
	root.AddCommand(newPreview(w), newExplain(w), newImages(w), newGenerate(w), newVerify(w), newGraph(w), newFn(w), newVersion(w))
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"})
	return root
}
