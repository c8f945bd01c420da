package environment

import (
	"encoding/base64"
	"fmt"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// source resolves the entries of valuesFrom.
type source struct {
	objects  []map[string]any
	recorder *recorder
	env      *Environment
}

// layer is the values of one entry; an empty layer where it is absent and may be, or only the cluster has it.
func (s source) layer(reference map[string]any) (*values.Node, error) {
	kind, name := text(reference, "kind"), text(reference, "name")
	key := text(reference, "valuesKey")
	if key == "" {
		key = "values.yaml"
	}
	content, err := s.content(kind, name, key)
	switch optional, _ := reference["optional"].(bool); {
	case err != nil && optional:
		return values.Empty(), nil
	case err != nil && name == StateValues:
		s.env.Missing = append(s.env.Missing, Reference{Kind: kind, Name: name})
		return values.Empty(), nil
	case err != nil:
		return nil, err
	}
	file := s.recorder.fileOf(content, s.env.Dir, fmt.Sprintf("%s (%s %s, %s)", s.env.Dir, kind, name, key))
	layer, err := parse(text(reference, "targetPath"), file, content)
	if err == nil && kind == "Secret" {
		layer = layer.AsSecret()
	}
	return layer, err
}

// parse reads content as values, or as the value at a targetPath.
func parse(targetPath, file string, content []byte) (*values.Node, error) {
	if targetPath != "" {
		return target(targetPath, string(content), file)
	}
	return values.Parse(file, content)
}

func (s source) content(kind, name, key string) ([]byte, error) {
	var others []string
	for _, object := range s.objects {
		if object["kind"] != kind {
			continue
		}
		if text(object, "metadata", "name") != name {
			others = append(others, text(object, "metadata", "name"))
			continue
		}
		if content, ok := at(object, "stringData", key).(string); ok {
			return []byte(content), nil
		}
		content, ok := at(object, "data", key).(string)
		if !ok && at(object, "binaryData", key) != nil {
			return nil, fmt.Errorf("%s %s: the data of %q is no UTF-8, and Flux takes text alone", kind, name, key)
		}
		if !ok {
			return nil, fmt.Errorf("%s %s has no key %q", kind, name, key)
		}
		if kind != "Secret" {
			return []byte(content), nil
		}
		if strings.HasPrefix(content, "ENC[") {
			return []byte(content), nil // encrypted with SOPS: told when it is read as values
		}
		data, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			return nil, fmt.Errorf("%s %s: the data of %q is not base64", kind, name, key)
		}
		return data, nil
	}
	if len(others) > 0 {
		return nil, fmt.Errorf(
			"no %s %s in the build: there is %s (a name that ends in a hash needs options.disableNameSuffixHash)",
			kind, name, strings.Join(others, ", "))
	}
	return nil, fmt.Errorf("no %s %s in the build", kind, name)
}
