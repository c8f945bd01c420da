package preview

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
)

// redirect makes the unit's Kustomization pull the images that were given with the question. The manifests that Flux applies it to may
// have been generated with them or without.
func redirect(c *decision.Case, spec Object) error {
	for _, slot := range c.Unit.Images {
		resolved, err := c.Resolve(slot)
		if err != nil {
			return err
		}
		if !resolved.Given {
			continue
		}
		if err := manifest.Pull(spec, slot.Image, resolved.Pulled); err != nil {
			return err
		}
		if resolved.Default == resolved.Pulled {
			continue
		}
		if err := manifest.Pull(spec, resolved.Default.Repository, resolved.Pulled); err != nil {
			return err
		}
	}
	return nil
}

// otherImages notes the pods that a user's spec.images or patches make pull another image than the held unit will run.
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
					notes = append(notes, fmt.Sprintf("images or patches in the unit's kustomization_spec make the pods pull %v: %s will run %s", container["image"], c.Unit.Holds, text))
				}
			}
		}
	}
	return notes, nil
}
