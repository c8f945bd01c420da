package chart

import (
	"fmt"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

const machinesReady = "cluster-machines-ready"

// closureFor is _internal.cluster_machines_ready_unit_deps, which units.yaml computes (all-unit-dependencies): the units that
// cluster-machines-ready depends on, directly or not. unit_templates.base-deps asks whether the unit at hand is among them, so that an
// edge which cannot be decided leaves the list unknown only to a unit that is not in it anyway.
func (e *Engine) closureFor(unit string) *values.Node {
	if e.closure == nil {
		e.closure = map[string]bool{}
		if e.HasUnit(machinesReady) {
			e.close(machinesReady, nil)
		}
	}
	if len(e.lost) > 0 && !e.closure[unit] {
		return unknown(values.Position{}, "which units "+machinesReady+" depends on: "+e.lost[0])
	}
	list := &values.Node{Kind: values.List}
	for _, name := range sorted(e.closure) {
		list.Items = append(list.Items, &values.Node{Kind: values.String, Scalar: name, Text: name})
	}
	return list
}

// close adds what unit depends on to the closure. trail is the way that led here.
func (e *Engine) close(unit string, trail []string) {
	if slices.Contains(trail, unit) {
		e.lost = append(e.lost, fmt.Sprintf("unit %s is involved in a circular dependency", unit))
		return
	}
	trail = append(slices.Clone(trail), unit)
	p := phase{pass: passUnit, unit: unit, closing: true}
	field, err := e.fieldIn(unit, "depends_on", p)
	if err != nil {
		e.lost = append(e.lost, err.Error())
		return
	}
	if field == nil || field.Kind != values.Map {
		if field != nil && field.Kind == values.Unknown {
			e.lost = append(e.lost, field.Why)
		}
		return
	}
	if field.Partial != "" {
		e.lost = append(e.lost, field.Partial)
	}
	for _, name := range field.Keys() {
		if name == machinesReady || gotpl.IsTemplate(name) {
			continue
		}
		on, err := e.asBool(field.Fields[name], p)
		if err != nil {
			e.lost = append(e.lost, fmt.Sprintf("%s on %s: %v", unit, name, err))
			continue
		}
		if on && !e.closure[name] {
			e.closure[name] = true
			if e.HasUnit(name) {
				e.close(name, trail)
			}
		}
	}
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
