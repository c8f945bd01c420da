package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// visible writes text with its control characters as escapes: names and messages are of files that others wrote, and shall neither
// colour a terminal nor hide what it shows.
type visible struct{ to io.Writer }

// Write is io.Writer's.
func (v visible) Write(data []byte) (int, error) {
	if _, err := io.WriteString(v.to, visibleText(string(data))); err != nil {
		return 0, err
	}
	return len(data), nil
}

func visibleText(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if hidden(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// hidden reports whether a character moves the cursor, colours, or changes the direction of the text.
func hidden(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}
