package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode"
)

// TestVisible: control characters in names and messages come out as escapes, whatever the format.
func TestVisible(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{
		"peers.yaml": `metallb: {bgp_lbs: {l3_options: {bgp_peers: {"\e[31mred\r\n\u202e|\x7f": {local_asn: 1}}}}}`,
		"graph.yaml": `{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: "a\e[31m\u202e"}, spec: {dependsOn: [{name: "b\x07\x7f"}]}}`,
		"fails.yaml": `metallb: {bgp_lbs: {l3_options: {bgp_peers: '{{ fail "\x1b[2Jx\u202e" }}'}}}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{
		"explain -f peers.yaml", "explain -f peers.yaml -o csv", "explain -f peers.yaml -o markdown", "explain -f fails.yaml", "explain -f fails.yaml -o csv",
		"preview -f fails.yaml", "images -f fails.yaml", "explain \x1b[31menv", "explain -f \x1b[31m.yaml", "explain \u202ea|b fails.yaml -o markdown",
		"graph -r graph.yaml --all -o text", "graph -r graph.yaml --all -o mermaid", "graph -r graph.yaml --all -o dot", "verify -r graph.yaml",
	} {
		var all bytes.Buffer
		if strings.Contains(args, "-f") || strings.HasPrefix(args, "explain") {
			args += " --from 1.6.3 --to 1.7.0"
		}
		run(strings.Fields(args), testWorld(bytes.NewReader(nil), &all, &all))
		if text := all.String(); strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || r == '\u202e' }) {
			t.Errorf("%q: a control character in\n%q", args, text)
		} else if !strings.Contains(text, `\u`) && !strings.Contains(args, "peers.yaml -o") && !strings.Contains(args, "graph.yaml") {
			t.Errorf("%q: no escape in\n%s", args, text)
		}
	}
}
