package manifest

import (
	"errors"
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
	if own != nil && own.Kind != values.Map && own.Kind != values.Null {
		return nil, fmt.Errorf("kustomization_spec is %s: a map is due (%s)", firstOf(own.Why, own.Kind.String()), own.Where())
	}
	sources := []*values.Node{b.engine.Interpreted("unit_kustomization_spec_default"), own}
	isHelm := b.engine.Values().Get("units", b.unit, "helmrelease_spec") != nil
	if isHelm {
		sources = append(sources, b.engine.Interpreted("unit_helmrelease_kustomization_spec_default"))
	}
	merged := chart.MergeAppend(sources...)
	if merged.Get("path") == nil {
		return nil, errors.New("kustomization_spec has no path: Flux would take the root of the repository")
	}
	spec := b.plain(merged, "kustomization_spec")
	if err := errors.Join(checkTypes(spec), b.underscored(spec, "patches"), b.underscored(spec, "components")); err != nil {
		return nil, err
	}
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

// suspend takes the unit's own field, but for a Helm unit, of which the HelmRelease is suspended. What is not empty is true, as in the chart.
func (b *builder) suspend(spec Object) {
	node, err := b.engine.Field(b.unit, "suspend")
	switch {
	case err != nil:
		b.lost = append(b.lost, err.Error())
	case node == nil || node.Kind == values.Null || node.Scalar == false || node.Scalar == "":
	case node.Kind == values.Unknown:
		b.lost = append(b.lost, fmt.Sprintf("suspend of unit %s: %s", b.unit, node.Why))
	case b.engine.Values().Get("units", b.unit, "helmrelease_spec") == nil:
		spec["suspend"] = true
	}
}

// underscored joins _patches or _components, which the chart's own values use, with the user's field.
func (b *builder) underscored(spec Object, field string) error {
	for _, key := range []string{"_" + field, field} {
		if _, isList := spec[key].([]any); spec[key] != nil && !isList {
			return fmt.Errorf("kustomization_spec.%s: a list is due", key)
		}
	}
	chart, _ := spec["_"+field].([]any)
	user, _ := spec[field].([]any)
	delete(spec, "_"+field)
	delete(spec, field)
	if joined := append(append([]any{}, chart...), user...); len(joined) > 0 {
		spec[field] = joined
	}
	return nil
}

// checkTypes refuses fields of other types than a Kustomization's, as far as the build reads them.
func checkTypes(spec Object) error {
	for _, field := range []string{"path", "targetNamespace", "timeout", "interval", "retryInterval"} {
		if _, isText := spec[field].(string); spec[field] != nil && !isText {
			return fmt.Errorf("kustomization_spec.%s: a string is due", field)
		}
	}
	for _, field := range []string{"images", "healthChecks"} {
		if _, isList := spec[field].([]any); spec[field] != nil && !isList {
			return fmt.Errorf("kustomization_spec.%s: a list is due", field)
		}
	}
	return nil
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
