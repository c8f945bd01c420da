package verify

import (
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// imageKept: the kubelet does not collect the image of a container that runs (kubelet image_gc_manager).
func imageKept(c *checker) error {
	for _, image := range imagesOf(c.podsOfUnit()) {
		c.look(1)
		if !slices.ContainsFunc(image.containers, func(each use) bool { return !each.Init }) {
			c.find(image.containers[0].At, "%s is used by init containers alone: once they have ended, the kubelet may remove it", image.ref)
		}
	}
	return nil
}

// pullSecret: a registry that asks the workload for credentials asks the pre-pull too.
func pullSecret(c *checker) error {
	for _, pods := range podsOf(c.compared()) {
		own := secretNames(pods)
		for _, carrier := range c.carriers() {
			c.look(1)
			for _, name := range secretNames(carrier) {
				if !slices.ContainsFunc(own, func(n *values.Node) bool { return n.Text == name.Text }) {
					c.find(name.Where(), "%s pulls with the secret %s, and %s does not", carrier, name.Text, pods)
				}
			}
		}
	}
	return nil
}

func secretNames(pods *workload.Pods) []*values.Node {
	var names []*values.Node
	for _, each := range pods.Spec.Get("imagePullSecrets").List() {
		if name := each.Get("name"); name.AsText() != "" {
			names = append(names, name)
		}
	}
	return names
}
