package gotpl

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
)

// Template is one parsed template text. It can be run by several goroutines at once.
type Template struct {
	Reads [][]string // the paths below .Values that it reads, by its parse tree
	text  string
	run   *template.Template
	lost  error // why it cannot be run at all
}

var definitions = regexp.MustCompile(`\{\{-?\s*(define|block)\s`)

// Library parses templates once. It can be used by several goroutines at once.
type Library struct {
	base   *template.Template
	parsed sync.Map // text -> *Template
	count  atomic.Int64
}

// Include runs a named template.
type Include func(name string, data any) (string, error)

// NewLibrary makes a library of templates with the functions of Helm. pure runs the named templates that are called without a
// context; those called with one are their Env's.
func NewLibrary(pure Include) *Library {
	base := template.New("base").Option("missingkey=zero").Funcs(functions(pure))
	return &Library{base: base}
}

// Parse returns the template of text. A text that cannot be parsed gives a template whose every run fails.
func (l *Library) Parse(text string) *Template {
	if t, ok := l.parsed.Load(text); ok {
		return t.(*Template)
	}
	t, _ := l.parsed.LoadOrStore(text, l.parse(text))
	return t.(*Template)
}

func (l *Library) parse(text string) *Template {
	if definitions.MatchString(text) {
		return &Template{lost: &Unknown{Why: "the template defines named templates"}}
	}
	name := "values" + strconv.FormatInt(l.count.Add(1), 10) // its own: the templates of a base share their names
	run, err := l.base.New(name).Parse(text)
	if err != nil {
		return &Template{lost: parseError(err)}
	}
	t := &Template{run: run, Reads: reads(run.Root), text: text}
	if err := guard(run.Root); err != nil {
		t.lost = err
	}
	return t
}

// parseError tells a function that only a newer Helm may have from text that no Helm takes.
func parseError(err error) error {
	if m := regexp.MustCompile(`function "(\w+)" not defined`).FindStringSubmatch(err.Error()); m != nil {
		return unknownf("the function %s is not known here", m[1])
	}
	return &Failure{Why: cleanMessage(err)}
}

// Run executes the template. context holds what stands beside .Values (Release, Chart).
// The error is *Unknown or *Failure.
func (t *Template) Run(env Env, context map[string]any) (string, error) {
	if t.lost != nil {
		return "", t.lost
	}
	root := make(map[string]any, len(context)+2)
	for key, value := range context {
		root[key] = value
	}
	values, holes := sparse(t.Reads, env)
	root["Values"] = values
	root[envKey] = &run{Env: env}
	var out limited
	err := t.run.Execute(&out, root)
	if err == nil {
		return strings.ReplaceAll(out.String(), "<no value>", ""), nil // as Helm's tpl
	}
	var unknown *Unknown
	var failure *Failure
	switch {
	case errors.As(err, &unknown):
		return "", unknown
	case errors.As(err, &failure):
		return "", failure
	case holes != "":
		return "", unknownf("%s", holes) // the failure may be the hole's
	case t.holeBeside(context) != "":
		return "", unknownf("%s", t.holeBeside(context))
	}
	return "", &Failure{Why: cleanMessage(err)}
}

// holeBeside names a hole beside .Values that the template mentions.
func (t *Template) holeBeside(context map[string]any) string {
	for _, key := range sortedKeys(context) {
		if hole, ok := context[key].(Hole); ok && strings.Contains(t.text, "."+key) {
			return hole.Why
		}
		if fields, ok := context[key].(map[string]any); ok && touched(fields, deep) != nil && strings.Contains(t.text, "."+key) {
			return touched(fields, deep).Error()
		}
	}
	return ""
}

// cleanMessage takes the template's made-up name, its source and quoted values, which may be secret, out of text/template's message.
func cleanMessage(err error) string {
	text := regexp.MustCompile(`template: [^:]*:(\d+:)?(\d+:)? `).ReplaceAllString(err.Error(), "")
	text = regexp.MustCompile(`executing "[^"]*" at <.*>: `).ReplaceAllString(text, "")
	return regexp.MustCompile(`"(\\.|[^"\\])*"`).ReplaceAllString(text, `"..."`)
}

// sparse builds a .Values that holds the paths read and nothing else, and names one hole in it.
func sparse(paths [][]string, env Env) (map[string]any, string) {
	values, why := map[string]any{}, ""
	for _, path := range paths {
		value, ok := env.Read(path)
		if !ok {
			parent, n := deepest(path, env)
			path, value = path[:n], parent
		}
		if hole := touched(value, deep); hole != nil && why == "" {
			why = hole.Error()
		}
		place(values, path, value)
	}
	return values, why
}

// deepest finds the longest prefix of path that exists; a map there is handed on empty, for it lacks the key that is asked for.
func deepest(path []string, env Env) (any, int) {
	for n := len(path) - 1; n > 0; n-- {
		value, ok := env.Read(path[:n])
		if !ok {
			continue
		}
		if _, isMap := value.(map[string]any); isMap {
			value = map[string]any{}
		}
		return value, n
	}
	return map[string]any{}, 0
}

// place puts value at path. What is there already and holds more stays.
func place(values map[string]any, path []string, value any) {
	for len(path) > 1 {
		next, ok := values[path[0]].(map[string]any)
		if !ok {
			if _, taken := values[path[0]]; taken {
				return
			}
			next = map[string]any{}
			values[path[0]] = next
		}
		values, path = next, path[1:]
	}
	if len(path) == 0 { // .Values itself
		fresh, _ := value.(map[string]any)
		for key, field := range fresh {
			place(values, []string{key}, field)
		}
		return
	}
	fresh, isMap := value.(map[string]any)
	there, wasMap := values[path[0]].(map[string]any)
	if !isMap || !wasMap {
		values[path[0]] = value
		return
	}
	for key, field := range fresh {
		place(there, []string{key}, field)
	}
}

// IsTemplate reports whether Sylva's chart would run text as a template (templates/_interpret-values.tpl, interpret-inner-gotpl).
func IsTemplate(text string) bool {
	open := strings.Index(text, "{{")
	return open >= 0 && len(text) > open+4 && strings.Contains(text[open+3:], "}}")
}

// Place sets a value below .Values in the data of a running template, which data is or leads.
func Place(data any, path []string, value any) {
	if list, ok := data.([]any); ok && len(list) > 0 {
		data = list[0]
	}
	context, _ := data.(map[string]any)
	values, ok := context["Values"].(map[string]any)
	for ; ok && len(path) > 1; path = path[1:] {
		next, isMap := values[path[0]].(map[string]any)
		if !isMap {
			next = map[string]any{}
			values[path[0]] = next
		}
		values = next
	}
	if ok {
		values[path[0]] = value
	}
}
