package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"path"
	"path/filepath"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

// issue is a finding in GitLab's Code Quality report (docs.gitlab.com, ci/testing/code_quality, "Code Quality report format").
type issue struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    location `json:"location"`
}

type location struct {
	Path  string `json:"path"`
	Lines lines  `json:"lines"`
}

type lines struct {
	Begin int `json:"begin"`
}

// codeQuality gives each finding a fingerprint of what it says and not of its line, so that it stays the same finding where lines move.
func codeQuality(report *verify.Report) ([]byte, error) {
	issues := []issue{}
	seen := map[string]int{}
	for _, f := range report.Findings {
		file := path.Clean(filepath.ToSlash(f.At.File))
		key := fmt.Sprintf("%s\x00%s\x00%s", f.Rule.ID, file, f.Text)
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
		issues = append(issues, issue{
			Description: f.Text + " (fix: " + f.Rule.Fix + ")", CheckName: f.Rule.ID, Fingerprint: hex.EncodeToString(sum[:]),
			Severity: map[verify.Severity]string{verify.Error: "critical", verify.Warning: "minor"}[f.Rule.Severity],
			Location: location{file, lines{max(f.At.Line, 1)}},
		})
	}
	return indented(issues)
}

// testSuites is a JUnit report: a test case for each finding, and for each rule without one.
type testSuites struct {
	XMLName xml.Name  `xml:"testsuites"`
	Suite   testSuite `xml:"testsuite"`
}

type testSuite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []testCase `xml:"testcase"`
}

type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Failure *failure `xml:"failure"`
	Skipped *skipped `xml:"skipped"`
}

type failure struct {
	Type    verify.Severity `xml:"type,attr"`
	Message string          `xml:"message,attr"`
	Text    string          `xml:",chardata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

func junit(report *verify.Report) ([]byte, error) {
	suite := testSuite{Name: "sylva-prepull verify"}
	for _, outcome := range report.Outcomes {
		broken := failures(report, outcome.Rule)
		suite.Failures += len(broken)
		suite.Cases = append(suite.Cases, broken...)
		if len(broken) > 0 {
			continue
		}
		passed := testCase{Class: "verify." + outcome.Rule.ID, Name: outcome.Rule.ID}
		if outcome.Looked == 0 {
			passed.Skipped = &skipped{outcome.Notes[0]}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, passed)
	}
	suite.Tests = len(suite.Cases)
	var out bytes.Buffer
	out.WriteString(xml.Header)
	encoder := xml.NewEncoder(&out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(testSuites{Suite: suite}); err != nil {
		return nil, err
	}
	out.WriteString("\n")
	return out.Bytes(), nil
}

func failures(report *verify.Report, rule *verify.Rule) []testCase {
	var cases []testCase
	for _, f := range report.Findings {
		if f.Rule != rule {
			continue
		}
		cases = append(cases, testCase{
			Class: "verify." + rule.ID, Name: f.Text, File: f.At.File,
			Failure: &failure{rule.Severity, f.Text, fmt.Sprintf("%s: %s\nfix: %s", f.At, f.Text, rule.Fix)},
		})
	}
	return cases
}
