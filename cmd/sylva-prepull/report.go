package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
)

const width = 80

// paint colours text where colour is wanted.
type paint bool

func (w world) paint() paint {
	_, noColour := w.lookupEnv("NO_COLOR")
	term, _ := w.lookupEnv("TERM")
	return paint(w.terminal && !noColour && term != "dumb")
}

func (p paint) colour(code, text string) string {
	text = visibleText(text)
	if !p {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p paint) result(text string) string {
	switch text {
	case "true", "on":
		return p.colour("32", text)
	case "false", "off":
		return p.colour("33", text)
	}
	return p.colour("31", text)
}

func (p paint) bold(text string) string { return p.colour("1", text) }
func (p paint) dim(text string) string  { return p.colour("2", text) }

// printDecision prints one decision for a terminal of 80 columns.
func printDecision(w world, d *decision.Decision) error {
	p := w.paint()
	var out bytes.Buffer
	state := map[decision.Tri]string{decision.True: "on", decision.False: "off", decision.Unknown: "unknown"}[d.Active]
	fmt.Fprintf(&out, "%s is %s\n", p.bold(d.Unit), p.result(state))
	if d.Environment != "" {
		fmt.Fprintf(&out, "  cluster  %s\n", visibleText(d.Environment))
	}
	fmt.Fprintf(&out, "  release  %s\n", releaseLine(d.Release))
	if d.Backend.After != "" {
		fmt.Fprintf(&out, "  backend  %s\n", backendLine(d.Backend))
	}
	fmt.Fprintf(&out, "\n%s\n", p.bold("Guards"))
	printGuards(&out, d.Guards, p)
	printImageTable(&out, d.Images, p)
	printNotes(&out, "Errors", d.Errors, p)
	printNotes(&out, "Warnings", d.Warnings, p)
	_, err := w.out.Write(out.Bytes())
	return err
}

// printGuards prints each guard with its result and reason, and below it the place.
func printGuards(out *bytes.Buffer, guards []decision.Guard, p paint) {
	names := 9
	for _, guard := range guards {
		names = max(names, len(guard.Name))
	}
	indent := names + 12
	for _, guard := range guards {
		fmt.Fprintf(out, "  %-*s %s%s  ", names, guard.Name, p.result(guard.Result), strings.Repeat(" ", 7-len(guard.Result)))
		wrap(out, guard.Reason, indent)
		if guard.Source != "" {
			fmt.Fprintf(out, "%*s%s\n", indent, "", p.dim(guard.Source))
		}
	}
}

func releaseLine(r decision.Release) string {
	kind := map[decision.Tri]string{decision.True: "upgrade", decision.False: "no upgrade", decision.Unknown: "upgrade or not: unknown"}[r.Upgrade]
	switch {
	case r.From != "" && r.To != "":
		return fmt.Sprintf("%s -> %s, %s", r.From, r.To, kind)
	case r.To != "":
		return fmt.Sprintf("%s, %s", r.To, kind)
	}
	return kind
}

func backendLine(b metallb.Backend) string {
	switch {
	case b.After == metallb.None && b.Before == metallb.None:
		return "no BGP"
	case b.Case != "":
		return fmt.Sprintf("%s -> %s (case %s)", b.Before, b.After, b.Case)
	}
	return fmt.Sprintf("%s -> %s", b.Before, b.After)
}

func printImageTable(out *bytes.Buffer, images []decision.Image, p paint) {
	if len(images) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", p.bold("Images"))
	for _, img := range images {
		fmt.Fprintf(out, "  %s\n", img.Image)
		note := img.Change
		if img.Change == decision.Bump {
			note += " from " + tagOf(img.Previous)
		}
		fmt.Fprintf(out, "%21s%s, %s\n", "", note, p.dim(img.Source))
	}
}

func tagOf(ref string) string { return ref[strings.LastIndex(ref, ":")+1:] }

func printNotes(out *bytes.Buffer, title string, notes []decision.Warning, p paint) {
	if len(notes) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", p.bold(title))
	for _, each := range notes {
		fmt.Fprintf(out, "  %s\n    ", p.bold(each.Rule))
		wrap(out, each.Text, 4)
		if each.Source != "" {
			fmt.Fprintf(out, "    %s\n", p.dim(each.Source))
		}
	}
}

// wrap writes text in lines of the terminal's width; the first starts at column indent, the others are indented to it.
func wrap(out *bytes.Buffer, text string, indent int) {
	column := indent
	for i, word := range strings.Fields(visibleText(text)) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+length > width:
			fmt.Fprintf(out, "\n%*s", indent, "")
			column = indent
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += length
	}
	out.WriteByte('\n')
}
