package unit

import (
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

func load(t *testing.T) *Definition {
	t.Helper()
	d, err := Load(units.FS, "metallb-image-prepull")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestWith: each choice is in the text and in the values, and no other line changes.
func TestWith(t *testing.T) {
	spec := func(keys ...string) []string {
		return append([]string{"units", "metallb-image-prepull", "kustomization_spec"}, keys...)
	}
	current := func(d *Definition) string {
		return d.Values.Get(spec("healthCheckExprs")...).Items[0].Get("current").Text
	}
	for name, test := range map[string]struct {
		variant Variant
		lines   int // that are in the new text alone
		holds   func(*Definition) bool
	}{
		"nothing":  {Variant{}, 0, func(*Definition) bool { return true }},
		"one shot": {Variant{OneShot: true}, 1, func(d *Definition) bool { return d.Values.Get("units", d.Name, "one_shot").Scalar == true }},
		"timeout":  {Variant{Timeout: "1h30m"}, 1, func(d *Definition) bool { return d.Values.Get(spec("timeout")...).Text == "1h30m" }},
		"no nodes": {Variant{Tolerate: "0"}, 0, func(*Definition) bool { return true }},
		"a node": {Variant{Tolerate: "1"}, 2, func(d *Definition) bool {
			return strings.Count(current(d), ">= status.desiredNumberScheduled - 1") == 2
		}},
		"a percentage": {Variant{Tolerate: "10%"}, 2, func(d *Definition) bool {
			return strings.Count(current(d), ">= status.desiredNumberScheduled - status.desiredNumberScheduled * 10 / 100") == 2
		}},
		"a repository": {Variant{Repositories: map[string]string{"frr": "mirror.example/frr", "frr-k8s": "quay.io/metallb/frr-k8s"}}, 1, func(d *Definition) bool {
			return d.Images[1].Image == "mirror.example/frr" && d.Values.Get(spec("images")...).Items[1].Get("name").Text == "mirror.example/frr"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := load(t)
			got, err := d.With(test.variant)
			if err != nil {
				t.Fatal(err)
			}
			if !test.holds(got) {
				t.Errorf("the choice is not in the values:\n%s", got.Source)
			}
			old := map[string]bool{}
			for line := range strings.Lines(string(d.Source)) {
				old[line] = true
			}
			added := 0
			for line := range strings.Lines(string(got.Source)) {
				if !old[line] {
					added++
				}
			}
			if added != test.lines {
				t.Errorf("%d lines are new, want %d:\n%s", added, test.lines, got.Source)
			}
			again, err := d.With(VariantOf(got.Values.Get("units", d.Name)))
			if err != nil || test.variant.Repositories == nil && string(again.Source) != string(got.Source) {
				t.Errorf("the choices read out of it give another text: %v\n%s", err, again.Source)
			}
			if d.Images[1].Image != "quay.io/frrouting/frr" {
				t.Error("the first definition was changed")
			}
		})
	}
}

func TestWithRefuses(t *testing.T) {
	for want, variant := range map[string]Variant{
		`timeout "10"`:           {Timeout: "10"},
		`timeout "20s"`:          {Timeout: "20s"},
		`timeout "-10m"`:         {Timeout: "-10m"},
		`timeout "1e3s"`:         {Timeout: "1e3s"},
		`tolerated nodes "-1"`:   {Tolerate: "-1"},
		`tolerated nodes "100%"`: {Tolerate: "100%"},
		`tolerated nodes "a"`:    {Tolerate: "a"},
		`tolerated nodes "1.5"`:  {Tolerate: "1.5"},
	} {
		if _, err := load(t).With(variant); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %s", variant, err, want)
		}
	}
}
