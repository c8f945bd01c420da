package verify

import (
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

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
			if why := c.mismatch(check, p); why != "" {
				c.find(check.at, "the health check %s of %s: %s", check, c.name(p), why)
			}
		}
	}
	return nil
}

// mismatch is why no object of the unit is what a health check names, empty where one is. Where not all that the unit makes is known,
// any object of the streams will do.
func (s *scope) mismatch(check healthCheck, p *prepull) string {
	var texts []string
	for _, object := range p.objects {
		made := effective(object, p)
		if check.names(made) {
			return ""
		}
		texts = append(texts, made.String())
	}
	for _, object := range s.objects {
		if !p.whole && check.names(effective(object, p)) {
			return ""
		}
	}
	return "the unit makes " + strings.Join(texts, ", ")
}

// names reports whether a health check is of an object, whose namespace may not be known.
func (h healthCheck) names(made healthCheck) bool {
	if made.namespace == "" {
		made.namespace = h.namespace
	}
	made.at = h.at
	return h == made
}

// effective is a health check that an object would meet. What stands in a stream gets the namespace from Flux, and has the
// names that Flux makes; with what is built from a tree it is the other way round.
func effective(object workload.Object, p *prepull) healthCheck {
	made := healthCheck{apiVersion: object.APIVersion, kind: object.Kind, name: object.Name, namespace: object.Namespace}
	if p.whole {
		made.name = p.spec.Get("namePrefix").AsText() + made.name + p.spec.Get("nameSuffix").AsText()
	}
	if target := p.spec.Get("targetNamespace"); !p.whole && target.AsText() != "" && !templated(target) {
		made.namespace = target.Text
	}
	return made
}
