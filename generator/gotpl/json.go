package gotpl

import (
	"encoding/json"
	"strings"
)

// Holes go through JSON, in which Sylva's named templates hand values to each other, as strings that no YAML can hold.
const (
	holeMark = "\x00hole\x00"
	holeJSON = `\u0000hole\u0000`
)

// MarshalJSON writes the hole as a marked string.
func (h Hole) MarshalJSON() ([]byte, error) { return json.Marshal(holeMark + h.Why) }

func carriesHole(text string) bool {
	return strings.Contains(text, holeJSON) || strings.Contains(text, holeMark)
}

// JSON is value as one line of JSON, holes marked.
func JSON(value any) (string, error) {
	data, err := json.Marshal(value)
	return string(data), err
}

// FromJSON reads what JSON wrote.
func FromJSON(text string) (any, error) {
	var value any
	err := json.Unmarshal([]byte(text), &value)
	return unmark(value), err
}

// Output takes the output of a template as a value that may be looked at: an Unknown where it carries a hole.
func Output(text string) error { return touched(text, shallow) }

// unmark makes holes of marked strings, in place.
func unmark(value any) any {
	switch v := value.(type) {
	case string:
		if why, ok := strings.CutPrefix(v, holeMark); ok {
			return Hole{Why: why}
		}
	case map[string]any:
		for key, field := range v {
			v[key] = unmark(field)
		}
	case []any:
		for i, item := range v {
			v[i] = unmark(item)
		}
	}
	return value
}

func unmarshalJSON(data []byte, into any) error {
	if err := json.Unmarshal(data, into); err != nil {
		return err
	}
	switch out := into.(type) {
	case *map[string]any:
		unmark(*out)
	case *[]any:
		unmark(*out)
	}
	return nil
}
