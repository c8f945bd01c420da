package verify

import (
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// substitution: Flux substitutes in all text of what it builds where postBuild is set, in shell scripts too.
func substitution(c *checker) error {
	for _, p := range c.withSpec() {
		c.look(1)
		if postBuild := p.spec.Get("postBuild"); postBuild == nil || postBuild.Kind == values.Null {
			continue
		}
		if len(p.pods) == 0 {
			c.note("%s has postBuild, and its DaemonSet is not in the streams, nor is a tree given", c.name(p))
		}
		for _, pods := range p.pods {
			if pods.Node.Get("metadata", "annotations", "kustomize.toolkit.fluxcd.io/substitute").AsText() == "disabled" {
				continue
			}
			for _, container := range pods.Containers {
				if script := firstWith(container.Node, "$"); script != nil {
					c.find(script.Where(), "container %s of %s has a $ in its command, and %s has postBuild", container.Name, pods, c.name(p))
				}
			}
		}
	}
	return nil
}

// firstWith is the first word of a container's command line that has a text in it.
func firstWith(container *values.Node, text string) *values.Node {
	for _, field := range []string{"command", "args"} {
		for _, word := range container.Get(field).List() {
			if strings.Contains(word.AsText(), text) {
				return word
			}
		}
	}
	return nil
}
