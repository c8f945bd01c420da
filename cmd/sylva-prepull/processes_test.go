package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/standin"
)

// BenchmarkProcesses times whole processes: the least CPU time (user and system) and the least peak of memory of all runs. KUSTOMIZE and
// HELM name the others' binaries where they are not on PATH; helm renders the chart of SYLVA_CORE, a checkout of sylva-core. Memory needs
// GNU time: the kernel counts what this process takes for the start of its children.
func BenchmarkProcesses(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "sylva-prepull")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	core := standin.Core(b, os.Getenv("SYLVA_CORE"))
	upgrade := []string{"--core", core, inputs + "/example/environment", "--upgrade", "--metallb-chart-version", "0.16.1"}
	b.Run("start/version", func(b *testing.B) { process(b, binary, "version") })
	b.Run("start/kustomize-version", func(b *testing.B) { process(b, tool(b, "KUSTOMIZE", "kustomize"), "version") })
	b.Run("render/preview", func(b *testing.B) { process(b, binary, append([]string{"preview"}, upgrade...)...) })
	b.Run("render/explain", func(b *testing.B) { process(b, binary, append([]string{"explain"}, upgrade...)...) })
	b.Run("render/helm-template", func(b *testing.B) {
		chart := filepath.Join(os.Getenv("SYLVA_CORE"), "charts", "sylva-units")
		if _, err := os.Stat(filepath.Join(chart, "templates")); err != nil {
			b.Skip("SYLVA_CORE names no checkout with the chart:", err)
		}
		process(b, tool(b, "HELM", "helm"), "template", "sylva-units", chart, "-n", "sylva-system", "-f", filepath.Join(chart, "management.values.yaml"), "--set", "cluster_virtual_ip=192.0.2.1")
	})
}

// tool is another program, or the end of the benchmark.
func tool(b *testing.B, variable, name string) string {
	b.Helper()
	if path := os.Getenv(variable); path != "" {
		return path
	}
	path, err := exec.LookPath(name)
	if err != nil {
		b.Skipf("%s is not set, and there is no %s on PATH", variable, name)
	}
	return path
}

// process runs a program and reports what it took at least.
func process(b *testing.B, program string, args ...string) {
	b.Helper()
	var cpu time.Duration
	for i := 0; b.Loop(); i++ {
		cmd := exec.Command(program, args...)
		if err := cmd.Run(); err != nil {
			b.Fatal(program, args, err)
		}
		if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); i == 0 || took < cpu {
			cpu = took
		}
	}
	b.ReportMetric(float64(cpu.Microseconds())/1000, "ms-cpu")
	if peak := peakOf(program, args); peak > 0 {
		b.ReportMetric(peak/1024, "MB-peak")
	}
}

// peakOf is the resident memory of a program at its peak, in KB, the least of three runs; 0 where it cannot be told.
func peakOf(program string, args []string) float64 {
	least := 0.0
	for range 3 {
		out, err := exec.Command("/usr/bin/time", append([]string{"-f", "peak %M", program}, args...)...).CombinedOutput()
		_, text, found := strings.Cut(string(out), "\npeak ")
		peak, errNumber := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !found || errNumber != nil {
			return 0
		}
		if least == 0 || peak < least {
			least = peak
		}
	}
	return least
}
