package values_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// TestMemory: no input takes memory out of proportion to its size, whether it is accepted or refused.
func TestMemory(t *testing.T) {
	const keys = 20_000
	var many strings.Builder
	for i := range keys {
		fmt.Fprintf(&many, "k%d: 1, ", i)
	}
	big := "b: &b {" + many.String() + "}\n"
	for name, doc := range map[string]string{
		"plain":                   strings.Repeat("- {a: b, c: [1, 2]}\n", 20_000),
		"an alias bomb":           bomb(12),
		"merge keys of a big map": big + lines("x%d: {<<: *b}\n", 2_000),
		"merge keys in one map":   big + "x: {" + strings.Repeat("<<: *b, ", 2_000) + "}\n",
		"a list of merges":        big + "x: {<<: [" + strings.Repeat("*b, ", 2_000) + "]}\n",
		"aliases of a big map":    big + lines("x%d: *b\n", 90),
		"distinct merges":         lines("a%d: &a%[1]d {k%[1]d: 1}\n", 5_000) + "x:\n" + lines("  <<: *a%d\n", 5_000),
		"deep lists":              "a: " + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
		"lists without end":       strings.Repeat("[", 100_000),
		"documents":               strings.Repeat("---\na: 1\n", 20_000),
		"a long line":             "a: " + strings.Repeat("x", 1<<20),
		"a long key":              strings.Repeat("x", 1<<20) + ": 1",
		"numbers":                 strings.Repeat("- 0.5\n", 20_000),
		"comments":                strings.Repeat("# a\n", 100_000),
		"tabs":                    strings.Repeat("\t", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := values.ParseAll("f.yaml", []byte(doc))
			runtime.ReadMemStats(&after)
			took := after.TotalAlloc - before.TotalAlloc
			if most := 600*uint64(len(doc)) + 16<<20; took > most {
				t.Errorf("%d bytes take %d MB, over %d: %v", len(doc), took>>20, most>>20, err)
			}
		})
	}
}

func lines(format string, count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
