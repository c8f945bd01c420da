package values

import (
	"slices"
	"strconv"
)

// Difference is a place where two trees differ. Old or New is nil where the path is in one of them alone.
type Difference struct {
	Path     []string
	Old, New *Node
}

// Differences lists where two trees differ in what they mean or in how their scalars are written, in the order of the keys: the
// deepest paths that tell, so a map that is in one tree alone is one difference.
func Differences(old, new *Node) []Difference {
	return differences(nil, old, new, nil)
}

func differences(found []Difference, old, new *Node, path []string) []Difference {
	switch {
	case old == nil && new == nil:
		return found
	case old == nil || new == nil || old.Kind != new.Kind:
	case old.Kind == Map:
		keys := slices.Concat(old.Keys(), new.Keys())
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			found = differences(found, old.Fields[key], new.Fields[key], append(slices.Clip(path), key))
		}
		return found
	case old.Kind == List:
		for i := range max(len(old.Items), len(new.Items)) {
			found = differences(found, item(old, i), item(new, i), append(slices.Clip(path), strconv.Itoa(i)))
		}
		return found
	case old.Scalar == new.Scalar && old.Text == new.Text:
		return found
	}
	return append(found, Difference{Path: path, Old: old, New: new})
}

func item(list *Node, i int) *Node {
	if i >= len(list.Items) {
		return nil
	}
	return list.Items[i]
}
