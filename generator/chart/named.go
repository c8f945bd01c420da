package chart

import (
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/semver/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// What the chart's named templates say to interpret-inner-gotpl (templates/_interpret-values.tpl).
const (
	resultKey  = "encapsulated-result"                  // preserve-type: a typed value
	skipResult = "skip-as-set-only-if-result-was-false" // set-only-if: leave the key or item out
)

// pure runs the named templates that are called without the context.
func pure(name string, data any) (string, error) {
	switch name {
	case "preserve-type":
		return typedResult(data)
	case "set-if-defined":
		if data == nil {
			return skipResult, nil
		}
		return typedResult(data)
	case "set-only-if":
		return setOnlyIf(data)
	case "as-bool":
		b, err := castBool(data)
		if err != nil {
			return "", err
		}
		return typedResult(b)
	case "merge-append":
		list, _ := data.([]any)
		return "", mergeAppendInto(list)
	case "k8s-version-match":
		return k8sVersionMatch(data)
	}
	return "", &gotpl.Unknown{Why: fmt.Sprintf("the named template %q is not known here", name)}
}

func typedResult(value any) (string, error) { return gotpl.JSON(map[string]any{resultKey: value}) }

func setOnlyIf(data any) (string, error) {
	pair, ok := data.([]any)
	if !ok || len(pair) < 2 {
		return "", &gotpl.Failure{Why: "set-only-if takes a tuple of a value and a condition"}
	}
	if h, ok := pair[1].(gotpl.Hole); ok {
		return "", &gotpl.Unknown{Why: h.Why}
	}
	if truth, _ := template.IsTrue(pair[1]); !truth {
		return skipResult, nil
	}
	return typedResult(pair[0])
}

// castBool is as-bool-internal: booleans, and the strings that Go templates make of them.
func castBool(value any) (bool, error) {
	switch v := value.(type) {
	case gotpl.Hole:
		return false, &gotpl.Unknown{Why: v.Why}
	case bool:
		return v, nil
	case string:
		switch v {
		case "true":
			return true, nil
		case "false", "":
			return false, nil
		}
		return false, &gotpl.Failure{Why: "the chart takes true, false or nothing as a boolean, not this text"}
	}
	return false, &gotpl.Failure{Why: fmt.Sprintf("the chart takes a boolean or a string here, not %s", values.FromGo(value, values.Position{}, unhole(values.Position{})).Kind)}
}

// k8sVersionMatch is sylva-library's named template: semverCompare without the prerelease.
func k8sVersionMatch(data any) (string, error) {
	pair, _ := data.([]any)
	if len(pair) != 2 {
		return "", &gotpl.Failure{Why: "k8s-version-match takes a constraint and a version"}
	}
	for _, each := range pair {
		if h, ok := each.(gotpl.Hole); ok {
			return "", &gotpl.Unknown{Why: h.Why}
		}
	}
	constraint, err := semver.NewConstraint(fmt.Sprint(pair[0]))
	if err != nil {
		return "", &gotpl.Failure{Why: fmt.Sprintf("%v is no version constraint", pair[0])}
	}
	version, err := semver.NewVersion(regexp.MustCompile(`-[^+]*`).ReplaceAllString(fmt.Sprint(pair[1]), ""))
	if err != nil {
		return "", &gotpl.Failure{Why: fmt.Sprintf("%v is no Kubernetes version", pair[1])}
	}
	return trueOrNothing(constraint.Check(version)), nil
}

// trueOrNothing is how named templates return a boolean.
func trueOrNothing(b bool) string {
	if b {
		return "true"
	}
	return ""
}

// Include is gotpl.Env's: the named templates that are called with the context first, as in tuple . "unit" | include "unit-enabled".
func (r reader) Include(name string, data any) (string, error) {
	args, _ := data.([]any)
	if len(args) > 0 {
		args = args[1:]
	}
	switch {
	case name == "merge-append" || name == "preserve-type" || name == "set-only-if" || name == "as-bool":
		return pure(name, data)
	case len(args) == 0:
		return "", &gotpl.Unknown{Why: fmt.Sprintf("the named template %q is not known here", name)}
	}
	switch name {
	case "unit-enabled":
		return r.includeEnabled(args[0])
	case "interpret":
		return r.includeInterpret(data, args)
	case "interpret-inner-gotpl":
		return gotpl.JSON(map[string]any{"result": r.plain(args[0])})
	case "interpret-as-string":
		return r.includeString(args[0])
	case "interpret-as-bool":
		b, err := r.asBool(r.node(args[0]), r.phase)
		if err != nil {
			return "", err
		}
		return typedResult(b)
	case "interpret-for-test":
		b, err := r.asBool(r.node(args[0]), r.phase)
		return trueOrNothing(b), err
	case "interpret-ternary":
		return r.includeTernary(args)
	case "kustomization-name":
		if unit, ok := args[0].(string); ok && len(args) == 1 {
			return stringOf(r.KustomizationName(unit))
		}
	}
	return "", &gotpl.Unknown{Why: fmt.Sprintf("the named template %q is not known here", name)}
}

// Tpl is gotpl.Env's: template text run in the same phase.
func (r reader) Tpl(text string) (string, error) {
	return r.lib.Parse(text).Run(r, r.context)
}

func (r reader) node(value any) *values.Node {
	return values.FromGo(value, values.Position{}, unhole(values.Position{}))
}

// plain is interpret-inner-gotpl on plain data.
func (r reader) plain(value any) any { return r.interpret(r.node(value), r.phase).Go(hole) }

func (r reader) includeEnabled(unit any) (string, error) {
	name, err := r.includeString(unit)
	if err != nil {
		return "", err
	}
	verdict := r.enabled(name, r.phase)
	return trueOrNothing(verdict.On), verdict.Err
}

// includeString is interpret-as-string.
func (r reader) includeString(value any) (string, error) {
	if _, ok := value.(string); !ok {
		if h, ok := value.(gotpl.Hole); ok {
			return "", &gotpl.Unknown{Why: h.Why}
		}
		return "", &gotpl.Failure{Why: fmt.Sprintf("interpret-as-string called on something which is not a string (%T)", value)}
	}
	return stringOf(r.interpret(r.node(value), r.phase))
}

func stringOf(n *values.Node) (string, error) {
	switch {
	case n == nil:
		return "", &gotpl.Failure{Why: "nothing where a string is due"}
	case n.Kind == values.Unknown:
		return "", lost(n)
	case n.Kind != values.String:
		return "", &gotpl.Failure{Why: fmt.Sprintf("%s where a string is due", n.Kind)}
	}
	return n.Scalar.(string), nil
}

// lost is the error of a value that is not known.
func lost(n *values.Node) error {
	if n.Fails {
		return &gotpl.Failure{Why: n.Why}
	}
	return &gotpl.Unknown{Why: n.Why}
}

func (r reader) includeTernary(args []any) (string, error) {
	if len(args) < 3 {
		return "", &gotpl.Failure{Why: "interpret-ternary takes a condition and two values"}
	}
	b, err := r.asBool(r.node(args[0]), r.phase)
	if err != nil {
		return "", err
	}
	picked := args[2]
	if b {
		picked = args[1]
	}
	if _, ok := picked.(gotpl.Hole); ok {
		return "", lost(r.node(picked))
	}
	if picked == nil {
		return "", nil
	}
	return fmt.Sprint(picked), nil
}

// includeInterpret is interpret: the value at a path is interpreted in place, in the data of the running template.
func (r reader) includeInterpret(data any, args []any) (string, error) {
	path, ok := args[0].(string)
	if !ok {
		return "", &gotpl.Failure{Why: "interpret takes a path"}
	}
	keys := strings.Split(path, ".")
	found := r.see(keys)
	if found == nil {
		return "", &gotpl.Failure{Why: fmt.Sprintf("'interpret' called on key '%s' not found in .Values", path)}
	}
	gotpl.Place(data, keys, r.interpret(found, r.phase).Go(hole))
	return "", nil
}
