package verify

import (
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// suspended: Flux neither applies nor checks a suspended Kustomization, and leaves its last condition.
func suspended(c *checker) error {
	for _, p := range c.withSpec() {
		c.look(1)
		if suspend := p.spec.Get("suspend"); suspend.Is(true) {
			c.find(suspend.Where(), "%s is suspended", c.name(p))
		}
	}
	return nil
}

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
		case duration < unit.ShortestTimeout:
			c.find(timeout.Where(), "the timeout %s of %s is short for a pull on a slow disk or link: 5m or more is due", timeout.Text, c.name(p))
		}
	}
	return nil
}
