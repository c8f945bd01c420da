package verify

import (
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// healthCheck is an entry of spec.healthChecks.
type healthCheck struct {
	apiVersion, kind, name, namespace string
	at                                values.Position
}

func (h healthCheck) String() string {
	name := h.name
	if h.namespace != "" {
		name = h.namespace + "/" + name
	}
	return strings.Join([]string{h.apiVersion, h.kind, name}, " ")
}

func healthChecks(spec *values.Node) []healthCheck {
	var list []healthCheck
	for _, each := range spec.Get("healthChecks").List() {
		list = append(list, healthCheck{
			each.Get("apiVersion").AsText(), each.Get("kind").AsText(), each.Get("name").AsText(), each.Get("namespace").AsText(), each.At,
		})
	}
	return list
}

// waits reports whether Flux waits for all that a Kustomization makes.
func waits(spec *values.Node) bool { return spec.Get("wait").Is(true) }

// waitAndHealthChecks: kustomize-controller api/v1 KustomizationSpec, Wait: "when enabled, the HealthChecks are ignored".
func waitAndHealthChecks(c *checker) error {
	check := func(spec *values.Node, name string) {
		c.look(1)
		if waits(spec) && len(healthChecks(spec)) > 0 {
			c.find(spec.Get("healthChecks").Where(), "%s has wait: true and healthChecks", name)
		}
	}
	for _, object := range c.kustomizations {
		check(object.Node.Get("spec"), object.String())
	}
	for _, p := range c.ofTree() {
		check(p.spec, "unit "+c.unit.Name)
	}
	return nil
}

// withSpec are the prepulls of which the Kustomization is known.
func (s *scope) withSpec() []*prepull {
	return slices.DeleteFunc(slices.Clone(s.prepulls), func(p *prepull) bool { return p.spec == nil })
}

// ofTree are those that stand in a tree.
func (s *scope) ofTree() []*prepull {
	return slices.DeleteFunc(s.withSpec(), func(p *prepull) bool { return !p.inTree })
}

// noHealthCheck: a health check of something else than a DaemonSet waits for no pull.
func noHealthCheck(c *checker) error {
	for _, p := range c.withSpec() {
		c.look(1)
		list := healthChecks(p.spec)
		isDaemonSet := func(h healthCheck) bool { return strings.EqualFold(h.kind, "DaemonSet") }
		switch {
		case waits(p.spec) || slices.ContainsFunc(list, isDaemonSet):
		case len(list) == 0:
			c.find(p.at, "%s has neither healthChecks nor wait: true: it is Ready as soon as its DaemonSet is applied", c.name(p))
		default:
			c.find(p.spec.Get("healthChecks").Where(),
				"none of the healthChecks of %s names a DaemonSet: it is Ready as soon as that is applied", c.name(p))
		}
	}
	return nil
}

// templated reports whether a value is a template of Sylva.
func templated(n *values.Node) bool { return strings.Contains(n.AsText(), "{{") }
