package function

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/api/types"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
)

// pin writes the images that are pulled into the spec of the unit's Kustomization, where metallb's is to look for them. They are the
// DaemonSet's own, so that nothing else is pulled; but other images are then another spec, and the Kustomization is not ready before
// they are on the nodes.
func (r *run) pin(kustomization preview.Object) error {
	if !r.config.ReadyExpr {
		return nil
	}
	var list []any
	for i, slot := range r.Unit.Images {
		ref, err := image.Parse(r.decision.Images[i].Image)
		if err != nil {
			return err
		}
		r.images = append(r.images, types.Image{Name: slot.Image, NewName: ref.Repository, NewTag: ref.Tag, Digest: ref.Digest})
		entry := preview.Object{}
		for _, field := range fieldsOf(r.images[i]) {
			entry[field.name] = field.value
		}
		list = append(list, entry)
	}
	kustomization["spec"].(preview.Object)["images"] = list
	return nil
}

// imageField is a field of an entry of spec.images.
type imageField struct{ name, value string }

// fieldsOf are the fields of an image that are set.
func fieldsOf(i types.Image) []imageField {
	fields := []imageField{{"name", i.Name}, {"newName", i.NewName}}
	if i.NewTag != "" {
		fields = append(fields, imageField{"newTag", i.NewTag})
	}
	if i.Digest != "" {
		fields = append(fields, imageField{"digest", i.Digest})
	}
	return fields
}

// ownExpr is how every expression of this project starts.
const ownExpr = "has(dep.spec.images) && "

// readyExpr is a CEL expression of Flux 2.7 and newer (kustomize.toolkit.fluxcd.io/v1, dependsOn[].readyExpr): true once the unit's
// Kustomization holds the images of this upgrade, and is Ready with them. Flux's own check, which it takes the place of, is true also for
// one that is still ready from the last upgrade, because it has not been updated yet.
func readyExpr(images []types.Image) string {
	var out strings.Builder
	out.WriteString(ownExpr)
	for _, each := range images {
		out.WriteString("dep.spec.images.exists(i, ")
		for n, field := range fieldsOf(each) {
			if n > 0 {
				fmt.Fprintf(&out, " && has(i.%s) && ", field.name)
			}
			fmt.Fprintf(&out, "i.%s == '%s'", field.name, field.value) // a reference has no quotes
		}
		out.WriteString(") && ")
	}
	out.WriteString("has(dep.status) && has(dep.status.observedGeneration) && dep.status.observedGeneration == dep.metadata.generation && ")
	out.WriteString("has(dep.status.conditions) && dep.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')")
	return out.String()
}
