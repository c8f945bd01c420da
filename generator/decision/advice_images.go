package decision

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// unquotedTags: a tag that YAML reads as a number is another tag by the time Helm prints it.
func unquotedTags(c *Case, _ *Decision) []finding {
	if !c.metallbOn() {
		return nil
	}
	var out []finding
	walk(c.Engine.Values().Get("metallb_helm_values"), nil, func(path []string, n *values.Node) {
		if path[len(path)-1] == "tag" && !c.isSlot(path) && (n.Kind == values.Number || n.Kind == values.Bool) {
			out = append(out, finding{n.Where(), fmt.Sprintf("metallb_helm_values.%s: YAML reads %s as %s and Helm prints %v: quote it", strings.Join(path, "."), n.Text, n.Kind, n.Scalar)})
		}
	})
	return out
}

// isSlot reports whether a path below metallb_helm_values is a tag of the unit itself, which is refused outright.
func (c *Case) isSlot(path []string) bool {
	return slices.ContainsFunc(c.Unit.Images, func(slot unit.Slot) bool {
		return slot.Override == "metallb_helm_values."+strings.Join(path[:len(path)-1], ".")
	})
}

// walk visits the scalars below n in the order of the keys.
func walk(n *values.Node, path []string, visit func([]string, *values.Node)) {
	switch {
	case n == nil:
	case n.Kind == values.Map:
		for _, key := range n.Keys() {
			walk(n.Fields[key], append(path, key), visit)
		}
	case n.Kind != values.List && len(path) > 0:
		visit(path, n)
	}
}

// imagesOverridden: the values win over an image that is given with the question, as they do over the manifests.
func imagesOverridden(c *Case, d *Decision) []finding {
	var out []finding
	for _, img := range d.Images {
		if given, ok := c.Images[img.Name]; ok && given.String() != img.Image {
			out = append(out, finding{text: fmt.Sprintf("--image %s=%s is not what is pulled: the values (%s) make it %s", img.Name, given, img.Source, img.Image)})
		}
	}
	return out
}

// imageDigests: a digest may be the manifest of one platform.
func imageDigests(_ *Case, d *Decision) []finding {
	var out []finding
	for _, img := range d.Images {
		if strings.Contains(img.Image, "@") {
			out = append(out, finding{text: fmt.Sprintf("%s is named by digest: where that is the manifest of a single platform, nodes of another architecture cannot pull it", img.Image)})
		}
	}
	return out
}

// imageShells: the pods run the shell of the image, which an image of another make may not have.
func imageShells(c *Case, d *Decision) []finding {
	var out []finding
	for i, img := range d.Images {
		if i >= len(c.Unit.Images) || img.Name != c.Unit.Images[i].Name {
			break
		}
		ref, err := image.Parse(img.Image)
		if err == nil && path.Base(ref.Repository) != path.Base(c.Unit.Images[i].Image) {
			out = append(out, finding{text: fmt.Sprintf("%s is not called %s: the pre-pull pods run /bin/sh in it, and one without a shell would never become ready", img.Image, path.Base(c.Unit.Images[i].Image))})
		}
	}
	return out
}

// pullSecrets: the pods need the secret in their own namespace, and the subchart does not see the parent's list.
func pullSecrets(c *Case, d *Decision) []finding {
	if !c.runsFRR(d) {
		return nil
	}
	own, parent := c.helm("frr-k8s", "imagePullSecrets"), c.helm("imagePullSecrets")
	switch {
	case given(own):
		return pullSecretItems(own)
	case given(parent):
		return one(parent.Where(), "metallb_helm_values.imagePullSecrets does not reach the pods of frr-k8s: set metallb_helm_values.frr-k8s.imagePullSecrets too")
	}
	return nil
}

func pullSecretItems(list *values.Node) []finding {
	for _, item := range list.Items {
		if item.Kind != values.Unknown && item.Get("name") == nil {
			return one(item.At, "imagePullSecrets takes a list of maps with a name, as Kubernetes does: - name: my-secret")
		}
	}
	return one(list.Where(), "the pre-pull pods use the same imagePullSecrets as frr-k8s: the secret must be in the namespace sylva-system too")
}
