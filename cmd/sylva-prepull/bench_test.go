package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/standin"
)

// benchmark runs a command in this process.
func benchmark(b *testing.B, args ...string) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		var stderr bytes.Buffer
		w := world{in: strings.NewReader(""), out: io.Discard, err: &stderr, fsys: filesys.MakeFsOnDisk(), lookupEnv: func(string) (string, bool) { return "", false }}
		if code := run(args, w); code != codeFine {
			b.Fatalf("exit code %d: %s", code, stderr.String())
		}
	}
}

// BenchmarkPreview is the whole command on the layers of a management cluster.
func BenchmarkPreview(b *testing.B) {
	benchmark(b, "preview", "--core", standin.Core(b, os.Getenv("SYLVA_CORE")), inputs+"/example/environment", "--upgrade", "--metallb-chart-version", "0.16.1")
}

// BenchmarkFleet explains many environments over the same layers.
func BenchmarkFleet(b *testing.B) {
	for _, clusters := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(clusters), func(b *testing.B) {
			dir := b.TempDir()
			for i := range clusters {
				if err := os.CopyFS(filepath.Join(dir, fmt.Sprintf("cluster-%d", i)), os.DirFS(inputs+"/example/environment")); err != nil {
					b.Fatal(err)
				}
			}
			benchmark(b, "explain", "--core", standin.Core(b, os.Getenv("SYLVA_CORE")), dir, "--upgrade", "--metallb-chart-version", "0.16.1")
		})
	}
}
