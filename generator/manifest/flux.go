package manifest

import (
	"fmt"
	"maps"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Object is a Kubernetes object as plain data.
type Object = map[string]any

// Undecided is the annotation that names the entries of dependsOn that cannot be decided. They are in dependsOn all the same.
const Undecided = Prefix + "undecided-dependencies"

// Prefix is that of the annotations which are this project's own.
const Prefix = "prepull.sylva.org/"

// Kustomization is the Flux Kustomization that the chart makes of a unit (templates/units.yaml), without the HelmRelease that it
// patches into that of a Helm unit. The second result says what of it is not known.
func Kustomization(e *chart.Engine, name, namespace string) (Object, []string, error) {
	b := &builder{engine: e, unit: name}
	spec, err := b.spec()
	if err != nil {
		return nil, nil, fmt.Errorf("unit %s: %w", name, err)
	}
	b.suspend(spec)
	kustomization, err := b.name()
	if err != nil {
		return nil, nil, err
	}
	metadata := Object{"name": kustomization, "namespace": namespace, "labels": b.labels()}
	annotations := b.data("annotations")
	dependencies, err := e.Dependencies(name)
	if err != nil {
		return nil, nil, fmt.Errorf("unit %s: depends_on: %w", name, err)
	}
	dependsOn, undecided := b.dependsOn(dependencies)
	if len(dependsOn) > 0 {
		spec["dependsOn"] = dependsOn
	}
	if len(undecided) > 0 {
		annotations[Undecided] = strings.Join(undecided, ",")
	}
	if len(annotations) > 0 {
		metadata["annotations"] = annotations
	}
	return Object{"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": metadata, "spec": spec}, b.lost, nil
}

// builder puts a unit's Kustomization together and keeps what is not known.
type builder struct {
	engine *chart.Engine
	unit   string
	lost   []string
}

func (b *builder) name() (string, error) {
	made := b.engine.KustomizationName(b.unit)
	if made.Kind != values.String {
		return "", fmt.Errorf("unit %s: its Kustomization's name cannot be known here: %s", b.unit, made.Why)
	}
	return made.Scalar.(string), nil
}

// data is a field of the unit as plain data, what is not known left out and noted.
func (b *builder) data(field string) Object {
	node, err := b.engine.Field(b.unit, field)
	if err != nil {
		b.lost = append(b.lost, err.Error())
		return Object{}
	}
	return b.plain(node, field)
}

func (b *builder) plain(node *values.Node, what string) Object {
	out := Object{}
	if node == nil || node.Kind != values.Map {
		return out
	}
	for _, key := range node.Keys() {
		if field := node.Fields[key]; known(field) {
			out[key] = field.Go(func(n *values.Node) any { return nil })
		} else {
			b.lost = append(b.lost, fmt.Sprintf("%s of unit %s: %s: %s", what, b.unit, key, whyLost(field)))
		}
	}
	return out
}

func known(n *values.Node) bool { return whyLost(n) == "" }

func whyLost(n *values.Node) string {
	switch {
	case n.Kind == values.Unknown:
		return n.Why
	case n.Partial != "":
		return n.Partial
	}
	for _, key := range n.Keys() {
		if why := whyLost(n.Fields[key]); why != "" {
			return why
		}
	}
	for _, item := range n.Items {
		if why := whyLost(item); why != "" {
			return why
		}
	}
	return ""
}

// labels are unit-labels (templates/_helpers.tpl) but for the chart's version.
func (b *builder) labels() Object {
	labels := b.data("labels")
	maps.DeleteFunc(labels, func(_ string, value any) bool { return value == nil })
	labels["app.kubernetes.io/name"] = "sylva-units"
	labels["app.kubernetes.io/instance"] = "sylva-units"
	labels["app.kubernetes.io/managed-by"] = "Helm"
	labels["sylva-units.unit"] = b.unit
	return labels
}

func (b *builder) dependsOn(dependencies []chart.Dependency) ([]any, []string) {
	var list []any
	var undecided []string
	for _, each := range dependencies {
		name := each.Name
		if each.Unknown != "" {
			undecided = append(undecided, name)
			b.lost = append(b.lost, fmt.Sprintf("dependsOn of unit %s: %s: %s", b.unit, firstOf(name, "an entry"), each.Unknown))
		}
		if name == "" {
			continue
		}
		entry := Object{"name": name}
		if each.Namespace != "" {
			entry["namespace"] = each.Namespace
		}
		list = append(list, entry)
	}
	return list, undecided
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
