package verify

import (
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// imageReference reads the references as the nodes do. Those of the workload count too: nothing can be compared with them otherwise.
func imageReference(c *checker) error {
	for _, pods := range slices.Concat(c.podsOfUnit(), c.workloads) {
		for _, container := range pods.Containers {
			c.look(1)
			if _, err := image.Parse(container.Image); err != nil {
				c.find(container.At, "container %s of %s: %v", container.Name, pods, err)
			}
		}
	}
	return nil
}

// used is an image that containers run.
type used struct {
	ref        image.Ref
	containers []use
}

type use struct {
	pods *workload.Pods
	workload.Container
}

// whose names the containers that run an image.
func (u used) whose() string {
	var texts []string
	for _, each := range u.containers {
		if text := each.pods.String(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// imagesOf are the images of some pods by their references, in order. What is no reference is left to image-reference.
func imagesOf(list []*workload.Pods) []used {
	var images []used
	for _, pods := range list {
		for _, container := range pods.Containers {
			ref, err := image.Parse(container.Image)
			if err != nil {
				continue
			}
			i := slices.IndexFunc(images, func(u used) bool { return u.ref.Same(ref) })
			if i < 0 {
				i = len(images)
				images = append(images, used{ref: ref})
			}
			images[i].containers = append(images[i].containers, use{pods, container})
		}
	}
	return images
}

func has(images []used, ref image.Ref) bool {
	return slices.ContainsFunc(images, func(u used) bool { return u.ref.Same(ref) })
}

// carriers are the pods of the workload that run an image of the unit: one of the repositories, whatever the registry, or in a DaemonSet
// all the containers by their names.
func (s *scope) carriers() []*workload.Pods {
	var carriers []*workload.Pods
	for _, pods := range s.workloads {
		named := pods.Kind == "DaemonSet"
		for _, slot := range s.unit.Images {
			named = named && pods.Has(slot.Container)
		}
		runs := func(container workload.Container) bool { return s.isSlot(container.Image) }
		if named || slices.ContainsFunc(pods.Containers, runs) {
			carriers = append(carriers, pods)
		}
	}
	return carriers
}

// isSlot reports whether an image is one that the unit pulls, by the last part of its repository: a mirror keeps that.
func (s *scope) isSlot(text string) bool {
	for _, slot := range s.unit.Images {
		if base(text) == base(slot.Image) {
			return true
		}
	}
	return false
}

// base is the last part of a reference's repository.
func base(reference string) string {
	reference, _, _ = strings.Cut(reference, "@")
	name, _, _ := strings.Cut(reference[strings.LastIndex(reference, "/")+1:], ":")
	return name
}

// isSpared reports whether an image is deliberately not pre-pulled.
func (s *scope) isSpared(text string) bool {
	return slices.ContainsFunc(s.unit.Spares, func(spared string) bool { return base(text) == base(spared) })
}

// imageCoverage: each prepull has to have all the images, in containers that keep running (an exited one's image may be collected).
func imageCoverage(c *checker) error {
	carriers := c.carriers()
	if c.hasWorkload && len(carriers) == 0 {
		c.note("no DaemonSet or Deployment of the workload runs an image of %s", c.unit.Name)
		return nil
	}
	for _, p := range c.prepulls {
		pulled := imagesOf(p.pods)
		if len(p.pods) == 0 {
			continue
		}
		for _, needed := range imagesOf(carriers) {
			if c.isSpared(needed.ref.String()) {
				continue
			}
			c.look(1)
			if !has(pulled, needed.ref) {
				c.find(needed.containers[0].At, "%s of %s is not pre-pulled", needed.ref, needed.whose())
			}
		}
	}
	return nil
}

// imageExtra: without a workload only the images that are never to be pre-pulled are found.
func imageExtra(c *checker) error {
	carriers := c.carriers()
	needed := imagesOf(carriers)
	for _, pulled := range imagesOf(c.podsOfUnit()) {
		c.look(1)
		at := pulled.containers[0].At
		switch {
		case c.isSpared(pulled.ref.String()):
			c.find(at, "%s is pre-pulled, and is not to be: while it is pulled, the others get the time to start", pulled.ref)
		case c.hasWorkload && len(carriers) == 0:
			c.find(at, "%s is pre-pulled for nothing: the workload runs no image of %s, the unit is superfluous", pulled.ref, c.unit.Name)
		case c.hasWorkload && !has(needed, pulled.ref):
			c.find(at, "%s is pre-pulled, and the workload does not run it", pulled.ref)
		}
	}
	if c.outcome.Looked > 0 && !c.hasWorkload {
		c.note("no workload is given (-w): whether it runs the images is not known")
	}
	return nil
}
