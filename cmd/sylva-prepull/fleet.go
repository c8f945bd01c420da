package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
)

func (f *explainFlags) fleet(w world, asker *asker, targets []target) error {
	decisions := decideAll(w, asker, targets)
	if err := f.printAll(w, decisions); err != nil {
		return err
	}
	if slices.ContainsFunc(decisions, (*decision.Decision).Undecided) {
		return exit(codeBad)
	}
	return nil
}

func (f *explainFlags) printAll(w world, decisions []*decision.Decision) error {
	if encode := encoders()[f.output.value]; encode != nil {
		return encode(w, decisions)
	}
	var rows []row
	for _, d := range decisions {
		rows = append(rows, rowOf(d))
	}
	return printFleet(w, rows, f.output.value)
}

// row is one line of the fleet.
type row struct {
	cluster, peers, backend, upgrade, active, images, warnings, failure string
}

func rowOf(d *decision.Decision) row {
	r := row{cluster: visibleText(d.Environment), upgrade: dash(d.Backend.Case), active: state(d), peers: fmt.Sprint(len(d.Peers.List))}
	asking := slices.DeleteFunc(slices.Clone(d.Warnings), func(w decision.Warning) bool { return w.Info })
	r.warnings = fmt.Sprint(len(asking))
	if d.Backend.Before != "" && d.Backend.After != metallb.None {
		r.backend = d.Backend.Before + " -> " + d.Backend.After
	}
	var changes []string
	for _, img := range d.Images {
		changes = append(changes, tagOf(img.Image)+" "+img.Change)
	}
	if d.Active == decision.True {
		r.images = strings.Join(changes, ", ")
	}
	if len(d.Errors) > 0 {
		r.failure = d.Errors[0].Text
		if d.Errors[0].Source != "" {
			r.failure = d.Errors[0].Source + ": " + r.failure
		}
		r.failure = visibleText(r.failure)
	}
	if len(d.Errors) > 0 && d.Errors[0].Rule == "unreadable" {
		r.peers, r.warnings = "-", "-"
	}
	return r
}

func state(d *decision.Decision) string {
	return map[decision.Tri]string{decision.True: "on", decision.False: "off", decision.Unknown: "unknown"}[d.Active]
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func (r row) cells() []string {
	return []string{r.cluster, r.active, r.upgrade, r.peers, dash(r.backend), dash(r.images), r.warnings}
}

func printFleet(w world, rows []row, format string) error {
	header := []string{"CLUSTER", "UNIT", "CASE", "PEERS", "BACKEND", "IMAGES", "WARNINGS"}
	var out bytes.Buffer
	switch format {
	case "csv":
		writer := csv.NewWriter(&out)
		_ = writer.Write(append(lower(header), "error")) // to memory
		for _, r := range rows {
			_ = writer.Write(append(r.cells(), r.failure))
		}
		writer.Flush()
	case "markdown":
		fmt.Fprintf(&out, "| %s |\n|%s\n", strings.Join(append(lower(header), "error"), " | "), strings.Repeat(" --- |", len(header)+1))
		for _, r := range rows {
			cells := append(r.cells(), r.failure)
			for i, cell := range cells {
				cells[i] = strings.NewReplacer("\n", " ", "|", `\|`).Replace(cell)
			}
			fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | "))
		}
	default:
		printColumns(&out, header, rows, w.paint())
		printSummary(&out, rows)
	}
	_, err := w.out.Write(out.Bytes())
	return err
}

func lower(texts []string) []string {
	var out []string
	for _, text := range texts {
		out = append(out, strings.ToLower(text))
	}
	return out
}

// printColumns aligns the rows; an error goes below its row.
func printColumns(out *bytes.Buffer, header []string, rows []row, p paint) {
	widths := make([]int, len(header))
	table := [][]string{header}
	for _, r := range rows {
		table = append(table, r.cells())
	}
	for _, cells := range table {
		for i, cell := range cells {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for n, cells := range table {
		line := ""
		for i, cell := range cells {
			padded := cell + strings.Repeat(" ", widths[i]-len(cell))
			if n > 0 && i == 1 {
				padded = p.result(cell) + strings.Repeat(" ", widths[i]-len(cell))
			}
			line += padded + "  "
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
		if n > 0 && rows[n-1].failure != "" {
			fmt.Fprint(out, "  ")
			wrap(out, rows[n-1].failure, 2)
		}
	}
}

func printSummary(out *bytes.Buffer, rows []row) {
	count := map[string]int{}
	outage := 0
	for _, r := range rows {
		count[r.active]++
		if r.upgrade == "1->3" {
			outage++
		}
	}
	fmt.Fprintf(out, "\n%d clusters: %d move from native BGP to frr-k8s; the unit is on for %d, off for %d, unknown for %d\n",
		len(rows), outage, count["on"], count["off"], count["unknown"])
}
