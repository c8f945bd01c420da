package verify

import (
	"slices"
	"strings"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
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
	return slices.DeleteFunc(s.withSpec(), func(p *prepull) bool { return p.node != nil })
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
			c.find(p.spec.Get("healthChecks").Where(), "none of the healthChecks of %s names a DaemonSet: it is Ready as soon as that is applied", c.name(p))
		}
	}
	return nil
}

// healthCheckTarget compares as the API server does: the kind with its case, group and version, the namespace after targetNamespace.
func healthCheckTarget(c *checker) error {
	for _, p := range c.withSpec() {
		list := healthChecks(p.spec)
		if len(list) > 0 && len(p.objects) == 0 {
			c.note("the healthChecks of %s: its DaemonSet is not in the streams, and no tree is given", c.name(p))
			continue
		}
		for _, check := range list {
			c.look(1)
			if why := mismatch(check, p); why != "" {
				c.find(check.at, "the health check %s of %s: %s", check, c.name(p), why)
			}
		}
	}
	return nil
}

// mismatch is why no object of the unit is what a health check names, empty where one is.
func mismatch(check healthCheck, p *prepull) string {
	var texts []string
	for _, object := range p.objects {
		made := effective(object, p.spec)
		if made.namespace == "" {
			made.namespace = check.namespace // its namespace is not known
		}
		if made == (healthCheck{check.apiVersion, check.kind, check.name, check.namespace, made.at}) {
			return ""
		}
		texts = append(texts, made.String())
	}
	return "the unit makes " + strings.Join(texts, ", ")
}

// effective is a health check that an object would meet, in the namespace that Flux puts it into.
func effective(object workload.Object, spec *values.Node) healthCheck {
	namespace := object.Namespace
	if target := spec.Get("targetNamespace"); target != nil && target.Kind == values.String && !templated(target) {
		namespace = target.Text
	}
	return healthCheck{apiVersion: object.APIVersion, kind: object.Kind, name: object.Name, namespace: namespace}
}

// templated reports whether a value is a template of Sylva.
func templated(n *values.Node) bool { return strings.Contains(n.AsText(), "{{") }

// shortest is the timeout that a pull on a slow disk or link should have.
const shortest = 5 * time.Minute

// healthCheckTimeout: without a timeout Flux takes the interval less 30 s, which says nothing about pulls.
func healthCheckTimeout(c *checker) error {
	for _, p := range c.withSpec() {
		timeout := p.spec.Get("timeout")
		if templated(timeout) {
			c.note("the timeout of %s is a template", c.name(p))
			continue
		}
		c.look(1)
		duration, err := time.ParseDuration(timeout.AsText())
		switch {
		case timeout == nil || timeout.Kind == values.Null:
			c.find(p.at, "%s has no timeout: Flux takes one from its interval", c.name(p))
		case err != nil:
			c.find(timeout.Where(), "the timeout %q of %s is no duration: 10m would be", timeout.Text, c.name(p))
		case duration < shortest:
			c.find(timeout.Where(), "the timeout %s of %s is short for a pull on a slow disk or link: 5m or more is due", timeout.Text, c.name(p))
		}
	}
	return nil
}
