package graph

import (
	"fmt"
	"strconv"
	"strings"
)

// Text is the view as a list: each Kustomization with what it depends on.
func (v *View) Text() string {
	var b strings.Builder
	for _, box := range v.boxes() {
		if box.missing {
			continue // its name stands where it is depended on
		}
		fmt.Fprintln(&b, printable(v.name(box.id)))
		for _, link := range box.links {
			fmt.Fprintf(&b, "  -> %s%s\n", printable(v.name(link.to)), mark(link))
		}
		if box.hidden > 0 {
			fmt.Fprintf(&b, "  -> %d more, not shown\n", box.hidden)
		}
	}
	return b.String()
}

func mark(l link) string {
	switch {
	case l.dangling:
		return " (not there)"
	case l.cycle:
		return " (cycle)"
	}
	return ""
}

// printable keeps a name that is none from writing lines and colours of its own.
func printable(name string) string {
	if quoted := strconv.QuoteToGraphic(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
