package values

import "strings"

// Error is bad input: the place, the key path, and what is wrong with what would be accepted.
type Error struct {
	At   Position
	Path []string
	Text string
}

// Error is file:line:column: key.path: text.
func (e *Error) Error() string {
	var parts []string
	if at := e.At.String(); at != "" {
		parts = append(parts, at)
	}
	if len(e.Path) > 0 {
		parts = append(parts, strings.Join(shown(e.Path), "."))
	}
	return strings.Join(append(parts, e.Text), ": ")
}

// shown is a path without its middle where nobody would read it.
func shown(path []string) []string {
	const ends = 10
	if len(path) <= 2*ends {
		return path
	}
	return append(append(append([]string{}, path[:ends]...), "..."), path[len(path)-ends:]...)
}
