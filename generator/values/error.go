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
		parts = append(parts, strings.Join(e.Path, "."))
	}
	return strings.Join(append(parts, e.Text), ": ")
}
