package gotpl

import "slices"

// envKey is where a template's context carries its Env: a key that no template can write after a dot.
const envKey = "\x00env"

// Depths of a look at a value.
const (
	shallow = 1       // the value itself
	deep    = 1 << 30 // all that it holds
)

// touched returns the reason why a value cannot be looked at to the depth given, nil where it can.
func touched(value any, depth int) error {
	switch v := value.(type) {
	case Hole:
		return &Unknown{Why: v.Why}
	case string:
		if len(v) > maxOutput {
			return unknownf("the template makes text of over %d bytes", maxOutput)
		}
		if carriesHole(v) {
			return &Unknown{Why: "a value that is not known here"}
		}
	case *run:
		return &Unknown{Why: "the template hands its whole context to a function"}
	case map[string]any:
		if _, ok := v[envKey]; ok {
			return touched(v[envKey], shallow)
		}
		if depth > shallow {
			for _, key := range sortedKeys(v) { // sorted: of two reasons always the same one is told
				if err := touched(v[key], depth-1); err != nil {
					return err
				}
			}
		}
	case []any:
		if len(v) > maxCount {
			return unknownf("the template makes a list of over %d items", maxCount)
		}
		if depth > shallow {
			for _, item := range v {
				if err := touched(item, depth-1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// handsContext finds a template's own context in a value, which holds more than was read for the template.
func handsContext(value any) error {
	switch v := value.(type) {
	case map[string]any:
		if env, ok := v[envKey]; ok {
			return touched(env, shallow)
		}
		for _, field := range v {
			if err := handsContext(field); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range v {
			if err := handsContext(item); err != nil {
				return err
			}
		}
	}
	return nil
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// known and printable are the functions that the guard puts into parse trees.
func known(value any) (any, error) { return value, touched(value, shallow) }

func printable(value any) (any, error) {
	if text, ok := value.(string); ok && len(text) <= maxOutput {
		return value, nil // JSON that carries a hole may be all of the output: FromJSON takes it apart
	}
	return value, touched(value, deep)
}

// EnvOf returns the Env of a context, or of the context that leads a tuple: what Sylva's named templates call $envAll.
func EnvOf(data any) (Env, bool) {
	if list, ok := data.([]any); ok && len(list) > 0 {
		data = list[0]
	}
	context, ok := data.(map[string]any)
	if !ok {
		return nil, false
	}
	running, ok := context[envKey].(*run)
	if !ok {
		return nil, false
	}
	return running.Env, true
}
