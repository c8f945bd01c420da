package checkout

import (
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
)

// Images are the images that the manifests hold: those of the chart's version, or as they are given, with the tags that the checkout's
// own values override. A repository that these override is left to spec.images, which finds an image by the name in the manifests.
func Images(c *decision.Case) ([]manifest.Image, error) {
	var images []manifest.Image
	for _, slot := range c.Unit.Images {
		resolved, err := c.Resolve(slot)
		if err != nil {
			return nil, err
		}
		ref := resolved.Default
		if _, given := c.Question.Images[slot.Name]; !given && ref.Tag != resolved.Pulled.Tag {
			if ref, err = image.Parse(ref.Repository + ":" + resolved.Pulled.Tag); err != nil {
				return nil, err
			}
		}
		images = append(images, manifest.Image{Name: slot.Name, Ref: ref})
	}
	return images, nil
}
