package chart

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Field is one field of a unit's full definition, interpreted: unit-def (templates/_helpers.tpl), which merges
// unit_definition_defaults, the unit templates in their order, and the unit itself. It is nil where none of them has the field.
func (e *Engine) Field(unit, name string) (*values.Node, error) {
	return e.fieldIn(unit, name, phase{pass: passUnit, unit: unit})
}

func (e *Engine) fieldIn(unit, name string, p phase) (*values.Node, error) {
	written, err := e.written(unit, name)
	if err != nil || written == nil {
		return nil, err
	}
	return kept(e.interpret(written, p)), nil
}

// written merges a field from its sources, before its last interpretation.
func (e *Engine) written(unit, name string) (*values.Node, error) {
	defaults := e.values.Get("unit_definition_defaults")
	own := e.own(unit, name)
	if name == "unit_templates" {
		return MergeAppend(defaults.Get(name), own), nil
	}
	templates, err := e.written(unit, "unit_templates")
	if err != nil {
		return nil, err
	}
	sources := []*values.Node{defaults.Get(name)}
	for _, template := range items(templates) {
		if template.Kind == values.Unknown || templates.Partial != "" {
			return nil, &gotpl.Unknown{Why: fmt.Sprintf("units.%s.unit_templates: %s", unit, firstOf(template.Why, templates.Partial))}
		}
		named, _ := template.Scalar.(string)
		def := e.values.Get("unit_templates", named)
		if def == nil {
			return nil, &gotpl.Failure{Why: fmt.Sprintf("unit %s has '%s' in unit_templates but no such template is declared (%s)", unit, named, template.At)}
		}
		sources = append(sources, def.Get(name))
	}
	return MergeAppend(append(sources, own)...), nil
}

// own is a field of the unit as the values pass left it.
func (e *Engine) own(unit, name string) *values.Node {
	def := e.values.Get("units", unit)
	if isTemplate(def) {
		return e.walk(e.values, []string{"units", unit, name}, phase{pass: passValues})
	}
	return e.inPhase(def.Get(name), phase{pass: passUnit})
}

func items(n *values.Node) []*values.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// KustomizationName is kustomization-name: the name of a unit's Kustomization, of Kind Unknown where it cannot be known.
func (e *Engine) KustomizationName(unit string) *values.Node {
	name, err := e.Field(unit, "kustomization_name")
	if err != nil {
		return unknown(values.Position{}, err.Error())
	}
	if name == nil || name.Kind == values.Null || name.Scalar == "" {
		return &values.Node{Kind: values.String, Scalar: unit, Text: unit}
	}
	return name
}
