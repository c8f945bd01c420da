package preview

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Conceal takes the secrets out of objects that are to be shown: a Kustomization may hold them in labels, annotations, patches or
// substitutions. It reports whether there were any. What Kubernetes and Flux find objects by stays.
func Conceal(objects []Object, secrets []string) bool {
	found := false
	for _, object := range objects {
		secrets = append(slices.Clip(secrets), patched(object, secrets)...)
	}
	for _, object := range objects {
		for key, value := range object {
			object[key] = conceal(key, value, secrets, &found)
		}
	}
	return found
}

// patched are the texts that the patches of a Kustomization put into other objects, of those patches that are secret as a whole.
func patched(object Object, secrets []string) []string {
	var texts []string
	patches, _ := at(object, "spec", "patches").([]any)
	for _, each := range patches {
		patch, _ := at(Object{"of": each}, "of", "patch").(string)
		if !slices.Contains(secrets, patch) {
			continue
		}
		var content any
		if err := yaml.Unmarshal([]byte(patch), &content); err == nil { // kustomize has taken it: it is YAML
			texts = append(texts, leaves(content)...)
		}
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return texts
}

// leaves are the longer strings in a value.
func leaves(value any) []string {
	var out []string
	switch v := value.(type) {
	case string:
		if len(v) > 3 {
			out = append(out, v)
		}
	case Object:
		for _, field := range v {
			out = append(out, leaves(field)...)
		}
	case []any:
		for _, item := range v {
			out = append(out, leaves(item)...)
		}
	}
	return out
}

func conceal(key string, value any, secrets []string, found *bool) any {
	switch v := value.(type) {
	case string:
		if identifies(key) {
			return v
		}
		redacted := values.Redact(v, secrets)
		*found = *found || redacted != v
		return redacted
	case Object:
		out := make(Object, len(v))
		for name, field := range v {
			out[name] = conceal(name, field, secrets, found)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = conceal(key, item, secrets, found)
		}
		return out
	}
	return value
}

// identifies reports whether a field is of those by which objects are found, built and timed.
func identifies(key string) bool {
	return strings.HasPrefix(key, "app.kubernetes.io/") || slices.Contains([]string{
		"apiVersion", "kind", "name", "namespace", "targetNamespace", "path", "image", "newName", "newTag", "digest",
		"interval", "retryInterval", "timeout", "operator", "key",
	}, key)
}
