package main

import (
	"bytes"
	"encoding/json"

	"sigs.k8s.io/yaml"
)

// encoders print a value in a format that is not made for people.
func encoders() map[string]func(world, any) error {
	return map[string]func(world, any) error{"json": printJSON, "yaml": printYAML}
}

func printJSON(w world, value any) error {
	data, err := indented(value)
	if err != nil {
		return err
	}
	_, err = w.out.Write(data)
	return err
}

func printYAML(w world, value any) error {
	data, err := yaml.Marshal(value)
	if err != nil {
		return err
	}
	_, err = w.out.Write(data)
	return err
}

// indented is a value as JSON for people, with characters as they are.
func indented(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return out.Bytes(), err
}
