package chart

import "gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"

// The passes of interpret-values-gotpl, in order. passRaw is no pass: the value as written.
const (
	passRaw = iota
	passState
	passInternal
	passValues
	passUnit
)

// phase is where a template runs: the pass and, in the last one, the unit (.Values._unit_name_).
type phase struct {
	pass int
	unit string
	// closing: while cluster_machines_ready_unit_deps is computed it does not exist yet (units.yaml).
	closing bool
}

// of is the phase in which a node is made that is met in phase p.
func (e *Engine) of(n *values.Node, p phase) phase {
	switch n {
	case nil:
	case e.values.Get("_internal", "state"):
		return phase{pass: passState}
	case e.values.Get("_internal"):
		return phase{pass: passInternal}
	case e.values.Get("unit_templates"), e.values.Get("unit_definition_defaults"):
		return phase{pass: passRaw} // kept raw, and interpreted unit by unit
	}
	return p
}

// reader is what a template sees of the values in its phase.
type reader struct {
	*Engine
	phase phase
}

// Turns is gotpl.Env's.
func (r reader) Turns() *int { return &r.turns }

// Read is gotpl.Env's: plain data, fresh at every call.
func (r reader) Read(path []string) (any, bool) {
	n := r.see(path)
	if n == nil {
		return nil, false
	}
	return n.Go(hole), true
}

// see is .Values.path in the reader's phase: what earlier passes made, and raw text where the pass itself is at work.
func (r reader) see(path []string) *values.Node {
	switch r.phase.pass {
	case passInternal:
		return r.mixed(path, "_internal", "state")
	case passValues:
		return r.mixed(path, "_internal")
	case passUnit:
		return r.seeUnit(path)
	}
	return r.values.Get(path...)
}

// mixed reads raw values among which the subtree at made is interpreted.
func (r reader) mixed(path []string, made ...string) *values.Node {
	if r.phase.pass == passValues && len(path) > 0 && path[0] == "unit_templates" {
		return values.Empty().Get(path[1:]...) // interpret-values-gotpl hides them
	}
	if hasPrefix(path, made) {
		return r.walk(r.values, path, r.phase)
	}
	if !hasPrefix(made, path) || r.values.Get(made...) == nil {
		return r.values.Get(path...)
	}
	return r.values.Set(r.walk(r.values, made, r.phase), made...).Get(path...)
}

func (r reader) seeUnit(path []string) *values.Node {
	if len(path) == 0 {
		return r.walk(r.values, path, phase{pass: passValues})
	}
	switch path[0] {
	case "_unit_name_":
		return &values.Node{Kind: values.String, Scalar: r.phase.unit}
	case "_kustomization_name_":
		return r.KustomizationName(r.phase.unit)
	}
	if hasPrefix(path, []string{"_internal", "cluster_machines_ready_unit_deps"}) {
		if r.phase.closing {
			return nil
		}
		return r.closureFor(r.phase.unit)
	}
	return r.walk(r.values, path, phase{pass: passValues})
}

func hasPrefix(path, prefix []string) bool {
	if len(path) < len(prefix) {
		return false
	}
	for i, key := range prefix {
		if path[i] != key {
			return false
		}
	}
	return true
}
