package values

import "maps"

// Merge lays over onto base as Helm merges values files (cli/values mergeMaps, Flux's transform.MergeMaps): maps deeply, everything
// else replaced, a null kept as a null. Neither argument changes.
func Merge(base, over *Node) *Node {
	if base == nil || over == nil || base.Kind != Map || over.Kind != Map {
		if over == nil {
			return base
		}
		return over
	}
	out := *over
	out.Fields = make(map[string]*Node, max(len(base.Fields), len(over.Fields)))
	maps.Copy(out.Fields, base.Fields)
	for key, field := range over.Fields {
		out.Fields[key] = Merge(base.Fields[key], field)
	}
	return &out
}

// Coalesce lays the user's values onto a chart's defaults as Helm does when it renders (chartutil.CoalesceValues): like Merge, but a
// null of the user removes a key that has a default; over no default it stays null. Neither argument changes.
func Coalesce(defaults, user *Node) *Node {
	if user == nil {
		return defaults
	}
	if defaults == nil || defaults.Kind != Map || user.Kind != Map {
		return user
	}
	out := *user
	out.Fields = make(map[string]*Node, max(len(defaults.Fields), len(user.Fields)))
	maps.Copy(out.Fields, defaults.Fields)
	for key, field := range user.Fields {
		if _, has := defaults.Fields[key]; has && field.Kind == Null {
			delete(out.Fields, key)
			continue
		}
		out.Fields[key] = Coalesce(defaults.Fields[key], field)
	}
	return &out
}
