package environment

import (
	"fmt"
	"regexp"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func at(object map[string]any, path ...string) any {
	var value any = object
	for _, key := range path {
		m, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = m[key]
	}
	return value
}

func text(object map[string]any, path ...string) string {
	s, _ := at(object, path...).(string)
	return s
}

func list(object map[string]any, path ...string) []any {
	l, _ := at(object, path...).([]any)
	return l
}

// target is the values in which a targetPath holds content (Flux, helm.toolkit.fluxcd.io/v2 ValuesReference): a.b.c, a dot in a key
// escaped. Flux reads content as helm --set does: true, false, null and whole numbers are no strings.
func target(path, content, file string) (*values.Node, error) {
	if regexp.MustCompile(`[\[\]{},=]`).MatchString(path) {
		return nil, fmt.Errorf("targetPath %q: only keys joined by dots are read here", path)
	}
	const escaped = "\x00"
	keys := strings.Split(strings.ReplaceAll(path, `\.`, escaped), ".")
	for i := range keys {
		keys[i] = strings.ReplaceAll(keys[i], escaped, ".")
	}
	if strings.ContainsAny(content, `,\`) || strings.HasPrefix(content, "{") {
		return nil, fmt.Errorf(
			"targetPath %q: the value has a comma, a backslash or a brace in front, which Flux reads as helm --set does: give it among the values", path)
	}
	value, err := typed(content, file)
	if err != nil {
		return nil, err
	}
	leaf := values.FromGo(value, values.Position{File: file}, func(any) *values.Node { return nil })
	return values.Empty().Set(leaf, keys...), nil
}

// typed is content as Flux types it (pkg/chartutil, ReplacePathValue): text in quotes is text, and a word or a whole number is not.
func typed(content, file string) (any, error) {
	switch {
	case regexp.MustCompile(`(?s)^('.*'|".*")$`).MatchString(content):
		return strings.Trim(content, `'"`), nil
	case regexp.MustCompile(`^(true|false|null|0|[1-9]\d*)$`).MatchString(content):
		node, err := values.Parse(file, []byte("v: "+content))
		if err != nil {
			return nil, err
		}
		return node.Get("v").Scalar, nil
	}
	return content, nil
}
