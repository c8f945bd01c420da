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
