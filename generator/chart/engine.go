package chart

import (
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Release is what templates see as .Release.
type Release struct {
	Name, Namespace string
	Revision        int
}

// Assumptions stand in for what cannot be decided; what can is never assumed.
type Assumptions struct {
	Units      map[string]bool // unit name: enabled
	Conditions map[string]bool // text of an enabled condition: its result
}

// Engine answers questions on one set of values. It is not safe for use by several goroutines.
type Engine struct {
	values  *values.Node
	lib     *gotpl.Library
	context map[string]any
	assume  Assumptions

	nodes    map[nodeKey]*values.Node
	units    map[unitKey]Verdict
	machines *closure // of cluster-machines-ready
	busy     map[any]bool
	depth    int
	turns    int // of loops in templates
}

// NewLibrary makes a library of templates that engines may share.
func NewLibrary() *gotpl.Library { return gotpl.NewLibrary(pure) }

// New makes an engine on values merged as Helm hands them to the chart.
func New(merged *values.Node, lib *gotpl.Library, release Release, assume Assumptions) *Engine {
	return &Engine{
		values: merged, lib: lib, assume: assume,
		context: map[string]any{
			"Release": map[string]any{
				"Name": release.Name, "Namespace": release.Namespace, "Revision": release.Revision, "Service": "Helm",
				"IsUpgrade": gotpl.Hole{Why: ".Release.IsUpgrade is known to Helm alone"},
				"IsInstall": gotpl.Hole{Why: ".Release.IsInstall is known to Helm alone"},
			},
			"Chart":        gotpl.Hole{Why: ".Chart is not among the values"},
			"Capabilities": gotpl.Hole{Why: ".Capabilities is known to the cluster"},
			"Files":        gotpl.Hole{Why: ".Files are not among the values"},
			"Template":     gotpl.Hole{Why: ".Template is not among the values"},
		},
		nodes: map[nodeKey]*values.Node{}, units: map[unitKey]Verdict{}, busy: map[any]bool{},
	}
}

// Values are the merged values, uninterpreted.
func (e *Engine) Values() *values.Node { return e.values }

// Interpreted returns the value at a path as the chart ends up with it: nil where there is none, of Kind Unknown where it cannot be
// known.
func (e *Engine) Interpreted(path ...string) *values.Node {
	return e.walk(e.values, path, phase{pass: passValues})
}

// Reads are the paths below .Values that a template reads, by its parse tree.
func (e *Engine) Reads(text string) [][]string { return e.lib.Parse(text).Reads }

func unknown(at values.Position, why string) *values.Node {
	return &values.Node{Kind: values.Unknown, Why: why, At: at}
}

func hole(n *values.Node) any {
	if n.Partial != "" {
		return gotpl.Hole{Why: n.Partial}
	}
	return gotpl.Hole{Why: n.Why}
}

func unhole(at values.Position) func(any) *values.Node {
	return func(value any) *values.Node {
		if h, ok := value.(gotpl.Hole); ok {
			return unknown(at, h.Why)
		}
		return nil
	}
}
