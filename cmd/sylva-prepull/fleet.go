package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
)

// target is one environment to decide for.
type target struct {
	dir string
	err error // why it is none
}

// expand makes the list of environments of the arguments. A directory that is no environment itself stands for those below it. Of
// several arguments, one that leads to no environment is a line of the fleet with its error.
func expand(w world, args []string) ([]target, bool, error) {
	if len(args) == 0 {
		return []target{{}}, false, nil
	}
	var all []target
	fleet := len(args) > 1
	for _, arg := range args {
		found, parent, err := environment.Below(w.fsys, arg)
		if err != nil && !fleet {
			return nil, false, err
		}
		if err != nil {
			all = append(all, target{arg, err})
		}
		fleet = fleet || parent
		for _, dir := range found {
			all = append(all, target{dir: dir})
		}
	}
	return withoutTwins(all), fleet, nil
}

// withoutTwins leaves out environments that are named twice: the summary counts clusters.
func withoutTwins(all []target) []target {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(each target) bool {
		dir := filepath.Clean(each.dir)
		twin := seen[dir]
		seen[dir] = true
		return twin
	})
}

// failed is the decision on an environment that cannot be read.
func failed(unit, environment string, err error) *decision.Decision {
	return &decision.Decision{
		Unit: unit, Environment: environment, Guards: []decision.Guard{}, Images: []decision.Image{}, Warnings: []decision.Warning{},
		Errors: []decision.Warning{{Rule: "unreadable", Text: err.Error()}},
	}
}

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

// decideAll decides for every target, as many at a time as there are processors. The decisions come in the order of the targets.
func decideAll(w world, asker *asker, targets []target) []*decision.Decision {
	decisions := make([]*decision.Decision, len(targets))
	progress := newProgress(w, len(targets))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(targets)) {
		workers.Go(func() {
			for i := range next {
				progress.at(targets[i].dir)
				decisions[i] = decideOne(asker, targets[i])
			}
		})
	}
	for i := range targets {
		next <- i
	}
	close(next)
	workers.Wait()
	progress.done()
	return decisions
}

func decideOne(asker *asker, each target) *decision.Decision {
	if each.err != nil {
		return failed(asker.question.Unit.Name, each.dir, each.err)
	}
	d, _, err := asker.ask(each.dir)
	if err != nil {
		return failed(asker.question.Unit.Name, each.dir, err)
	}
	return d
}

func (f *explainFlags) printAll(w world, decisions []*decision.Decision) error {
	switch f.output.value {
	case "json":
		return printJSON(w, decisions)
	case "yaml":
		data, err := yaml.Marshal(decisions)
		if err != nil {
			return err
		}
		_, err = w.out.Write(data)
		return err
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
	fmt.Fprintf(out, "\n%d clusters: %d move from native BGP to frr-k8s; the unit is on for %d, off for %d, unknown for %d\n", len(rows), outage, count["on"], count["off"], count["unknown"])
}
