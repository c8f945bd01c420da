package unit_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

const name = "metallb-image-prepull"

// shipped are the three files of the unit.
func shipped(tb testing.TB) map[string]string {
	tb.Helper()
	files := map[string]string{}
	for _, file := range []string{"unit.yaml", "images.yaml", "values.yaml"} {
		data, err := fs.ReadFile(units.FS, name+"/"+file)
		if err != nil {
			tb.Fatal(err)
		}
		files[file] = string(data)
	}
	return files
}

func load(files map[string]string) (*unit.Definition, error) {
	fsys := fstest.MapFS{}
	for file, text := range files {
		fsys[name+"/"+file] = &fstest.MapFile{Data: []byte(text)}
	}
	return unit.Load(fsys, name)
}

// TestRefused: a unit that is wrong by one change is told so, with the file.
func TestRefused(t *testing.T) {
	for what, test := range map[string]struct{ file, old, new, want string }{
		"another name":       {"unit.yaml", "name: metallb-image-prepull", "name: other", `the name is "other"`},
		"unknown field":      {"unit.yaml", "holds:", "holdz: x\nholds:", "unit.yaml: error"},
		"no held unit":       {"unit.yaml", "holds: metallb", "holds: ''", "holds and images are needed"},
		"a guard too few":    {"unit.yaml", "[metallb, upgrade, bgp]", "[metallb, upgrade]", "2 guards named, and 3 enabled_conditions"},
		"no container":       {"unit.yaml", "container: frr", "container: ''", "images[1] needs name, image and container"},
		"no edge":            {"values.yaml", "    depends_on:\n      metallb-image-prepull:", "    depends_on:\n      other:", "no units.metallb.depends_on.metallb-image-prepull"},
		"conditions of text": {"values.yaml", "    enabled_conditions:\n    - '{{ tuple", "    enabled_conditions: none\n    x:\n    - '{{ tuple", "3 guards named, and 0 enabled_conditions"},
		"broken values":      {"values.yaml", "units:", "\tunits:", "units/metallb-image-prepull/values.yaml:2:1: a tab"},
		"a tag missing":      {"images.yaml", "{version: 0.14.3, tags: {frr-k8s: v0.0.8, frr: 8.4.2}}", "{version: 0.14.3, tags: {frr: 8.4.2}}", "chart 0.14.3 has no tag for frr-k8s"},
		"a chart missing":    {"images.yaml", "chart: 0.16.1", "chart: 9.9.9", "Sylva 1.7 has chart 9.9.9, which is not in the list"},
		"a tag of a number":  {"images.yaml", "frr: 8.4.2", "frr: 8.40", `images.yaml:4:50: charts.[0].tags.frr: YAML reads 8.40 as a number: quote it ("8.40")`},
		"a line of a number": {"images.yaml", "line: '1.7'", "line: 1.10", `releases.[1].line: YAML reads 1.10 as a number`},
	} {
		t.Run(what, func(t *testing.T) {
			files := shipped(t)
			if !strings.Contains(files[test.file], test.old) {
				t.Fatalf("%s has no %q", test.file, test.old)
			}
			files[test.file] = strings.Replace(files[test.file], test.old, test.new, 1)
			if _, err := load(files); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := load(shipped(t)); err != nil {
		t.Error(err)
	}
}

// FuzzLoad: no files make loading panic, and a unit that loads has what the others rely on.
func FuzzLoad(f *testing.F) {
	files := shipped(f)
	f.Add(files["unit.yaml"], files["images.yaml"], files["values.yaml"])
	f.Add("name: metallb-image-prepull\nholds: a\nimages: [{name: b, image: c, container: d}]\n", "charts: null\n", "units: {metallb-image-prepull: {enabled_conditions: {a: b}}, a: {depends_on: {metallb-image-prepull: true}}}\n")
	f.Fuzz(func(t *testing.T, definition, images, values string) {
		d, err := load(map[string]string{"unit.yaml": definition, "images.yaml": images, "values.yaml": values})
		if err != nil {
			return
		}
		if len(d.Conditions()) != len(d.Guards) || len(d.Images) == 0 || d.Holds == "" {
			t.Errorf("%+v is no unit", d)
		}
		d.Catalogue.Chart("1")
		d.Catalogue.ChartOf("1.7")
	})
}
