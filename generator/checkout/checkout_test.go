package checkout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

// tree is a checkout in memory.
type tree map[string]string

func (t tree) read(path string) ([]byte, error) {
	if text, ok := t[path]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

func (t tree) apply(changes []files.Change) {
	for _, each := range changes {
		if each.After == nil {
			delete(t, each.Path)
			continue
		}
		t[each.Path] = string(each.After)
	}
}

func small() tree {
	return tree{
		chartFile:       "name: sylva-units\n",
		valuesFile:      "units:\n  metallb:\n    info: {}\n    enabled_conditions: []\n    repo: x\n",
		workloadFile:    "units:\n  metallb:\n    enabled: true\n",
		descriptionFile: internalColumns + "\n| :----- | :----- | :----- |\n| **calico** | x | Kustomization |\n| **metallb-resources** | x | Helm chart |\n",
	}
}

func definition(t *testing.T) *unit.Definition {
	t.Helper()
	d, err := unit.Load(units.FS, "metallb-image-prepull")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func images(t *testing.T) []manifest.Image {
	t.Helper()
	var out []manifest.Image
	for name, text := range map[string]string{"frr": "quay.io/frrouting/frr:10.4.3"} {
		ref, err := image.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, manifest.Image{Name: name, Ref: ref})
	}
	return out
}

// put generates into a tree.
func put(t *testing.T, in tree) (notes []string, err error) {
	t.Helper()
	changes, notes, err := New("core", definition(t), in.read).With(images(t))
	in.apply(changes)
	return notes, err
}

// TestWith: the unit goes in, a second time nothing changes, and it comes out again without a trace.
func TestWith(t *testing.T) {
	for name, change := range map[string]func(tree){
		"plain":             func(tree) {},
		"CRLF":              func(in tree) { in.each(func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }) },
		"no final newline":  func(in tree) { in.each(func(text string) string { return strings.TrimSuffix(text, "\n") }) },
		"a byte order mark": func(in tree) { in[valuesFile] = "\uFEFF" + in[valuesFile] },
		"no description":    func(in tree) { delete(in, descriptionFile) },
		"an empty table":    func(in tree) { in[descriptionFile] = internalColumns + "\n| :----- | :----- | :----- |\n" },
		"last in the table": func(in tree) { in[descriptionFile] = strings.Replace(in[descriptionFile], "metallb-resources", "a", 1) },
		"no metallb there":  func(in tree) { in[workloadFile] = "units:\n\n  a:\n    enabled: true\n\n  b:\n    enabled: true\n" },
		"other edges":       func(in tree) { in[valuesFile] += "    depends_on:\n      a: true\n" },
	} {
		t.Run(name, func(t *testing.T) {
			in := small()
			change(in)
			before := tree{}
			for path, text := range in {
				before[path] = text
			}
			if notes, err := put(t, in); err != nil || len(notes) > 0 {
				t.Fatalf("%v, notes %v", err, notes)
			}
			if !strings.Contains(in[valuesFile], "metallb-image-prepull: '{{ tuple") || !strings.Contains(in[workloadFile], "metallb-image-prepull:") {
				t.Errorf("the unit is not in:\n%s\n%s", in[valuesFile], in[workloadFile])
			}
			changes, _, err := New("core", definition(t), in.read).With(images(t))
			if err != nil || len(files.Changed(changes)) > 0 {
				t.Errorf("a second time: %v\n%s", err, files.Diff(changes))
			}
			changes, _, err = New("core", definition(t), in.read).Without()
			if err != nil {
				t.Fatal(err)
			}
			in.apply(changes)
			if diff := cmp.Diff(before, in); diff != "" {
				t.Errorf("taken out, it left (-before +after):\n%s", diff)
			}
		})
	}
}

func (t tree) each(change func(string) string) {
	for path, text := range t {
		t[path] = change(text)
	}
}

// TestWithRefuses: nothing comes out but an error that says what is wrong.
func TestWithRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change func(tree)
		want   string
	}{
		"no chart":    {func(in tree) { delete(in, chartFile) }, "core is no sylva-core checkout: it has no " + chartFile},
		"no values":   {func(in tree) { delete(in, valuesFile) }, "it has no " + valuesFile},
		"no workload": {func(in tree) { delete(in, workloadFile) }, "it has no " + workloadFile},
		"no units":    {func(in tree) { in[workloadFile] = "unit: {}\n" }, "no units: key"},
		"no metallb":  {func(in tree) { in[valuesFile] = "units:\n  a: {}\n" }, "no units.metallb, which is to wait"},
		"not YAML":    {func(in tree) { in[valuesFile] = "units: [\n" }, valuesFile + ":"},
		"a list":      {func(in tree) { in[valuesFile] = "units:\n  metallb:\n    depends_on:\n    - a\n" }, "units.metallb.depends_on"},
	} {
		in := small()
		test.change(in)
		changes, _, err := New("core", definition(t), in.read).With(images(t))
		if err == nil || !strings.Contains(err.Error(), test.want) || changes != nil {
			t.Errorf("%s: error %v, want %s", name, err, test.want)
		}
	}
}

// TestDescription: the row is what sylva-core's script writes, in its place, and an old one goes.
func TestDescription(t *testing.T) {
	in := small()
	in[descriptionFile] += "| **metallb-image-prepull** | old | Kustomization |\n"
	d := definition(t)
	info := d.Values.Get("units", d.Name, "info")
	if _, err := put(t, in); err != nil {
		t.Fatal(err)
	}
	want := "| **calico** | x | Kustomization |\n| **metallb-image-prepull** | " + info.Get("description").Text + "<br/><br/>" + info.Get("details").Text +
		" | Kustomization |\n| **metallb-resources** | x | Helm chart |\n"
	if !strings.HasSuffix(in[descriptionFile], want) {
		t.Errorf("got\n%s\nwant at its end\n%s", in[descriptionFile], want)
	}
}

func TestDescriptionOfAnotherLayout(t *testing.T) {
	in := small()
	in[descriptionFile] = "| unit |\n|---|\n"
	notes, err := put(t, in)
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "run tools/generate_units_documentation.py") || in[descriptionFile] != "| unit |\n|---|\n" {
		t.Errorf("%v, notes %v, the file:\n%s", err, notes, in[descriptionFile])
	}
}

// FuzzDescription: whatever the text, putting the row in twice is the same as once, and it comes out again.
func FuzzDescription(f *testing.F) {
	for _, seed := range []string{small()[descriptionFile], internalColumns, internalColumns + "\n| :- |", "| a |\r\n" + internalColumns + "\r\n| :- |\r\n| **z** |\r\n", "", "|"} {
		f.Add(seed)
	}
	d, err := unit.Load(units.FS, "metallb-image-prepull")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := New("core", d, nil)
		with, err := c.putDescription([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.putDescription(with)
		if err != nil || string(again) != string(with) {
			t.Errorf("the second time it gives\n%q, and the first time\n%q: %v", again, with, err)
		}
		without, err := c.dropDescription(with)
		if err != nil || !strings.Contains(text, d.Name) && string(without) != text {
			t.Errorf("taken out it gives\n%q, and was\n%q: %v", without, text, err)
		}
	})
}
