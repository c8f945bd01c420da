package verify

import (
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/podsecurity"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// updateStrategy: kstatus never takes a DaemonSet with OnDelete for Current, and with the default maxUnavailable of 1 a node that is dead
// stops the pulls on all others.
func updateStrategy(c *checker) error {
	for _, pods := range c.podsOfUnit() {
		if pods.Kind != "DaemonSet" {
			continue
		}
		c.look(1)
		strategy := pods.Node.Get("spec", "updateStrategy")
		kind, unavailable := strategy.Get("type"), strategy.Get("rollingUpdate", "maxUnavailable")
		switch {
		case kind.AsText() != "" && kind.AsText() != "RollingUpdate":
			c.find(kind.Where(), "%s has the update strategy %s: Flux waits for ever", pods, kind.Text)
		case unavailable == nil || unavailable.Kind == values.Null:
			c.find(pods.Where(), "%s has no maxUnavailable: 1 is the default, and one dead node stops the pulls on all others", pods)
		case unavailable.Text != "100%":
			c.find(unavailable.Where(),
				"%s has maxUnavailable: %s: as many dead nodes stop the pulls on all others, 100%% is due", pods, unavailable.Text)
		}
	}
	return nil
}

// podSecurity: the namespace of the unit may enforce the level restricted, which Sylva's own jobs meet.
func podSecurity(c *checker) error {
	for _, pods := range c.podsOfUnit() {
		c.look(1)
		for _, violation := range podsecurity.Restricted(pods.Node.Get("spec", "template")) {
			c.find(violation.At, "%s: %s", pods, violation.Text)
		}
	}
	return nil
}
