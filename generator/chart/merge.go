package chart

import (
	"fmt"
	"maps"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// MergeAppend is merge-append (templates/_helpers.tpl): maps merged, lists concatenated, all else overwritten. Nil nodes are absent.
func MergeAppend(nodes ...*values.Node) *values.Node {
	var out *values.Node
	for _, n := range nodes {
		switch {
		case n == nil:
		case out == nil || out.Kind != n.Kind:
			out = n
		case n.Kind == values.Map:
			merged := *n
			merged.Fields = maps.Clone(out.Fields)
			for key, field := range n.Fields {
				merged.Fields[key] = MergeAppend(out.Fields[key], field)
			}
			merged.Partial = firstOf(out.Partial, n.Partial)
			out = &merged
		case n.Kind == values.List:
			joined := *n
			joined.Items = slices.Concat(out.Items, n.Items)
			joined.Partial = firstOf(out.Partial, n.Partial)
			out = &joined
		default:
			out = n
		}
	}
	return out
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// mergeAppendInto is merge-append as templates call it: the first of the list is changed in place.
func mergeAppendInto(list []any) error {
	if len(list) == 0 {
		return &gotpl.Failure{Why: "merge-append takes a list of maps"}
	}
	for _, each := range list {
		if h, ok := each.(gotpl.Hole); ok {
			return &gotpl.Unknown{Why: h.Why}
		}
		if _, ok := each.(map[string]any); !ok {
			return &gotpl.Failure{Why: fmt.Sprintf("'merge-append' called with a source object which is not a map (%T)", each)}
		}
	}
	into := list[0].(map[string]any)
	for _, source := range list[1:] {
		appendMap(into, source.(map[string]any))
	}
	return nil
}

func appendMap(into, source map[string]any) {
	for key, value := range source {
		switch v := value.(type) {
		case map[string]any:
			there, ok := into[key].(map[string]any)
			if !ok {
				there = map[string]any{}
				into[key] = there
			}
			appendMap(there, v)
		case []any:
			there, _ := into[key].([]any)
			into[key] = slices.Concat(there, v)
		default:
			into[key] = value
		}
	}
}
