package chart_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

const shared = "../../../shared"

type oracleCase struct {
	Name, Cluster, Namespace string
	Upgrade                  bool
	Layers                   []string
	Expect                   struct {
		Active, Metallb  bool
		MetallbDependsOn []string `json:"metallb_dependsOn"`
		PrepullSpec      *struct {
			DependsOn []struct{ Name string }
		} `json:"prepull_spec"`
		RenderError bool `json:"render_error"`
	}
}

func oracleCases(t testing.TB) []oracleCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared, "oracle/cases.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the oracle is not here:", err)
	}
	var cases []oracleCase
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) == 0 {
		t.Fatal("no oracle cases:", err)
	}
	return cases
}

func load(t testing.TB, name string, data []byte, err error) *values.Node {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	n, err := values.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// engine is the chart with the unit as its lowest layer and the case's layers above; parsed holds the layers of other cases.
func engine(t testing.TB, c oracleCase, parsed map[string]*values.Node) *chart.Engine {
	own, err := units.FS.ReadFile("metallb-image-prepull/values.yaml")
	defaults := load(t, "unit", own, err)
	if c.Cluster == "workload" {
		defaults = defaults.Set(&values.Node{Kind: values.Bool, Scalar: true}, "units", "metallb-image-prepull", "enabled")
	}
	user := values.Empty()
	for i, layer := range c.Layers {
		n := parsed[layer]
		if n == nil {
			data, err := os.ReadFile(filepath.Join(shared, layer))
			n = load(t, layer, data, err)
			parsed[layer] = n
		}
		if i == 0 {
			defaults = values.Merge(defaults, n)
		} else {
			user = values.Merge(user, n)
		}
	}
	return chart.New(values.Coalesce(defaults, user), chart.NewLibrary(), chart.Release{Name: "sylva-units", Namespace: c.Namespace, Revision: 1}, chart.Assumptions{})
}

// TestOracle compares decisions and dependsOn lists with what the real chart rendered.
func TestOracle(t *testing.T) {
	cases := oracleCases(t)
	decisions, lists, wantLists := 0, 0, 0
	parsed, lib := map[string]*values.Node{}, chart.NewLibrary()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if c.Expect.RenderError {
				decisions++
				t.Skip("the chart refuses these values: see the decision's tests")
			}
			e := engine(t, c, parsed)
			// upgrade or fresh is given, as --upgrade and --fresh give it
			e = chart.New(e.Values().Set(&values.Node{Kind: values.Bool, Scalar: c.Upgrade}, "_internal", "state", "is_upgrade"), lib, chart.Release{Name: "sylva-units", Namespace: c.Namespace, Revision: 1}, chart.Assumptions{})
			verdict := e.Enabled("metallb-image-prepull")
			if verdict.Err != nil || verdict.On != c.Expect.Active {
				t.Errorf("active: got %v (%s, %v), the chart says %v", verdict.On, verdict.Why, verdict.Err, c.Expect.Active)
			} else {
				decisions++
			}
			if metallb := e.Enabled("metallb"); metallb.Err != nil || metallb.On != c.Expect.Metallb {
				t.Errorf("metallb: got %v (%s, %v), the chart says %v", metallb.On, metallb.Why, metallb.Err, c.Expect.Metallb)
			}
			if c.Expect.Metallb {
				wantLists++
				if sameDependencies(t, e, "metallb", c.Expect.MetallbDependsOn) {
					lists++
				}
			}
			if spec := c.Expect.PrepullSpec; spec != nil {
				wantLists++
				var names []string
				for _, each := range spec.DependsOn {
					names = append(names, each.Name)
				}
				if sameDependencies(t, e, "metallb-image-prepull", names) {
					lists++
				}
			}
		})
	}
	t.Logf("decisions %d of %d, dependsOn lists %d of %d", decisions, len(cases), lists, wantLists)
}

func sameDependencies(t *testing.T, e *chart.Engine, unit string, want []string) bool {
	t.Helper()
	dependencies, err := e.Dependencies(unit)
	if err != nil {
		t.Errorf("%s: %v", unit, err)
		return false
	}
	var got []string
	for _, each := range dependencies {
		name := each.Name
		if each.Unknown != "" {
			name += " unknown: " + each.Unknown
		}
		got = append(got, name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s dependsOn (-chart +here):\n%s", unit, strings.TrimSpace(diff))
		return false
	}
	return true
}

func BenchmarkDecide(b *testing.B) {
	cases := oracleCases(b)
	var c oracleCase
	for _, c = range cases {
		if c.Expect.Active {
			break
		}
	}
	e := engine(b, c, map[string]*values.Node{})
	lib := chart.NewLibrary()
	b.ReportAllocs()
	for b.Loop() {
		e := chart.New(e.Values(), lib, chart.Release{Name: "sylva-units", Namespace: c.Namespace, Revision: 1}, chart.Assumptions{})
		if verdict := e.Enabled("metallb-image-prepull"); !verdict.On {
			b.Fatal(verdict)
		}
		if _, err := e.Dependencies("metallb"); err != nil {
			b.Fatal(err)
		}
	}
}
