package chart

import (
	"fmt"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Dependency is one entry of a Kustomization's dependsOn.
type Dependency struct {
	Name, Namespace string          // of the Kustomization depended on
	Unknown         string          // why it cannot be decided whether the entry is there, or how it is named
	At              values.Position // of the entry in the values
}

// Dependencies is the dependsOn of a unit's Kustomization, in order (templates/units.yaml). An entry that cannot be decided is in the
// list, with the reason. The error is a *gotpl.Failure where the chart would refuse to render, or says why nothing can be told.
func (e *Engine) Dependencies(unit string) ([]Dependency, error) {
	field, err := e.Field(unit, "depends_on")
	if err != nil || field == nil {
		return nil, err
	}
	if field.Kind != values.Map {
		return nil, &gotpl.Unknown{Why: fmt.Sprintf("units.%s.depends_on: %s", unit, firstOf(field.Why, "not a map"))}
	}
	if err := e.checkClosure(unit); err != nil {
		return nil, err
	}
	var out []Dependency
	for _, name := range field.Keys() {
		entry := field.Fields[name]
		on, err := e.asBool(entry, phase{pass: passUnit, unit: unit})
		switch {
		case isUnknown(err):
			out = append(out, e.named(name, entry, err.Error()))
		case err != nil:
			return nil, err
		case on:
			dependency, err := e.present(unit, name, entry)
			if err != nil {
				return nil, err
			}
			out = append(out, dependency)
		}
	}
	if field.Partial != "" && len(out) == 0 {
		out = append(out, Dependency{Unknown: field.Partial, At: field.Where()})
	}
	return out, nil
}

// named is an entry under the name that its Kustomization has, as far as it is known.
func (e *Engine) named(name string, entry *values.Node, why string) Dependency {
	dependency := Dependency{Name: name, Unknown: why, At: entry.Where()}
	if namespace, kustomization, ok := strings.Cut(name, "/"); ok {
		dependency.Namespace, dependency.Name = namespace, kustomization
		return dependency
	}
	if gotpl.IsTemplate(name) {
		dependency.Name = ""
		return dependency
	}
	if e.HasUnit(name) {
		if made := e.KustomizationName(name); made.Kind == values.String {
			dependency.Name = made.Scalar.(string)
		} else {
			dependency.Unknown = firstOf(dependency.Unknown, made.Why)
		}
	}
	return dependency
}

// present is an entry that is there. The chart refuses one on a unit that does not exist or is off.
func (e *Engine) present(unit, name string, entry *values.Node) (Dependency, error) {
	dependency := e.named(name, entry, "")
	if strings.Contains(name, "/") || gotpl.IsTemplate(name) {
		if gotpl.IsTemplate(name) {
			dependency.Unknown = "its name is a template that cannot be evaluated"
		}
		return dependency, nil
	}
	if !e.HasUnit(name) {
		return dependency, &gotpl.Failure{Why: fmt.Sprintf("unit '%s' is declared with a dependency on non-existing unit '%s' (%s)", unit, name, entry.Where())}
	}
	verdict := e.Enabled(name)
	switch {
	case isUnknown(verdict.Err):
		dependency.Unknown = verdict.Err.Error()
	case verdict.Err != nil:
		return dependency, verdict.Err
	case !verdict.On:
		return dependency, &gotpl.Failure{Why: fmt.Sprintf("unit '%s' is declared with a dependency on disabled unit '%s' (%s)", unit, name, entry.Where())}
	}
	return dependency, nil
}
