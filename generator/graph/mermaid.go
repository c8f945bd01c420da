package graph

import (
	"fmt"
	"strings"
)

// MermaidEdges is the number of edges that Mermaid draws with its default configuration (maxEdges).
const MermaidEdges = 500

// Mermaid is the view as a Mermaid flowchart: an arrow leads to what is depended on, a dotted one to what is not there, a thick one
// along a cycle.
func (v *View) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	boxes := v.boxes()
	ids := numbered(boxes)
	for _, box := range boxes {
		fmt.Fprintf(&b, "  %s[\"%s\"]%s\n", ids[box.id], mermaidText(v.label(box)), class(box))
	}
	for _, box := range boxes {
		for _, link := range box.links {
			arrow := "-->"
			switch {
			case link.dangling:
				arrow = "-. not there .->"
			case link.cycle:
				arrow = "== cycle ==>"
			}
			fmt.Fprintf(&b, "  %s %s %s\n", ids[box.id], arrow, ids[link.to])
		}
	}
	b.WriteString("  classDef missing stroke:#c00,stroke-dasharray:4\n")
	return b.String()
}

func class(b box) string {
	if b.missing {
		return ":::missing"
	}
	return ""
}

// label is the name, with the number of dependencies that are left out.
func (v *View) label(b box) string {
	if b.hidden > 0 {
		return fmt.Sprintf("%s (%d more)", v.name(b.id), b.hidden)
	}
	return v.name(b.id)
}

// numbered gives each box a name that needs no quotes.
func numbered(boxes []box) map[ID]string {
	ids := make(map[ID]string, len(boxes))
	for i, b := range boxes {
		ids[b.id] = fmt.Sprintf("n%d", i)
	}
	return ids
}

// mermaidText writes all but the characters of Kubernetes names as entities: quotes, markup and line ends have a meaning in a label.
func mermaidText(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("-./() ", r) || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
