package chart

import (
	"fmt"
	"slices"
	"text/template"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Verdict says whether a unit is enabled, and what decided it.
type Verdict struct {
	On      bool
	Why     string          // in the terms of the values: "enabled: false", "enabled_conditions[1] is false"
	At      values.Position // of what decided
	Err     error           // *gotpl.Unknown or *gotpl.Failure where it cannot be known
	Assumed bool            // taken from the assumptions
}

type unitKey struct {
	unit  string
	phase phase
}

// Enabled is unit-enabled (templates/_helpers.tpl) as units.yaml calls it: after all values are interpreted.
func (e *Engine) Enabled(unit string) Verdict { return e.enabled(unit, phase{pass: passUnit}) }

// HasUnit reports whether the values define a unit.
func (e *Engine) HasUnit(unit string) bool { return e.values.Get("units", unit) != nil }

func (e *Engine) enabled(unit string, p phase) Verdict {
	p.unit = "" // the answer does not depend on the unit that asks
	key := unitKey{unit, p}
	if verdict, ok := e.units[key]; ok {
		return verdict
	}
	if e.busy[key] {
		return Verdict{Err: &gotpl.Unknown{Why: fmt.Sprintf("whether unit %s is enabled depends on itself", unit)}}
	}
	e.busy[key] = true
	verdict := e.decide(unit, p)
	delete(e.busy, key)
	if assumed, ok := e.assume.Units[unit]; ok && isUnknown(verdict.Err) {
		verdict = Verdict{On: assumed, Why: "assumed", At: values.Position{File: "--assume"}, Assumed: true}
	}
	e.units[key] = verdict
	return verdict
}

func isUnknown(err error) bool {
	_, ok := err.(*gotpl.Unknown)
	return ok
}

// at reads a value as the chart's own templates see it in a phase: interpreted once all values are, raw before.
func (e *Engine) at(p phase, path ...string) *values.Node {
	return reader{e, p}.see(path)
}

func (e *Engine) decide(unit string, p phase) Verdict {
	def := e.unitIn(p, unit)
	if def == nil || def.Kind == values.Map && len(def.Fields) == 0 {
		return Verdict{Err: &gotpl.Failure{Why: fmt.Sprintf("'unit-enabled' called to test if a non-existing unit is enabled (%s)", unit)}}
	}
	verdict := e.switched(unit, def, p)
	if verdict.Err != nil {
		return verdict
	}
	if oneShot := e.inPhase(def.Get("one_shot"), p); verdict.On && truth(oneShot) {
		if done := e.oneShotDone(unit, p); done.Err != nil || done.On {
			return Verdict{On: false, Why: "one_shot: it has run", At: oneShot.Where(), Err: done.Err}
		}
	}
	return e.conditions(verdict, unit, def, p)
}

// unitIn is a unit's definition. Its fields are read one by one: interpreting a whole unit costs more than all else.
func (e *Engine) unitIn(p phase, unit string) *values.Node {
	def := e.values.Get("units", unit)
	if isTemplate(def) {
		return e.at(p, "units", unit)
	}
	return def
}

// inPhase is a node of a unit's definition as templates see it in a phase.
func (e *Engine) inPhase(n *values.Node, p phase) *values.Node {
	if n == nil || p.pass != passUnit {
		return n
	}
	return kept(e.interpret(n, phase{pass: passValues}))
}

// switched is what units_override_enabled, enabled and units_enabled_default say, in this order.
func (e *Engine) switched(unit string, def *values.Node, p phase) Verdict {
	if list := e.at(p, "units_override_enabled"); list != nil {
		return e.listed(unit, e.interpret(list, p))
	}
	if enabled := e.inPhase(def.Get("enabled"), p); enabled != nil {
		on, err := e.asBool(enabled, p)
		return Verdict{On: on, Why: fmt.Sprintf("enabled: %v", on), At: def.Get("enabled").Where(), Err: err}
	}
	byDefault := e.at(p, "units_enabled_default")
	if byDefault == nil {
		return Verdict{Why: "no units_enabled_default"}
	}
	if byDefault.Kind == values.Unknown {
		return Verdict{Err: lost(byDefault), At: byDefault.Where()}
	}
	on := truth(byDefault)
	return Verdict{On: on, Why: fmt.Sprintf("units_enabled_default: %v", on), At: byDefault.Where()}
}

func (e *Engine) listed(unit string, list *values.Node) Verdict {
	at := list.Where()
	if list.Kind == values.Unknown || list.Partial != "" {
		return Verdict{Err: &gotpl.Unknown{Why: "units_override_enabled: " + firstOf(list.Why, list.Partial)}, At: at}
	}
	for _, item := range list.Items {
		if item.Kind == values.Unknown {
			return Verdict{Err: lost(item), At: item.At}
		}
	}
	on := slices.ContainsFunc(list.Items, func(item *values.Node) bool { return item.Kind == values.String && item.Scalar == unit })
	if on {
		return Verdict{On: true, Why: "in units_override_enabled", At: at}
	}
	return Verdict{Why: "not in units_override_enabled", At: at}
}

// conditions and-s the enabled_conditions to what was switched, stopping at the first that is false.
func (e *Engine) conditions(verdict Verdict, unit string, def *values.Node, p phase) Verdict {
	if !verdict.On {
		return verdict
	}
	list := e.inPhase(def.Get("enabled_conditions"), p)
	if list == nil || list.Kind == values.Null {
		return verdict
	}
	if list.Kind != values.List || list.Partial != "" {
		return Verdict{Err: &gotpl.Unknown{Why: fmt.Sprintf("units.%s.enabled_conditions: %s", unit, firstOf(list.Partial, list.Why, "not a list"))}, At: list.Where()}
	}
	written := def.Get("enabled_conditions")
	for i, condition := range list.Items {
		at, text := condition.At, ""
		if written.Kind == values.List && i < len(written.Items) {
			at, text = written.Items[i].At, written.Items[i].Text
		}
		on, err := e.asBool(condition, p)
		if assumed, ok := e.assume.Conditions[text]; ok && isUnknown(err) {
			on, err, verdict.Assumed = assumed, nil, true
		}
		if err != nil || !on {
			return Verdict{Why: fmt.Sprintf("enabled_conditions[%d] is false", i), At: at, Err: err, Assumed: verdict.Assumed}
		}
	}
	return verdict
}

// oneShotDone is one-shot-unit-is-done: recorded in the ConfigMap sylva-units-status, by a release that ran to its end. Where no
// release has (not an upgrade) nothing is recorded.
func (e *Engine) oneShotDone(unit string, p phase) Verdict {
	const mock = "_test_mockup_sylva_units_status_ConfigMap"
	if e.at(p, "_internal", mock) != nil {
		return e.recorded(unit, e.at(p, "_internal", mock, "data", "one-shot-units"))
	}
	if upgrade := e.Interpreted("_internal", "state", "is_upgrade"); upgrade != nil && upgrade.Kind == values.Bool && upgrade.Scalar == false {
		return Verdict{}
	}
	return Verdict{Err: &gotpl.Unknown{Why: fmt.Sprintf("one_shot: whether unit %s has run is in the cluster (ConfigMap sylva-units-status)", unit)}}
}

func (e *Engine) recorded(unit string, text *values.Node) Verdict {
	if text == nil || text.Kind != values.String {
		return Verdict{}
	}
	units, err := values.Parse("sylva-units-status", []byte(text.Scalar.(string)))
	if err != nil {
		return Verdict{Err: &gotpl.Unknown{Why: err.Error()}}
	}
	done := units.Get(unit)
	return Verdict{On: done != nil && done.Scalar == "done"}
}

// asBool is interpret-as-bool: the value interpreted, and cast as the chart casts it.
func (e *Engine) asBool(n *values.Node, p phase) (bool, error) {
	if n == nil {
		return false, &gotpl.Failure{Why: "nothing where a boolean is due"}
	}
	made := e.interpret(n, p)
	if made.Kind == values.Unknown {
		return false, lost(made)
	}
	b, err := castBool(made.Go(hole))
	if failure, ok := err.(*gotpl.Failure); ok && n.At.Line > 0 {
		return false, &gotpl.Failure{Why: fmt.Sprintf("%s (%s)", failure.Why, n.At)}
	}
	return b, err
}

// truth is what an if makes of a value.
func truth(n *values.Node) bool {
	if n == nil {
		return false
	}
	yes, _ := template.IsTrue(n.Go(hole))
	return yes
}

// Condition evaluates one enabled condition by itself, as the values pass would, and reports whether an assumption decided.
func (e *Engine) Condition(condition *values.Node) (on, assumed bool, err error) {
	on, err = e.asBool(condition, phase{pass: passValues})
	if result, ok := e.assume.Conditions[condition.Text]; ok && isUnknown(err) {
		return result, true, nil
	}
	return on, false, err
}
