package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

// printReport prints the findings on stdout, and on stderr what to do about them and what was not checked.
func printReport(w world, report *verify.Report, format string) error {
	var out []byte
	var err error
	switch format {
	case "json":
		out, err = jsonReport(report)
	case "codequality":
		out, err = codeQuality(report)
	case "junit":
		out, err = junit(report)
	default:
		out = textReport(report)
	}
	if err != nil {
		return err
	}
	if _, err := w.out.Write(out); err != nil {
		return err
	}
	return explainReport(w, report)
}

// textReport is one line a finding.
func textReport(report *verify.Report) []byte {
	var out bytes.Buffer
	for _, f := range report.Findings {
		fmt.Fprintf(&out, "%s %s %s: %s\n", f.Rule.Severity, f.Rule.ID, oneLine(f.At.String()), oneLine(f.Text))
	}
	return out.Bytes()
}

// oneLine keeps what comes from manifests from writing lines and colours of its own.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsGraphic(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// explainReport says what was not checked, what to do about the findings, and how many there are.
func explainReport(w world, report *verify.Report) error {
	lines := notes(report)
	checked := 0
	for _, outcome := range report.Outcomes {
		if outcome.Looked > 0 {
			checked++
		}
		if found(report, outcome.Rule) > 0 {
			lines = append(lines, fmt.Sprintf("fix: %s: %s", outcome.Rule.ID, outcome.Rule.Fix))
		}
	}
	findings := plural(len(report.Findings), "finding")
	lines = append(lines, fmt.Sprintf("%s; %d of %d rules had something to check", findings, checked, len(report.Outcomes)))
	for _, line := range lines {
		if _, err := fmt.Fprintln(w.err, oneLine(line)); err != nil {
			return err
		}
	}
	return nil
}

// notes are those of the report and of the rules, each with the rules that have it.
func notes(report *verify.Report) []string {
	var lines, texts []string
	for _, note := range report.Notes {
		lines = append(lines, "note: "+note)
	}
	rules := map[string][]string{}
	for _, outcome := range report.Outcomes {
		for _, note := range outcome.Notes {
			if rules[note] == nil {
				texts = append(texts, note)
			}
			rules[note] = append(rules[note], outcome.Rule.ID)
		}
	}
	for _, text := range texts {
		lines = append(lines, fmt.Sprintf("note: %s: %s", strings.Join(rules[text], ", "), text))
	}
	return lines
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// found is the number of a rule's findings.
func found(report *verify.Report, rule *verify.Rule) int {
	count := 0
	for _, f := range report.Findings {
		if f.Rule == rule {
			count++
		}
	}
	return count
}

type jsonFinding struct {
	Rule     string          `json:"rule"`
	Severity verify.Severity `json:"severity"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Column   int             `json:"column"`
	Text     string          `json:"text"`
	Fix      string          `json:"fix"`
}

type jsonRule struct {
	Rule     string   `json:"rule"`
	Looked   int      `json:"looked_at"`
	Findings int      `json:"findings"`
	Notes    []string `json:"notes"`
}

func jsonReport(report *verify.Report) ([]byte, error) {
	all := struct {
		Findings []jsonFinding `json:"findings"`
		Rules    []jsonRule    `json:"rules"`
		Notes    []string      `json:"notes"`
	}{[]jsonFinding{}, []jsonRule{}, append([]string{}, report.Notes...)}
	for _, f := range report.Findings {
		all.Findings = append(all.Findings, jsonFinding{f.Rule.ID, f.Rule.Severity, f.At.File, f.At.Line, f.At.Column, f.Text, f.Rule.Fix})
	}
	for _, outcome := range report.Outcomes {
		rule := jsonRule{outcome.Rule.ID, outcome.Looked, found(report, outcome.Rule), append([]string{}, outcome.Notes...)}
		all.Rules = append(all.Rules, rule)
	}
	return indented(all)
}
