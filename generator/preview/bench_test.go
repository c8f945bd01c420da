package preview_test

import (
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/standin"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

const environment = "../../testdata/example/environment"

// loading gives a fresh loader and the request for one environment on sylva-core's values.
func loading(b *testing.B) (*unit.Definition, func() *sources.Loader, sources.Request) {
	b.Helper()
	definition, err := unit.Load(units.FS, "metallb-image-prepull")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	request := sources.Request{Core: standin.Core(b, os.Getenv("SYLVA_CORE")), Environment: environment}
	return definition, func() *sources.Loader {
		return sources.NewLoader(filesys.MakeFsOnDisk(), strings.NewReader(""), definition, values.Empty())
	}, request
}

// question is an upgrade of the environment.
func question(b *testing.B) decision.Question {
	b.Helper()
	definition, loader, request := loading(b)
	set, err := loader().Load(request)
	if err != nil {
		b.Fatal(err)
	}
	upgrade := true
	return decision.Question{Unit: definition, Set: set, Library: chart.NewLibrary(), Upgrade: &upgrade, ChartVersion: "0.16.1"}
}

// BenchmarkLoad reads and merges all layers, none read before.
func BenchmarkLoad(b *testing.B) {
	_, loader, request := loading(b)
	for b.Loop() {
		if _, err := loader().Load(request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoadNext reads and merges the layers of one environment more.
func BenchmarkLoadNext(b *testing.B) {
	_, loader, request := loading(b)
	same := loader()
	for b.Loop() {
		if _, err := same.Load(request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecide answers the question, the templates parsed before.
func BenchmarkDecide(b *testing.B) {
	q := question(b)
	for b.Loop() {
		if d, _, err := decision.Decide(q); err != nil || d.Active != decision.True {
			b.Fatal(d, err)
		}
	}
}

// BenchmarkDecideFirst answers it with no template parsed before.
func BenchmarkDecideFirst(b *testing.B) {
	q := question(b)
	for b.Loop() {
		q.Library = chart.NewLibrary()
		if _, _, err := decision.Decide(q); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkObjects makes the objects of the preview.
func BenchmarkObjects(b *testing.B) {
	_, c, err := decision.Decide(question(b))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := preview.Objects(c); err != nil {
			b.Fatal(err)
		}
	}
}
