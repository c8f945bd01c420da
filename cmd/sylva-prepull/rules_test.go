package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRuleTable: docs/verify.md has the rules as they are, in their order.
func TestRuleTable(t *testing.T) {
	data, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "|---|---|---|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	var want []string
	for _, rule := range newVerifyFlags(world{}).all {
		cells := strings.Join([]string{"`" + rule.ID + "`", string(rule.Severity), rule.Finds, rule.LooksAt, rule.Fix}, " % ")
		want = append(want, fmt.Sprintf("| %s |", strings.ReplaceAll(strings.ReplaceAll(cells, "|", `\|`), " % ", " | ")))
	}
	if diff := cmp.Diff(strings.Join(want, "\n"), table); !ok || diff != "" {
		t.Errorf("docs/verify.md has another table (-rules +document):\n%s\nthe table is:\n%s", diff, strings.Join(want, "\n"))
	}
}
