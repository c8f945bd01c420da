package values_test

import (
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/standin"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// layer is a values file of sylva-core's size.
func layer(b *testing.B, name string) (string, []byte) {
	b.Helper()
	file := filepath.Join(standin.Core(b, os.Getenv("SYLVA_CORE")), "charts/sylva-units", name)
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return file, data
}

// BenchmarkParse reads the values of sylva-core.
func BenchmarkParse(b *testing.B) {
	file, data := layer(b, "values.yaml")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := values.Parse(file, data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseFloor is what yaml.v3 alone needs for the same bytes.
func BenchmarkParseFloor(b *testing.B) {
	_, data := layer(b, "values.yaml")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var node yaml.Node
		if err := yaml.Unmarshal(data, &node); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMerge lays the values of a management cluster over those of all, and a user's over both.
func BenchmarkMerge(b *testing.B) {
	var layers []*values.Node
	for _, name := range []string{"values.yaml", "management.values.yaml"} {
		file, data := layer(b, name)
		n, err := values.Parse(file, data)
		if err != nil {
			b.Fatal(err)
		}
		layers = append(layers, n)
	}
	user, err := values.Parse("user.yaml", []byte("metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {local_asn: 1}}}}}\nunits: {metallb: {enabled: true}}\n"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		values.Coalesce(values.Merge(layers[0], layers[1]), user)
	}
}
