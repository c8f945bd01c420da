package graph

import (
	"fmt"
	"strconv"
	"strings"
)

// Dot is the view in the language of Graphviz.
func (v *View) Dot() string {
	var b strings.Builder
	b.WriteString("digraph dependencies {\n  rankdir=LR;\n  node [shape=box];\n")
	boxes := v.boxes()
	ids := numbered(boxes)
	for _, box := range boxes {
		style := ""
		if box.missing {
			style = ", style=dashed, color=red"
		}
		fmt.Fprintf(&b, "  %s [label=%s%s];\n", ids[box.id], dotText(v.label(box)), style)
	}
	for _, box := range boxes {
		for _, link := range box.links {
			style := ""
			switch {
			case link.dangling:
				style = ` [label="not there", style=dashed, color=red]`
			case link.cycle:
				style = ` [label="cycle", style=bold, color=red]`
			}
			fmt.Fprintf(&b, "  %s -> %s%s;\n", ids[box.id], ids[link.to], style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// dotText is a quoted string in which a backslash stands for itself (Graphviz, escString), and a blank for what shows nothing.
func dotText(text string) string {
	text = strings.Map(func(r rune) rune {
		if strconv.IsGraphic(r) {
			return r
		}
		return ' '
	}, text)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
