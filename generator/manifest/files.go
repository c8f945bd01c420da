// Package manifest makes the Kubernetes and Flux objects of a pre-pull unit.
package manifest

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/templates"
)

// Image is one image of a unit's pods.
type Image struct {
	Name string // of the container
	Ref  image.Ref
}

// File is a file of a unit's directory in kustomize-units.
type File struct {
	Name string
	Data []byte
}

// Files are the files of kustomize-units/<unit>: what kustomize builds with no plugin.
func Files(definition *unit.Definition, images []Image) ([]File, error) {
	kustomization, err := fill("kustomization.yaml", func(*yaml.Node) error { return nil })
	if err != nil {
		return nil, err
	}
	daemonSet, err := fill("daemonset.yaml", func(root *yaml.Node) error { return fillDaemonSet(root, definition, images) })
	if err != nil {
		return nil, err
	}
	return []File{{"daemonset.yaml", daemonSet}, {"kustomization.yaml", kustomization}}, nil
}

// fill reads a template, has its fields set, and writes it with its comments.
func fill(name string, set func(root *yaml.Node) error) ([]byte, error) {
	data, err := templates.FS.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	if err := set(document.Content[0]); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(&document); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return out.Bytes(), encoder.Close()
}

const nameLabel = "app.kubernetes.io/name"

func fillDaemonSet(root *yaml.Node, definition *unit.Definition, images []Image) error {
	for _, path := range [][]string{
		{"metadata", "name"}, {"metadata", "labels", nameLabel}, {"spec", "selector", "matchLabels", nameLabel},
		{"spec", "template", "metadata", "labels", nameLabel},
	} {
		if err := setText(root, definition.Name, path...); err != nil {
			return err
		}
	}
	containers, err := get(root, "spec", "template", "spec", "containers")
	if err != nil {
		return err
	}
	prototype := containers.Content[0]
	containers.Content = nil
	for i, each := range images {
		container := clone(prototype)
		if i > 0 {
			container.HeadComment = ""
			container.Content[0].HeadComment = ""
		}
		if err := setText(container, each.Name, "name"); err != nil {
			return err
		}
		if err := setText(container, each.Ref.String(), "image"); err != nil {
			return err
		}
		containers.Content = append(containers.Content, container)
	}
	return nil
}

// get finds the value at a path of nested mappings.
func get(node *yaml.Node, path ...string) (*yaml.Node, error) {
	for _, key := range path {
		next := (*yaml.Node)(nil)
		for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
			if node.Content[i].Value == key {
				next = node.Content[i+1]
			}
		}
		if next == nil {
			return nil, fmt.Errorf("no field %s", key)
		}
		node = next
	}
	return node, nil
}

func setText(node *yaml.Node, text string, path ...string) error {
	found, err := get(node, path...)
	if err == nil {
		found.SetString(text)
	}
	return err
}

func clone(node *yaml.Node) *yaml.Node {
	twin := *node
	twin.Content = make([]*yaml.Node, len(node.Content))
	for i, child := range node.Content {
		twin.Content[i] = clone(child)
	}
	return &twin
}
