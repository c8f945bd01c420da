package preview

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// redirect returns the images that the manifests hold, and makes the unit's Kustomization pull those that were given with the question:
// the manifests that Flux applies it to may have been generated with them or without.
func redirect(c *decision.Case, spec Object) ([]manifest.Image, error) {
	committed, err := committed(c)
	if err != nil {
		return nil, err
	}
	var images []manifest.Image
	for _, slot := range c.Unit.Images {
		resolved, err := c.Resolve(slot)
		if err != nil {
			return nil, err
		}
		held, isCommitted := committed[slot.Name]
		if !isCommitted {
			held = resolved.Default
		}
		images = append(images, manifest.Image{Name: slot.Name, Ref: held})
		if !resolved.Given {
			continue
		}
		repositories := []string{slot.Image}
		if isCommitted {
			repositories = append(repositories, held.Repository)
		}
		if resolved.Default != resolved.Pulled {
			repositories = append(repositories, resolved.Default.Repository)
		}
		for _, repository := range repositories {
			if err := manifest.Pull(spec, repository, resolved.Pulled); err != nil {
				return nil, err
			}
		}
	}
	return images, nil
}

// committed are the images that the checkout's own manifests hold, by the names of the containers.
func committed(c *decision.Case) (map[string]image.Ref, error) {
	if c.Set.Manifests == "" {
		return nil, nil
	}
	objects, err := workload.Read(c.Set.Manifests, c.Set.DaemonSet)
	if err != nil {
		return nil, err
	}
	images := map[string]image.Ref{}
	for _, object := range objects {
		pods := workload.PodsOf(object)
		if pods == nil {
			continue
		}
		for _, container := range pods.Containers {
			ref, err := image.Parse(container.Image)
			if err != nil {
				return nil, fmt.Errorf("%s: container %s: %w", container.At, container.Name, err)
			}
			images[container.Name] = ref
		}
	}
	return images, nil
}

// otherImages notes the pods that the checkout's manifests, or a user's spec.images or patches, make pull another image than the held unit will run.
func otherImages(c *decision.Case, built []Object) ([]string, error) {
	var notes []string
	for _, slot := range c.Unit.Images {
		resolved, err := c.Resolve(slot)
		if err != nil {
			return nil, err
		}
		for _, object := range built {
			containers, _ := podOf(object)["containers"].([]any)
			for _, each := range containers {
				container, _ := each.(Object)
				if text := resolved.Pulled.String(); container["name"] == slot.Name && container["image"] != text {
					notes = append(notes, fmt.Sprintf(
						"the pods pull %v, and %s will run %s: look at the manifests, and at images and patches in the unit's kustomization_spec",
						container["image"], c.Unit.Holds, text))
				}
			}
		}
	}
	return notes, nil
}
