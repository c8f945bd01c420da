package main

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
)

// undecided tells on stderr why there is no answer.
func undecided(w world, d *decision.Decision) error {
	for _, each := range d.Errors {
		fmt.Fprintf(w.err, "Error: %s\n", place(each))
	}
	if d.Active == decision.Unknown {
		fmt.Fprintln(w.err, "It cannot be decided whether the unit runs; --assume GUARD=true|false decides.")
	}
	return exit(codeBad)
}

// printWarnings prints on stderr what asks for a change; explain tells the rest too.
func printWarnings(w world, d *decision.Decision) {
	for _, each := range d.Warnings {
		if each.Info {
			continue
		}
		fmt.Fprintf(w.err, "warning: %s\n", place(each))
	}
}

// place is a warning with its source in front.
func place(each decision.Warning) string {
	if each.Source == "" {
		return fmt.Sprintf("%s (%s)", each.Text, each.Rule)
	}
	return fmt.Sprintf("%s: %s (%s)", each.Source, each.Text, each.Rule)
}
