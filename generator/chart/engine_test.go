package chart_test

import (
	"fmt"
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func on(t testing.TB, doc string) *chart.Engine {
	t.Helper()
	n := load(t, "v.yaml", []byte(doc), nil)
	return chart.New(n, chart.NewLibrary(), chart.Release{Name: "sylva-units", Namespace: "ns1", Revision: 7}, chart.Assumptions{})
}

func show(n *values.Node) string {
	if n == nil {
		return "absent"
	}
	return fmt.Sprint(n.Go(func(n *values.Node) any { return "unknown: " + n.Why + n.Partial }))
}

// TestInterpreted: what a value ends up as. Where the answer is known, it is what interpret-values-gotpl of the real chart printed.
func TestInterpreted(t *testing.T) {
	for name, test := range map[string]struct{ doc, path, want string }{
		"plain":                       {"a: {b: 1}", "a.b", "1"},
		"template":                    {"a: '{{ .Values.b }}'\nb: x", "a", "x"},
		"template of a template":      {"a: '{{ .Values.b }}'\nb: '{{ .Values.c }}'\nc: x", "a", "x"},
		"raw text is not resolved":    {"a: '{{ .Values.b | upper }}'\nb: 'x{{ .Values.c }}'\nc: x", "a", "unknown: nil"},
		"interpret first":             {"a: '{{ tuple . \"b\" | include \"interpret\" }}{{ .Values.b | upper }}'\nb: '{{ .Values.c }}'\nc: x", "a", "X"},
		"interpret of a map":          {"a: '{{ tuple . \"m\" | include \"interpret\" }}{{ .Values.m.k }}'\nm: {k: '{{ .Values.c }}'}\nc: x", "a", "x"},
		"interpret, absent key":       {"a: '{{ tuple . \"zz\" | include \"interpret\" }}'", "a", "unknown: 'interpret' called on key 'zz' not found in .Values (v.yaml:1:4)"},
		"interpret-as-string":         {"a: '{{ tuple . .Values.b | include \"interpret-as-string\" | upper }}'\nb: '{{ .Values.c }}'\nc: x", "a", "X"},
		"typed":                       {"a: '{{ list 1 2 | include \"preserve-type\" }}'", "a", "[1 2]"},
		"untyped":                     {"a: '{{ list 1 2 }}'", "a", "[1 2]"},
		"as-bool":                     {"a: '{{ eq 1 1 | include \"as-bool\" }}'", "a", "true"},
		"a typed map with a template": {"a: '{{ dict \"k\" .Values.b | include \"preserve-type\" }}'\nb: '{{ .Values.c }}'\nc: x", "a.k", "x"},
		"set-only-if, true":           {"a: ['{{ tuple \"x\" true | include \"set-only-if\" }}', z]", "a", "[x z]"},
		"set-only-if, false":          {"a: ['{{ tuple \"x\" false | include \"set-only-if\" }}', z]", "a", "[z]"},
		"set-only-if in a map":        {"a: {k: '{{ tuple 1 \"\" | include \"set-only-if\" }}'}", "a.k", "absent"},
		"set-if-defined":              {"a: {k: '{{ .Values.zz | include \"set-if-defined\" }}', l: '{{ .Values.b | include \"set-if-defined\" }}'}\nb: 1", "a", "map[l:1]"},
		"set-only-if unknown":         {"a: ['{{ tuple \"x\" (lookup \"a\" \"b\" \"c\" \"d\") | include \"set-only-if\" }}']", "a", "unknown: lookup asks the cluster (v.yaml:1:5)"},
		"templated key":               {"a: {'{{ .Values.b }}': 1}\nb: x", "a.x", "1"},
		"templated key unknown":       {"a: {'{{ lookup \"a\" \"b\" \"c\" \"d\" }}': 1, y: 2}", "a.x", "unknown: lookup asks the cluster (v.yaml:1:5)"},
		"raw":                         {"a: {(raw): 'x {{ y }}'}", "a", "x 《 y }}"},
		"ternary":                     {"a: '{{ tuple . .Values.b \"yes\" \"no\" | include \"interpret-ternary\" }}'\nb: '{{ eq 1 2 }}'", "a", "no"},
		"for-test":                    {"a: '{{ if tuple . .Values.b | include \"interpret-for-test\" }}yes{{ end }}'\nb: '{{ true }}'", "a", "yes"},
		"tpl":                         {"a: '{{ tpl \"{{ .Values.b }}\" . }}'\nb: x", "a", "x"},
		"release":                     {"a: '{{ .Release.Namespace }}-{{ .Release.Revision }}-{{ .Release.Name }}-{{ .Release.Service }}'", "a", "ns1-7-sylva-units-Helm"},
		"release upgrade":             {"a: '{{ .Release.IsUpgrade }}'", "a", "unknown: .Release.IsUpgrade is known to Helm alone (v.yaml:1:4)"},
		"chart":                       {"a: '{{ .Chart.Version }}'", "a", "unknown: .Chart is not among the values (v.yaml:1:4)"},
		"files":                       {"a: '{{ .Files.Get \"x\" }}'", "a", "unknown: .Files are not among the values (v.yaml:1:4)"},
		"k8s version":                 {"a: '{{ include \"k8s-version-match\" (tuple \">=1.30.0,<1.31.0\" .Values.v) }}'\nv: v1.30.9-rc.0+rke2r1", "a", "true"},
		"k8s version, no":             {"a: '{{ include \"k8s-version-match\" (tuple \">=1.31.0\" .Values.v) }}'\nv: v1.30.9", "a", ""},
		"unknown named template":      {"a: '{{ include \"find-cluster-image-selectors\" (tuple .) }}'", "a", "unknown: the named template \"find-cluster-image-selectors\" is not known here (v.yaml:1:4)"},
		"fails":                       {"a: '{{ fail \"no\" }}'", "a", "unknown: no (v.yaml:1:4)"},
		"refers to itself":            {"a: '{{ .Values.a }}'", "a", "unknown: a template that prints templates without end"},
		"merge-append":                {"a: '{{ $d := dict \"l\" (list 1) }}{{ tuple $d (dict \"l\" (list 2) \"k\" 3) | include \"merge-append\" }}{{ $d | include \"preserve-type\" }}'", "a", "map[k:3 l:[1 2]]"},
		"merge-append of null":        {"a: '{{ tuple dict .Values.zz | include \"merge-append\" }}'", "a", "unknown: 'merge-append' called with a source object which is not a map (<nil>) (v.yaml:1:4)"},
		"_internal first":             {"a: '{{ .Values._internal.b | upper }}'\n_internal: {b: '{{ .Values.c }}'}\nc: x", "a", "X"},
		"_internal reads itself raw":  {"a: '{{ .Values._internal.b }}'\n_internal: {b: '{{ .Values._internal.c | upper }}', c: '{{ .Values.d }}'}\nd: x", "a", "unknown"},
		"state before _internal":      {"a: '{{ .Values._internal.b }}'\n_internal: {b: '{{ .Values._internal.state.s | upper }}', state: {s: '{{ .Values.c }}'}}\nc: x", "a", "X"},
		"unit_templates are hidden":   {"a: '{{ .Values.unit_templates | toJson }}'\nunit_templates: {x: {}}", "a", "{}"},
		"dig into _internal":          {"a: '{{ .Values._internal | dig \"b\" \"c\" \"none\" }}'\n_internal: {b: {c: '{{ .Values.d }}'}, e: '{{ lookup \"a\" \"b\" \"c\" \"d\" }}'}\nd: x", "a", "x"},
		"through a template":          {"a: '{{ dict \"b\" (dict \"c\" \"x\") | include \"preserve-type\" }}'", "a.b.c", "x"},
		"through null":                {"a: null", "a.b", "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			got := show(on(t, test.doc).Interpreted(strings.Split(test.path, ".")...))
			if got != test.want && !(strings.HasPrefix(test.want, "unknown") && strings.HasPrefix(got, test.want)) {
				t.Errorf("%s: got %s, want %s", test.path, got, test.want)
			}
		})
	}
}

const header = "units_enabled_default: true\n_internal: {state: {is_upgrade: true}}\nunit_templates: {t: {depends_on: {b: true}}}\n"

func TestEnabled(t *testing.T) {
	for name, test := range map[string]struct{ doc, want string }{
		"by default":              {"units: {a: {info: {}}}", "true: units_enabled_default: true"},
		"enabled: no":             {"units: {a: {enabled: no}}", "false: enabled: false"},
		"enabled: template":       {"units: {a: {enabled: '{{ tuple . \"b\" | include \"unit-enabled\" }}'}, b: {enabled: false}}", "false: enabled: false"},
		"enabled by template":     {"units: {a: {enabled: '{{ .Values.x | eq \"z\" }}'}}\nx: z", "true: enabled: true"},
		"condition":               {"units: {a: {enabled_conditions: ['{{ true }}', '{{ false }}', '{{ fail \"not reached\" }}']}}", "false: enabled_conditions[1] is false"},
		"condition fails":         {"units: {a: {enabled_conditions: ['{{ fail \"no\" }}']}}", "error: no"},
		"condition unknown":       {"units: {a: {enabled_conditions: ['{{ lookup \"a\" \"b\" \"c\" \"d\" }}']}}", "error: lookup asks the cluster"},
		"off before unknown":      {"units: {a: {enabled: false, enabled_conditions: ['{{ lookup \"a\" \"b\" \"c\" \"d\" }}']}}", "false: enabled: false"},
		"no conditions":           {"units: {a: {enabled_conditions: []}}", "true"},
		"not a boolean":           {"units: {a: {enabled_conditions: ['{{ dict \"a\" 1 }}']}}", "error: the chart takes true, false or nothing as a boolean, not this text"},
		"null enabled":            {"units: {a: {enabled: null}}", "error: the chart takes a boolean or a string here, not null"},
		"override list":           {"units_override_enabled: [b]\nunits: {a: {enabled: true}, b: {enabled: true}}", "false: not in units_override_enabled"},
		"in the override list":    {"units_override_enabled: ['{{ .Values.x }}']\nx: a\nunits: {a: {enabled: false}}", "true: in units_override_enabled"},
		"override and condition":  {"units_override_enabled: [a]\nunits: {a: {enabled_conditions: ['{{ false }}']}}", "false: enabled_conditions[0] is false"},
		"unknown in the override": {"units_override_enabled: ['{{ lookup \"a\" \"b\" \"c\" \"d\" }}']\nunits: {a: {info: {}}}", "error: lookup asks the cluster"},
		"no such unit":            {"units: {b: {info: {}}}", "error: 'unit-enabled' called to test if a non-existing unit is enabled (a)"},
		"depends on itself":       {"units: {a: {enabled: '{{ tuple . \"a\" | include \"unit-enabled\" }}'}}", "error: the value refers to itself (v.yaml:4:22)"},
		"two in a circle":         {"units: {a: {enabled: '{{ tuple . \"b\" | include \"unit-enabled\" }}'}, b: {enabled: '{{ tuple . \"a\" | include \"unit-enabled\" }}'}}", "error"},
		"one_shot on an upgrade":  {"units: {a: {one_shot: true}}", "error: one_shot: whether unit a has run is in the cluster"},
		"one_shot, off anyway":    {"units: {a: {one_shot: true, enabled: false}}", "false: enabled: false"},
		"template for a unit":     {"units: {a: '{{ dict \"enabled\" false | include \"preserve-type\" }}'}", "false: enabled: false"},
		"in a template":           {"units: {a: {enabled_conditions: '{{ list \"true\" \"false\" | include \"preserve-type\" }}'}}", "false: enabled_conditions[1] is false"},
	} {
		t.Run(name, func(t *testing.T) {
			verdict := on(t, header+test.doc).Enabled("a")
			got := fmt.Sprintf("%v: %s", verdict.On, verdict.Why)
			if verdict.Err != nil {
				got = "error: " + verdict.Err.Error()
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestDependencies(t *testing.T) {
	const lookup = `'{{ lookup "a" "b" "c" "d" | empty }}'`
	for name, test := range map[string]struct{ doc, want string }{
		"none":                     {"units: {a: {info: {}}}", ""},
		"sorted, only true":        {"units: {a: {depends_on: {c: true, b: 'true', d: false, e: ''}}, b: {info: {}}, c: {info: {}}, d: {info: {}}, e: {info: {}}}", "b c"},
		"from a unit template":     {"units: {a: {unit_templates: [t], depends_on: {c: true}}, b: {info: {}}, c: {info: {}}}", "b c"},
		"the unit wins":            {"units: {a: {unit_templates: [t], depends_on: {b: false}}, b: {info: {}}}", ""},
		"template conditionally":   {"units: {a: {unit_templates: ['{{ tuple \"t\" false | include \"set-only-if\" }}'], depends_on: {c: true}}, b: {info: {}}, c: {info: {}}}", "c"},
		"kustomization name":       {"units: {a: {depends_on: {b: true}}, b: {kustomization_name: 'b-{{ .Release.Revision }}'}}", "b-7"},
		"templated key":            {"units: {a: {depends_on: {'{{ .Values.x }}': true}}, b: {info: {}}}\nx: b", "b"},
		"namespace":                {"units: {a: {depends_on: {ns/b: true}}}", "error: unit-def called on non-existing unit: ns/b"},
		"no such unit":             {"units: {a: {depends_on: {zz: true}}}", "error: unit-def called on non-existing unit: zz"},
		"unit that is off":         {"units: {a: {depends_on: {b: true}}, b: {enabled: false}}", "error: unit 'a' is declared with a dependency on disabled unit 'b' (v.yaml:4:26)"},
		"circle":                   {"units: {a: {depends_on: {b: true}}, b: {depends_on: {c: true}}, c: {depends_on: {b: true}}}", "error: unit b is involved in a circular dependency: a -> b -> c -> b"},
		"itself":                   {"units: {a: {depends_on: {a: true}}}", "error: unit a is involved in a circular dependency: a -> a"},
		"unknown entry":            {"units: {a: {depends_on: {b: " + lookup + ", c: true}}, b: {info: {}}, c: {info: {}}}", "b(lookup asks the cluster (v.yaml:4:29)) c"},
		"unknown key":              {"units: {a: {depends_on: {'{{ lookup \"a\" \"b\" \"c\" \"d\" }}': true, c: true}}, c: {info: {}}}", "c (its name is a template that cannot be evaluated)"},
		"unknown unit":             {"units: {a: {depends_on: {b: true}}, b: {enabled: " + lookup + "}}", "b(lookup asks the cluster (v.yaml:4:50))"},
		"no such template":         {"units: {a: {unit_templates: [zz], depends_on: {b: true}}, b: {info: {}}}", "error: unit a has 'zz' in unit_templates but no such template is declared (v.yaml:4:30)"},
		"depends_on as a template": {"units: {a: {depends_on: '{{ dict \"b\" true | include \"preserve-type\" }}'}, b: {info: {}}}", "b"},
		"defaults for all":         {"unit_definition_defaults: {depends_on: {root: '{{ ne .Values._unit_name_ \"root\" }}'}}\nunits: {a: {info: {}}, root: {info: {}}}", "root"},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := on(t, header+test.doc).Dependencies("a")
			var got []string
			for _, each := range list {
				text := each.Name
				if each.Namespace != "" {
					text = each.Namespace + "/" + text
				}
				if each.Unknown != "" {
					text += "(" + each.Unknown + ")"
				}
				got = append(got, text)
			}
			joined := strings.Join(got, " ")
			if err != nil {
				joined = "error: " + err.Error()
			}
			if joined != test.want && !(strings.HasPrefix(test.want, "error") && strings.HasPrefix(joined, test.want)) {
				t.Errorf("got %s, want %s", joined, test.want)
			}
		})
	}
}

// TestAssumptions: they stand in for what is not known, and for nothing else.
func TestAssumptions(t *testing.T) {
	doc := header + `units: {a: {enabled: '{{ lookup "a" "b" "c" "d" | empty }}'}, b: {enabled: false}}`
	assume := chart.Assumptions{Units: map[string]bool{"a": true, "b": true}}
	e := chart.New(load(t, "v.yaml", []byte(doc), nil), chart.NewLibrary(), chart.Release{}, assume)
	if verdict := e.Enabled("a"); !verdict.On || !verdict.Assumed || verdict.Err != nil {
		t.Errorf("a, which is not known: %+v", verdict)
	}
	if verdict := e.Enabled("b"); verdict.On || verdict.Assumed {
		t.Errorf("b, which is known: %+v", verdict)
	}
}
