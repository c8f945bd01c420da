package standin_test

import (
	"os"
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/standin"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// TestMadeUp: the stand-in has the size of the real values, and is the same every time.
func TestMadeUp(t *testing.T) {
	text, again := read(t), read(t)
	if lines := strings.Count(text, "\n"); lines < standin.Lines || lines > standin.Lines+60 || len(text) < 350_000 || len(text) > 450_000 {
		t.Errorf("%d lines, %d bytes", lines, len(text))
	}
	if text != again {
		t.Error("it differs from one time to the next")
	}
	node, err := values.Parse("values.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if node.Get("units", "metallb") == nil || node.Get("units", "made-up-100", "depends_on", "made-up-50") == nil || node.Get("_internal") == nil {
		t.Error("a part is missing")
	}
}

func read(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(standin.MadeUp(t) + "/charts/sylva-units/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
