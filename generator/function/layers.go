package function

import (
	"encoding/base64"
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// layers are the values: of valuesFrom in order, and above them those that stand in the functionConfig itself, as in a HelmRelease.
func (r *run) layers() ([]*values.Node, error) {
	var layers []*values.Node
	for _, source := range r.config.ValuesFrom {
		layer, err := r.layer(source)
		if err != nil {
			return nil, fmt.Errorf("%s: valuesFrom: %w", source.At, err)
		}
		if layer != nil {
			layers = append(layers, layer)
		}
	}
	if r.config.Values != nil {
		layers = append(layers, r.config.Values)
	}
	return layers, nil
}

// layer is the values in an object of the stream; nil where it is absent and may be.
func (r *run) layer(source Source) (*values.Node, error) {
	item, err := r.source(source)
	if item == nil || err != nil {
		return nil, err
	}
	node, err := r.list.Decode(item)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read (%w)", item, concealed(err, source.Kind))
	}
	content, err := content(node, source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", item, err)
	}
	layer, err := values.Parse(fmt.Sprintf("%s, %s", item, source.Key), content)
	if err != nil {
		return nil, concealed(err, source.Kind)
	}
	if source.Kind == "Secret" {
		layer = layer.AsSecret()
	}
	return layer, nil
}

// concealed is an error of a parser without its words, which may be those of a Secret. The place is left.
func concealed(err error, kind string) error {
	if e, ok := err.(*values.Error); ok && kind == "Secret" {
		return fmt.Errorf("%s: its values are no YAML that Helm takes", e.At)
	}
	return err
}

// source finds the object of the stream.
func (r *run) source(source Source) (*resourcelist.Item, error) {
	var found []*resourcelist.Item
	for _, item := range r.list.Items {
		if item.APIVersion == "v1" && item.Kind == source.Kind && item.Name == source.Name && (source.Namespace == "" || item.Namespace == source.Namespace) {
			found = append(found, item)
		}
	}
	if len(found) > 1 && source.Namespace == "" {
		for _, item := range found {
			if item.Namespace == r.namespace {
				return item, nil
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("%d objects %s %s are in the stream: say which with namespace", len(found), source.Kind, source.Name)
	case source.Optional:
		return nil, nil
	}
	return nil, fmt.Errorf("no %s %s is in the stream", source.Kind, source.Name)
}

// content is the text under the key of a ConfigMap or Secret.
func content(node *values.Node, source Source) ([]byte, error) {
	if text := node.Get("stringData", source.Key); source.Kind == "Secret" && text != nil {
		return []byte(text.Text), nil
	}
	data := node.Get("data", source.Key)
	switch {
	case data == nil && source.Optional:
		return nil, nil
	case data == nil:
		return nil, fmt.Errorf("it has no key %q", source.Key)
	case data.Kind == values.Unknown:
		return nil, fmt.Errorf("%q is %s", source.Key, data.Why)
	case data.Kind != values.String:
		return nil, fmt.Errorf("%q is %s, where a text is due", source.Key, data.Kind)
	case source.Kind == "ConfigMap":
		return []byte(data.Text), nil
	}
	decoded, err := base64.StdEncoding.DecodeString(data.Text)
	if err != nil {
		return nil, fmt.Errorf("the data of %q is not base64", source.Key)
	}
	return decoded, nil
}
