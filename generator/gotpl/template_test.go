package gotpl_test

import (
	"errors"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
)

// fixed is an Env over plain data.
type fixed struct{ data map[string]any }

func (f fixed) Read(path []string) (any, bool) {
	var value any = f.data
	for _, key := range path {
		m, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		if value, ok = m[key]; !ok {
			return nil, false
		}
	}
	return value, true
}
func (f fixed) Include(string, any) (string, error) { return "", errors.New("none") }
func (f fixed) Tpl(string) (string, error)          { return "", errors.New("none") }
func (f fixed) Turns() *int                         { return new(int) }

func pure(name string, data any) (string, error) {
	if name == "json" {
		return gotpl.JSON(data)
	}
	return "", &gotpl.Unknown{Why: name + " is not known"}
}

func data() map[string]any {
	return map[string]any{
		"a":     map[string]any{"b": map[string]any{"c": "deep"}, "n": nil, "hole": gotpl.Hole{Why: "a.hole is encrypted"}},
		"list":  []any{"x", "y"},
		"holes": []any{gotpl.Hole{Why: "an item is encrypted"}},
		"n":     3.0, "t": true, "f": false, "s": "text", "null": nil,
		"hole": gotpl.Hole{Why: "hole is encrypted"},
	}
}

// TestAsTextTemplate compares runs on known data with text/template and sprig alone, all values at hand.
func TestAsTextTemplate(t *testing.T) {
	functions := sprig.TxtFuncMap()
	functions["toJson"] = func(v any) string { s, _ := gotpl.JSON(v); return s }
	lib := gotpl.NewLibrary(pure)
	for _, text := range []string{
		`plain`, `{{ .Values.a.b.c }}`, `{{ .Values.a.absent }}`, `{{ .Values.absent.too }}`, `{{ ((.Values.absent).too).far | empty }}`,
		`{{ (((.Values.a).b).c) | upper }}`, `{{ .Values.a.n }}`, `{{ (.Values.null).x }}`, `{{ .Values.a.b.c.d }}`,
		`{{ if .Values.t }}yes{{ else }}no{{ end }}`, `{{ if and .Values.t .Values.f }}x{{ else if or .Values.f .Values.s }}y{{ end }}`,
		`{{ and .Values.f (fail "not reached") }}`, `{{ or .Values.s (fail "not reached") }}`, `{{ not .Values.null }}`,
		`{{ range $i, $x := .Values.list }}{{ $i }}={{ $x }};{{ end }}`, `{{ range .Values.absent }}x{{ else }}none{{ end }}`,
		`{{ range $k, $v := .Values.a.b }}{{ $k }}{{ $v }}{{ break }}{{ end }}`, `{{ with .Values.a.b }}{{ .c }}{{ end }}`,
		`{{ $v := .Values }}{{ $v.a.b.c }}`, `{{ $e := . }}{{ $e.Values.a.b.c }}{{ $.Values.s }}`, `{{ $d := dict "e" . }}{{ $d.e.Values.s }}`,
		`{{ .Values.a | dig "b" "c" "none" }}`, `{{ dig "b" "x" "none" .Values.a }}`, `{{ .Values.a | dig "n" "x" "none" }}`, `{{ dig "x" .Values.s .Values.a }}`,
		`{{ hasKey .Values.a "b" }}{{ hasKey .Values.a "x" }}{{ hasKey .Values.a.b "c" }}`, `{{ get .Values.a.b "c" }}`, `{{ index .Values.a "b" "c" }}`, `{{ index .Values.list 1 }}`,
		`{{ index .Values "a" "b" "c" }}`, `{{ len .Values.list }}{{ has "x" .Values.list }}`, `{{ .Values.list | first }}`, `{{ .Values.n | int | add 1 }}`,
		`{{ eq .Values.n 3.0 }}`, `{{ eq .Values.n 3 }}`, `{{ .Values.s | eq "text" | ternary "a" "b" }}`, `{{ default "x" .Values.null }}`,
		`{{ printf "%s-%v" .Values.s .Values.n }}`, `{{ print .Values.list }}`, `{{ .Values.list | toJson }}`, `{{ kindOf .Values.a.b }}`,
		`{{ .Values.a.b | keys | join "," }}`, `{{ (dict "x" .Values.s).x }}`, `{{ omit .Values.a.b "c" | toJson }}`, `{{ merge (dict "z" 1) .Values.a.b | toJson }}`,
		`{{- $m := .Values.a.b -}}{{- $_ := set $m "new" 1 -}}{{ $m | toJson }}`, `{{ fail "stop" }}`, `{{ .Values.s.x }}`, `{{ atoi "12" | printf "%03d" }}`,
		`{{ list 1 2 | last }}{{ tuple "a" | first }}`, `{{/* comment */}}{{ "literal" }}`, `{{ 1 }}{{ 0x1f }}{{ 1.5 }}{{ true }}`, `{{ nil }}`, `{{ .Values.n | trunc 2 }}`,
	} {
		t.Run(text, func(t *testing.T) {
			want, wantErr := reference(text, functions)
			got, err := lib.Parse(text).Run(fixed{data()}, nil)
			if (err != nil) != (wantErr != nil) || (err == nil && got != want) {
				t.Errorf("got %q, %v; text/template says %q, %v", got, err, want, wantErr)
			}
		})
	}
}

func reference(text string, functions template.FuncMap) (string, error) {
	tpl, err := template.New("x").Option("missingkey=zero").Funcs(functions).Parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = tpl.Execute(&out, map[string]any{"Values": data()})
	return strings.ReplaceAll(out.String(), "<no value>", ""), err
}

// TestUnknown: whatever touches a hole, the cluster, the clock or randomness is unknown; what does not is decided.
func TestUnknown(t *testing.T) {
	lib := gotpl.NewLibrary(pure)
	unknown := map[string]string{
		`{{ .Values.hole }}`:                                                 "hole is encrypted",
		`a{{ .Values.a.hole }}b`:                                             "a.hole is encrypted",
		`{{ if .Values.hole }}x{{ end }}`:                                    "hole is encrypted",
		`{{ with .Values.hole }}x{{ end }}`:                                  "hole is encrypted",
		`{{ range .Values.hole }}x{{ end }}`:                                 "hole is encrypted",
		`{{ range .Values.holes }}{{ . }}{{ end }}`:                          "an item is encrypted",
		`{{ range .Values.holes }}{{ if . }}x{{ end }}{{ end }}`:             "an item is encrypted",
		`{{ not .Values.hole }}`:                                             "hole is encrypted",
		`{{ and .Values.t .Values.hole }}`:                                   "hole is encrypted",
		`{{ or .Values.f .Values.hole "x" }}`:                                "hole is encrypted",
		`{{ if and .Values.t .Values.hole }}{{ end }}`:                       "hole is encrypted",
		`{{ if .Values.f | or .Values.hole }}{{ end }}`:                      "hole is encrypted",
		`{{ eq .Values.hole "x" }}`:                                          "hole is encrypted",
		`{{ eq "x" (.Values.a.hole) }}`:                                      "a.hole is encrypted",
		`{{ len .Values.hole }}`:                                             "hole is encrypted",
		`{{ printf "%v" .Values.a }}`:                                        "a.hole is encrypted",
		`{{ .Values.a }}`:                                                    "a.hole is encrypted",
		`{{ .Values.a | toYaml }}`:                                           "a.hole is encrypted",
		`{{ .Values.hole | upper }}`:                                         "hole is encrypted",
		`{{ .Values.hole | default "x" }}`:                                   "hole is encrypted",
		`{{ empty .Values.hole }}`:                                           "hole is encrypted",
		`{{ ternary 1 2 .Values.hole }}`:                                     "hole is encrypted",
		`{{ kindOf .Values.hole }}`:                                          "hole is encrypted",
		`{{ .Values.hole.deeper }}`:                                          "hole is encrypted",
		`{{ $x := .Values.hole }}{{ $x }}`:                                   "hole is encrypted",
		`{{ (get .Values.a "hole") }}`:                                       "a.hole is encrypted",
		`{{ .Values.a | dig "hole" "d" }}`:                                   "a.hole is encrypted",
		`{{ .Values.a | dig "hole" "deeper" "d" }}`:                          "a.hole is encrypted",
		`{{ index .Values.a "hole" }}`:                                       "a.hole is encrypted",
		`{{ (dict "x" .Values.hole).x }}`:                                    "hole is encrypted",
		`{{ list .Values.hole | first }}`:                                    "hole is encrypted",
		`{{ .Values.a | toJson | upper }}`:                                   "a value that is not known here",
		`{{ (.Values.a | toJson | fromJson).hole }}`:                         "a.hole is encrypted",
		`{{ if .Values.a | toJson }}x{{ end }}`:                              "a value that is not known here",
		`{{ lookup "v1" "Secret" "ns" "name" }}`:                             "lookup asks the cluster",
		`{{ now | unixEpoch }}`:                                              "now asks the clock",
		`{{ randAlphaNum 5 }}`:                                               "randAlphaNum asks for randomness",
		`{{ include "other" 1 }}`:                                            "other is not known",
		`{{ . | toYaml }}`:                                                   "whole context",
		`{{ . }}`:                                                            "whole context",
		`{{ $ | keys }}`:                                                     "whole context",
		`{{ (get . "Values").s }}`:                                           "whole context",
		`{{ index . "Values" "s" }}`:                                         "whole context",
		`{{ range . }}{{ end }}`:                                             "whole context",
		`{{ range $k, $v := . }}{{ end }}`:                                   "whole context",
		`{{ dict "e" . | toJson }}`:                                          "whole context",
		`{{ notAFunction }}`:                                                 "the function notAFunction is not known here",
		`{{ template "x" . }}`:                                               "{{template}}",
		`{{ define "x" }}y{{ end }}`:                                         "defines named templates",
		`{{ without .Values.holes "x" }}`:                                    "an item is encrypted",
		`{{ join "," .Values.holes }}`:                                       "an item is encrypted",
		`{{ mergeOverwrite (dict "a" 1) .Values.a | toJson | printf "%s" }}`: "a.hole is encrypted",
	}
	for text, want := range unknown {
		got, err := lib.Parse(text).Run(fixed{data()}, map[string]any{})
		if err == nil {
			err = gotpl.Output(got)
		}
		var u *gotpl.Unknown
		if !errors.As(err, &u) || !strings.Contains(u.Why, want) {
			t.Errorf("%s: got %q, %v; want unknown: %s", text, got, err, want)
		}
	}
	decided := map[string]string{
		`{{ and .Values.f .Values.hole }}`:                                "false",
		`{{ or .Values.s .Values.hole }}`:                                 "text",
		`{{ if .Values.f }}{{ .Values.hole }}{{ end }}ok`:                 "ok",
		`{{ $x := .Values.hole }}ok`:                                      "ok",
		`{{ .Values.a.b.c }}`:                                             "deep",
		`{{ hasKey .Values.a "hole" }}`:                                   "true",
		`{{ .Values.a | keys | sortAlpha | join "," }}`:                   "b,hole,n",
		`{{ (.Values.a | toJson | fromJson).b.c }}`:                       "deep",
		`{{ len .Values.holes }}`:                                         "1",
		`{{ kindOf .Values.a }}{{ empty .Values.a }}`:                     "mapfalse",
		`{{ range $k, $v := .Values.a }}{{ $k }};{{ end }}`:               "b;hole;n;",
		`{{ (pick .Values.a "b").b.c }}`:                                  "deep",
		`{{ $m := dict }}{{ $_ := set $m "h" .Values.hole }}{{ len $m }}`: "1",
		`{{ tuple . "x" | len }}`:                                         "2",
	}
	for text, want := range decided {
		if got, err := lib.Parse(text).Run(fixed{data()}, map[string]any{}); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestReads(t *testing.T) {
	for text, want := range map[string][][]string{
		`{{ .Values.a.b }}{{ .Values.a.b }}`:                                 {{"a", "b"}},
		`{{ ((.Values.a).b).c }}`:                                            {{"a", "b", "c"}},
		`{{ $e := . }}{{ $e.Values.a }}{{ $.Values.b }}`:                     {{"a"}, {"b"}},
		`{{ .Values.a | dig "b" "c" .Values.d }}`:                            {{"a", "b", "c"}, {"d"}},
		`{{ .Values.a | dig .Values.k "c" "d" }}`:                            {{"a"}, {"k"}},
		`{{ dig "b" .Values.k "none" .Values.a }}`:                           {{"a", "b"}, {"k"}},
		`{{ hasKey .Values.a "b" }}{{ index .Values.l 0 }}`:                  {{"a", "b"}, {"l"}},
		`{{ range .Values.list }}{{ .x }}{{ else }}{{ .Values.e }}{{ end }}`: {{"list"}, {"e"}},
		`{{ if eq .Values.a "x" | and .Values.b }}{{ end }}`:                 {{"a"}, {"b"}},
		`{{ .Release.Name }}{{ .x.y }}`:                                      nil,
	} {
		if diff := cmp.Diff(want, gotpl.NewLibrary(pure).Parse(text).Reads); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// FuzzRun: no template makes the library panic, and none that succeeds prints a hole.
func FuzzRun(f *testing.F) {
	for _, seed := range []string{`{{ .Values.hole | toJson }}`, `{{ range $k, $v := .Values.a }}{{ $v }}{{ end }}`, `{{ tuple . 1 | toJson }}`, `{{ dig "a" "b" .Values.a }}`, `{{ with $x := .Values.holes }}{{ index $x 0 | printf "%v" }}{{ end }}`} {
		f.Add(seed)
	}
	lib := gotpl.NewLibrary(pure)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "until") || strings.Contains(text, "repeat") || strings.Contains(text, "seq") || strings.Contains(text, "indent") || len(text) > 300 {
			t.Skip("may ask for a lot of output")
		}
		out, err := lib.Parse(text).Run(fixed{data()}, map[string]any{})
		if err == nil && gotpl.Output(out) == nil && strings.Contains(out, "encrypted") && !strings.Contains(text, "encrypted") {
			t.Errorf("%s printed a hole: %s", text, out)
		}
	})
}

// TestLimits: a hostile template ends soon, and says why.
func TestLimits(t *testing.T) {
	lib := gotpl.NewLibrary(pure)
	for text, want := range map[string]string{
		`{{ until 2000000000 | len }}`:                                              "until makes over",
		`{{ range until 900000 }}{{ range until 900000 }}{{ end }}{{ end }}`:        "over 1000000 turns",
		`{{ repeat 2000000000 "x" }}`:                                               "repeat makes over",
		`{{ range until 100 }}{{ repeat 1000000 "x" }}{{ end }}`:                    "prints over 2097152 bytes",
		`{{ $x := "xxxx" }}{{ range until 900 }}{{ $x = print $x $x }}{{ end }}`:    "text of over 2097152 bytes",
		`{{ $x := list 1 2 }}{{ range until 900 }}{{ $x = concat $x $x }}{{ end }}`: "a list of over 1000000 items",
		`{{ seq 1 1 2000000000 }}`:                                                  "seq makes over",
	} {
		_, err := lib.Parse(text).Run(fixed{data()}, nil)
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// shared is an Env whose runs count together.
type shared struct {
	fixed
	turns int
}

func (s *shared) Turns() *int { return &s.turns }

// TestTurns: many hostile templates end as soon as one.
func TestTurns(t *testing.T) {
	lib := gotpl.NewLibrary(pure)
	env := &shared{fixed: fixed{data()}}
	for i := range 4 {
		_, err := lib.Parse(`{{ range until 900000 }}{{ end }}`).Run(env, nil)
		if last := i == 3; last != (err != nil) || last && !strings.Contains(err.Error(), "the templates of these values take over 3000000 turns") {
			t.Errorf("run %d: %v", i, err)
		}
	}
}
