package verify

import (
	"cmp"
	"fmt"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Severity is how bad a finding is. Either is a finding.
type Severity string

// The severities: with an error the pre-pull does not hold MetalLB back, holds it for ever, or pulls the wrong images; a warning is what
// may turn out so.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Rule is one thing to check.
type Rule struct {
	ID       string
	Severity Severity
	Finds    string // what is wrong where it finds something
	LooksAt  string // what must be in the input for it to check anything
	Fix      string // one line
	check    func(*checker) error
	absent   bool // it checks a tree that has nothing of the unit, too
}

// Finding is something that is wrong at a place. The text holds no line numbers, so that it stays the same where lines move.
type Finding struct {
	Rule *Rule
	At   values.Position
	Text string
}

// Outcome is what came of a rule: how many things it looked at, and what it could not check, and why.
type Outcome struct {
	Rule   *Rule
	Looked int
	Notes  []string
}

// Report is what came of all rules.
type Report struct {
	Findings []Finding // by place
	Outcomes []Outcome // in the order of the rules
	Notes    []string  // what no rule could take into account
}

// checker is what a rule's check works with.
type checker struct {
	*scope
	outcome  *Outcome
	findings []Finding
}

// look says that the rule looks at n more things.
func (c *checker) look(n int) { c.outcome.Looked += n }

// find adds a finding.
func (c *checker) find(at values.Position, format string, args ...any) {
	c.findings = append(c.findings, Finding{c.outcome.Rule, at, fmt.Sprintf(format, args...)})
}

// note says what the rule could not check.
func (c *checker) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.outcome.Notes, text) {
		c.outcome.Notes = append(c.outcome.Notes, text)
	}
}

// Run checks the input by the rules. An error is bad input: nothing in it to check, manifests that Flux or Kubernetes would refuse, a
// directory that does not build.
func Run(input Input, rules []Rule) (*Report, error) {
	s, err := newScope(input)
	if err != nil {
		return nil, err
	}
	if s.nothing(input) && !slices.ContainsFunc(rules, func(r Rule) bool { return r.absent }) {
		return nil, fmt.Errorf("nothing to check: %s has no units.%s in charts/sylva-units, and no stream is given", input.Core, input.Unit.Name)
	}
	report := &Report{Notes: s.notes()}
	for i := range rules {
		c := &checker{scope: s, outcome: &Outcome{Rule: &rules[i]}}
		if err := rules[i].check(c); err != nil {
			return nil, fmt.Errorf("%s: %w", rules[i].ID, err)
		}
		if c.outcome.Looked == 0 && len(c.outcome.Notes) == 0 {
			c.note("nothing to check without %s", rules[i].LooksAt)
		}
		report.Outcomes = append(report.Outcomes, *c.outcome)
		report.Findings = append(report.Findings, c.findings...)
	}
	if s.unbuilt != nil {
		if len(report.Findings) == 0 {
			return nil, s.unbuilt
		}
		report.Notes = append(report.Notes, s.unbuilt.Error())
	}
	slices.SortStableFunc(report.Findings, compareFindings)
	report.Findings = slices.CompactFunc(report.Findings, func(a, b Finding) bool { return compareFindings(a, b) == 0 })
	return report, nil
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column),
		cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.Text, b.Text),
	)
}
