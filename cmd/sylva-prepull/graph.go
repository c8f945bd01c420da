package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

type graphFlags struct {
	streamFlags
	around []string
	all    bool
	depth  int
	output choice
}

func newGraph(w world) *cobra.Command {
	f := &graphFlags{output: choice{value: "text", words: []string{"text", "mermaid", "dot"}}}
	cmd := &cobra.Command{
		Use:   "graph -r FILE",
		Short: "Print the dependency graph around a unit",
		Long: `graph prints what a unit waits for and what waits for it, over some steps, as the rendered Kustomizations have it. Cycles
and dependencies that are not there are marked. Without --around it is about the unit that the pre-pull unit is for.`,
		Example: `  sylva-prepull graph -r testdata/verify/release.yaml
  sylva-prepull graph -r testdata/verify/release.yaml --around metallb-image-prepull --depth 2 -o mermaid
  sylva-prepull graph -r testdata/verify/broken.yaml --all -o dot`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(w) },
	}
	f.streamFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.around, "around", nil, "a `UNIT`, or the name of a Kustomization with or without its namespace; repeatable")
	flags.IntVar(&f.depth, "depth", 1, "at most `N` steps from there")
	flags.BoolVar(&f.all, "all", false, "the whole graph")
	f.unitFlags.add(cmd)
	addChoice(cmd, &f.output, "output", "o", "the format")
	cmd.MarkFlagsMutuallyExclusive("all", "around")
	cmd.MarkFlagsMutuallyExclusive("all", "depth")
	_ = cmd.MarkFlagDirname("units-dir")
	return cmd
}

func (f *graphFlags) run(w world) error {
	if len(f.rendered) == 0 {
		return errors.New("-r FILE is due: rendered manifests with Kustomizations")
	}
	if f.depth < 0 {
		return fmt.Errorf("--depth %d: 0 or more is due", f.depth)
	}
	if err := once(f.rendered); err != nil {
		return err
	}
	streams, err := readStreams(w, f.rendered)
	if err != nil {
		return err
	}
	g, err := graph.New(verify.Input{Namespace: f.namespace}.Objects(streams))
	if err != nil {
		return err
	}
	if len(g.Nodes) == 0 {
		return errors.New("no Flux Kustomization in the input: render the whole release")
	}
	view, err := f.view(g)
	if err != nil {
		return err
	}
	return f.print(w, g, view)
}

func (f *graphFlags) view(g *graph.Graph) (*graph.View, error) {
	if f.all {
		return g.All(), nil
	}
	around := f.around
	if len(around) == 0 {
		definition, err := f.definition()
		if err != nil {
			return nil, err
		}
		around = []string{definition.Holds}
	}
	var centres []*graph.Node
	for _, text := range around {
		found := g.Named(text)
		if len(found) == 0 {
			return nil, fmt.Errorf("no Kustomization %q in the input: --around takes one that is there, --all takes all", text)
		}
		centres = append(centres, found...)
	}
	return g.Around(slices.Compact(centres), f.depth), nil
}

func (f *graphFlags) print(w world, g *graph.Graph, view *graph.View) error {
	text := map[string]func() string{"text": view.Text, "mermaid": view.Mermaid, "dot": view.Dot}[f.output.value]()
	if _, err := fmt.Fprint(w.out, text); err != nil {
		return err
	}
	fmt.Fprintf(w.err, "%d of %s, %d of %d dependencies\n", view.Shown(), plural(len(g.Nodes), "Kustomization"), view.Drawn(), g.Edges())
	if f.output.value == "mermaid" && view.Drawn() > graph.MermaidEdges {
		fmt.Fprintf(w.err,
			"warning: Mermaid draws at most %d edges unless its maxEdges is raised: --around and --depth leave fewer\n", graph.MermaidEdges)
	}
	return nil
}
