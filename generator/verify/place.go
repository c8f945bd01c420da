package verify

import "gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"

// placed is a tree with the places of another one that has the same shape, as far as it has: of what kustomize built, with where it
// stands in the source. What is not in the source stands where what holds it does.
func placed(n, source *values.Node, holder values.Position) *values.Node {
	if n == nil {
		return nil
	}
	out := *n
	out.At, out.KeyAt = holder, values.Position{}
	if source != nil {
		out.At, out.KeyAt = source.At, source.KeyAt
	}
	if n.Kind == values.Map {
		out.Fields = make(map[string]*values.Node, len(n.Fields))
		for key, field := range n.Fields {
			out.Fields[key] = placed(field, source.Get(key), out.Where())
		}
	}
	if n.Kind == values.List {
		out.Items = make([]*values.Node, len(n.Items))
		items := source.List()
		for i, item := range n.Items {
			var from *values.Node
			if i < len(items) {
				from = items[i]
			}
			out.Items[i] = placed(item, from, out.Where())
		}
	}
	return &out
}
