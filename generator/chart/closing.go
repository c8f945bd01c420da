package chart

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

const machinesReady = "cluster-machines-ready"

// closure is all-unit-dependencies (templates/_helpers.tpl): the units that one depends on, directly or not.
type closure struct {
	units  map[string]bool
	lost   []string // what is not known of it
	failed error    // why the chart would refuse it
}

// closureFor is _internal.cluster_machines_ready_unit_deps, which units.yaml computes. unit_templates.base-deps asks whether the unit at
// hand is among them, so that an edge which cannot be decided leaves the list unknown only to a unit that is not in it anyway.
func (e *Engine) closureFor(unit string) *values.Node {
	if e.machines == nil {
		e.machines = &closure{units: map[string]bool{}}
		if e.HasUnit(machinesReady) {
			e.close(e.machines, machinesReady, nil, true)
		}
	}
	if len(e.machines.lost) > 0 && !e.machines.units[unit] {
		return unknown(values.Position{}, "which units "+machinesReady+" depends on: "+e.machines.lost[0])
	}
	list := &values.Node{Kind: values.List}
	for _, name := range sorted(e.machines.units) {
		list.Items = append(list.Items, &values.Node{Kind: values.String, Scalar: name, Text: name})
	}
	return list
}

// checkClosure is the check that units.yaml makes of every enabled unit: nothing it depends on, directly or not, is missing or depends
// on it in turn.
func (e *Engine) checkClosure(unit string) error {
	all := &closure{units: map[string]bool{}}
	e.close(all, unit, nil, false)
	return all.failed
}

// close adds what unit depends on to the closure. trail is the way that led here.
func (e *Engine) close(all *closure, unit string, trail []string, closing bool) {
	if slices.Contains(trail, unit) {
		all.fail(&gotpl.Failure{Why: fmt.Sprintf("unit %s is involved in a circular dependency: %s", unit, strings.Join(append(trail, unit), " -> "))})
		return
	}
	if all.units[unit] && len(trail) > 0 {
		return
	}
	if len(trail) > 0 {
		all.units[unit] = true
	}
	if !e.HasUnit(unit) {
		all.fail(&gotpl.Failure{Why: fmt.Sprintf("unit-def called on non-existing unit: %s, which %s depends on", unit, trail[len(trail)-1])})
		return
	}
	trail = append(slices.Clone(trail), unit)
	for _, name := range e.active(all, unit, closing) {
		e.close(all, name, trail, closing)
	}
}

// active are the names of a unit's dependencies that count. While the closure of cluster-machines-ready is computed, the unit itself
// is left out (units.yaml).
func (e *Engine) active(all *closure, unit string, closing bool) []string {
	p := phase{pass: passUnit, unit: unit, closing: closing}
	field, err := e.fieldIn(unit, "depends_on", p)
	if err != nil {
		all.fail(err)
		return nil
	}
	if field == nil || field.Kind != values.Map {
		if field != nil && field.Kind == values.Unknown {
			all.lost = append(all.lost, field.Why)
		}
		return nil
	}
	if field.Partial != "" {
		all.lost = append(all.lost, field.Partial)
	}
	var names []string
	for _, name := range field.Keys() {
		if closing && name == machinesReady || gotpl.IsTemplate(name) {
			continue
		}
		on, err := e.asBool(field.Fields[name], p)
		if err != nil {
			all.fail(fmt.Errorf("%s on %s: %w", unit, name, err))
			continue
		}
		if on {
			names = append(names, name)
		}
	}
	return names
}

// fail notes why the closure is not known, and a definite failure as such.
func (c *closure) fail(err error) {
	c.lost = append(c.lost, err.Error())
	var failure *gotpl.Failure
	if c.failed == nil && errors.As(err, &failure) {
		c.failed = failure
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
