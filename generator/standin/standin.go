// Package standin gives benchmarks values of the size of sylva-core's: the real ones where they are at hand, else some that are made up.
package standin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Lines is the size of the real values.yaml of sylva-core.
const Lines = 9818

// real is where the real values may lie, as seen from a package two levels below the root of the repository.
const real = "../../../shared/data/sylva-core"

// Core is a directory to give as --core: the one given, else the real values, else the stand-in.
func Core(tb testing.TB, given string) string {
	tb.Helper()
	if given != "" {
		return given
	}
	if _, err := os.Stat(filepath.Join(real, values)); err == nil {
		return real
	}
	tb.Logf("%s is not here: the stand-in is used", real)
	return MadeUp(tb)
}

const values = "charts/sylva-units/values.yaml"

// MadeUp writes the values of testdata/core, grown to the size of the real ones, into a temporary directory.
func MadeUp(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../testdata/core")); err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(dir, values)
	small, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(Grow(string(small), Lines)), 0o600); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// Grow adds units to sylva-core's values until they have that many lines.
func Grow(small string, lines int) string {
	head, tail, _ := strings.Cut(small, "\nunits:\n")
	missing := lines - strings.Count(small, "\n")
	var grown strings.Builder
	for i := 0; missing > 0; i++ {
		text := fmt.Sprintf(unit, i, i/2)
		grown.WriteString(text)
		missing -= strings.Count(text, "\n")
	}
	return head + "\nunits:\n" + grown.String() + tail
}

// unit is one made-up unit in Sylva's vocabulary, with the templates, comments and folded texts that real ones have. It is switched off.
const unit = `
  made-up-%[1]d:
    info:
      description: makes up unit number %[1]d
      details: >-
        This unit stands for one of the many that sylva-core has. It has the fields that they have,
        texts that are folded over several lines, and templates that no question about MetalLB reads. Real units are described at
        some length, since their description ends up in a table of the documentation: what the unit deploys, who needs it, and how
        it is switched off where it is not wanted.
      maturity: stable
      internal: true
    unit_templates:
    - base-deps
    enabled: false
    enabled_conditions:
    - '{{ tuple . "made-up-%[2]d" | include "unit-enabled" }}'
    - '{{ not (.Values._internal.state.is_upgrade) }}'
    repo: sylva-core
    depends_on:
      # the one before it must be there
      made-up-%[2]d: '{{ tuple . "made-up-%[2]d" | include "unit-enabled" }}'
      root-dependency: false
    kustomization_spec:
      path: ./kustomize-units/made-up/%[1]d
      wait: true
      force: '{{ not (eq .Release.Namespace "sylva-system") | include "preserve-type" }}'
      targetNamespace: made-up-%[1]d
      _patches:
      - target:
          kind: ConfigMap
          name: settings
        patch: |
          - op: replace
            path: /data/proxy
            value: '{{ .Values.cluster.name }}-%[1]d'
    helmrelease_spec:
      chart:
        spec:
          chart: made-up
          version: 1.%[1]d.0
      targetNamespace: made-up-%[1]d
      values:
        image:
          repository: registry.example/made-up/%[1]d
          tag: v1.%[1]d.0
        replicas: 3
        resources: {requests: {cpu: 10m, memory: 64Mi}, limits: {cpu: 100m, memory: 256Mi}}
        # seconds
        timeouts: [10, 20, 30]
        tolerations:
        - key: node-role.kubernetes.io/control-plane
          operator: Exists
          effect: NoSchedule
        labels:
          app.kubernetes.io/name: '{{ .Values.cluster.name | default "made-up" }}'
          number: "%[1]d"
          set-only-if: '{{ tuple .Values.cluster.name (tuple . "made-up-%[2]d" | include "unit-enabled") | include "set-only-if" }}'
`
