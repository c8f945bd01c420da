package manifest

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// spec is the Kustomization's spec as units.yaml merges it, without dependsOn.
func (b *builder) spec() (Object, error) {
	own, err := b.engine.Field(b.unit, "kustomization_spec")
	if err != nil {
		return nil, err
	}
	sources := []*values.Node{b.engine.Interpreted("unit_kustomization_spec_default"), own}
	isHelm := b.engine.Values().Get("units", b.unit, "helmrelease_spec") != nil
	if isHelm {
		sources = append(sources, b.engine.Interpreted("unit_helmrelease_kustomization_spec_default"))
	}
	spec := b.plain(chart.MergeAppend(sources...), "kustomization_spec")
	b.underscored(spec, "patches")
	b.underscored(spec, "components")
	if !isHelm && spec["sourceRef"] == nil {
		if spec["sourceRef"], err = b.sourceRef(); err != nil {
			return nil, err
		}
	}
	for _, field := range []string{"kubeConfig", "targetNamespace"} {
		if value, ok := spec[field]; ok && value == nil {
			delete(spec, field)
		}
	}
	healthChecks, _ := spec["healthChecks"].([]any)
	if len(healthChecks) > 0 && spec["wait"] == true {
		return nil, fmt.Errorf("it has healthChecks and wait: true, which the chart refuses: Flux ignores healthChecks with wait: true")
	}
	return spec, nil
}

// underscored joins _patches or _components, which the chart's own values use, with the user's field.
func (b *builder) underscored(spec Object, field string) {
	chart, _ := spec["_"+field].([]any)
	user, _ := spec[field].([]any)
	delete(spec, "_"+field)
	delete(spec, field)
	if joined := append(append([]any{}, chart...), user...); len(joined) > 0 {
		spec[field] = joined
	}
}

// sourceRef is made of the unit's repo and source_templates.
func (b *builder) sourceRef() (Object, error) {
	repo, err := b.engine.Field(b.unit, "repo")
	if err != nil {
		return nil, err
	}
	if repo == nil || repo.Kind != values.String {
		return nil, fmt.Errorf("it has no repo")
	}
	name := repo.Scalar.(string)
	kind := b.engine.Interpreted("source_templates", name, "kind")
	if kind == nil || kind.Kind != values.String {
		return nil, fmt.Errorf("source_templates has no kind for the repo %q", name)
	}
	return Object{"kind": kind.Scalar, "name": name}, nil
}
