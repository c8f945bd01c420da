package verify_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
)

// evaluate is an expression's value on a DaemonSet's status as Flux evaluates it (fluxcd/pkg runtime/cel NewExpression); ok is false where
// it has none.
func evaluate(t testing.TB, expression string, status map[string]any) (value, ok bool) {
	t.Helper()
	env, err := cel.NewEnv(cel.HomogeneousAggregateLiterals(), cel.CrossTypeNumericComparisons(true), cel.OptionalTypes(), ext.Strings())
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := env.Parse(expression)
	if issues.Err() != nil {
		return false, false
	}
	program, err := env.Program(ast)
	if err != nil {
		return false, false
	}
	result, _, err := program.Eval(map[string]any{"status": status, "metadata": map[string]any{"generation": 1}})
	if err != nil {
		return false, false
	}
	boolean, ok := result.(types.Bool)
	return bool(boolean), ok
}

// current reports whether Flux takes the DaemonSet for healthy: inProgress is not true, and current is.
func current(t testing.TB, inProgress, currentExpr string, status map[string]any) bool {
	t.Helper()
	if inProgress != "" {
		if value, ok := evaluate(t, inProgress, status); value || !ok {
			return false // an expression that fails is no health either
		}
	}
	value, ok := evaluate(t, currentExpr, status)
	return value && ok
}

// status is that of an observed DaemonSet. The API server leaves out numberAvailable and updatedNumberScheduled where they are 0.
func status(desired, available int) map[string]any {
	s := map[string]any{"observedGeneration": 1, "desiredNumberScheduled": desired, "currentNumberScheduled": desired, "numberReady": available, "numberMisscheduled": 0}
	if available > 0 {
		s["numberAvailable"] = available
	}
	if desired > 0 {
		s["updatedNumberScheduled"] = desired
	}
	return s
}

// held reports whether zero-nodes has nothing to say of the expressions.
func held(t testing.TB, inProgress, currentExpr string) bool {
	t.Helper()
	const text = "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: metallb-image-prepull}, " +
		"spec: {wait: true, healthCheckExprs: [{apiVersion: apps/v1, kind: DaemonSet, inProgress: %s, current: %s}]}}"
	in := input(t, fmt.Sprintf(text, strconv.Quote(inProgress), strconv.Quote(currentExpr)), "")
	return len(run(t, in, only(t, "zero-nodes")).Findings) == 0
}

// TestExpressionsOfTheUnit: what the unit's own expressions say of a DaemonSet.
func TestExpressionsOfTheUnit(t *testing.T) {
	list := definition(t).Values.Get("units", "metallb-image-prepull", "kustomization_spec", "healthCheckExprs").List()
	if len(list) != 1 {
		t.Fatalf("%d healthCheckExprs", len(list))
	}
	inProgress, currentExpr := list[0].Get("inProgress").AsText(), list[0].Get("current").AsText()
	if !held(t, inProgress, currentExpr) {
		t.Error("zero-nodes finds something")
	}
	for _, test := range []struct {
		desired, available int
		want               bool
	}{{0, 0, false}, {3, 0, false}, {3, 2, false}, {3, 3, true}, {1, 1, true}} {
		if got := current(t, inProgress, currentExpr, status(test.desired, test.available)); got != test.want {
			t.Errorf("%d of %d pods: healthy is %v", test.available, test.desired, got)
		}
	}
}

// TestRecognised: expressions that hold 0 desired pods, and others that do not.
func TestRecognised(t *testing.T) {
	const available = "has(status.numberAvailable) && status.numberAvailable >= status.desiredNumberScheduled"
	for _, test := range []struct {
		inProgress, current string
		want                bool
	}{
		{"status.desiredNumberScheduled == 0", "true", true},
		{"status.desiredNumberScheduled==0||status.observedGeneration!=metadata.generation", "true", true},
		{"!has(status.observedGeneration) || (status.desiredNumberScheduled < 1)", "true", true},
		{"(status.observedGeneration != metadata.generation || (0 == status.desiredNumberScheduled || false))", "true", true},
		{"\"||\" == 'x' || status.desiredNumberScheduled <= 0", "true", true},
		{"", "status.desiredNumberScheduled > 0 && " + available, true},
		{"false", available + " && (status.numberAvailable >= 1)", true},
		{"", "true", false},
		{"", available, false}, // it does hold them, as numberAvailable is left out; not recognised
		{"status.desiredNumberScheduled == 0 && false", "true", false},
		{"!(status.desiredNumberScheduled == 0)", "true", false},
		{"true ? false : status.desiredNumberScheduled == 0 || status.desiredNumberScheduled == 0", "true", false},
		{"status.desiredNumberScheduled == 0 ? false : false", "true", false},
		{"'|| status.desiredNumberScheduled == 0 ||' == ''", "true", false},
		{"[1].exists(x, false || status.desiredNumberScheduled == 0 && false)", "true", false},
		{"status.numberReady == 0 && status.desiredNumberScheduled == 3", "true", false},
		{"", "status.desiredNumberScheduled > 0 && false || true", false},
		{"", "status.desiredNumberScheduled > 0 || true", false},
		{"", "status.desiredNumberScheduled >= 0 && true", false},
		{"status.desiredNumberScheduled == 0)", "true", false},
		{"((status.desiredNumberScheduled == 0", "true", false},
		{"(1 == 1) == (2 == 2)", "true", false},
	} {
		if got := held(t, test.inProgress, test.current); got != test.want {
			t.Errorf("inProgress %q, current %q: held is %v", test.inProgress, test.current, got)
		}
	}
}

// TestRecognisedAreHeld: whatever zero-nodes accepts does hold a DaemonSet with 0 desired pods.
func TestRecognisedAreHeld(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	accepted := 0
	for range 6000 {
		inProgress, currentExpr := expression(random, 3), expression(random, 3)
		if !held(t, inProgress, currentExpr) {
			continue
		}
		accepted++
		if current(t, inProgress, currentExpr, status(0, 0)) {
			t.Fatalf("healthy with no node: inProgress %q, current %q", inProgress, currentExpr)
		}
	}
	if accepted < 300 {
		t.Errorf("%d accepted: too few to prove anything", accepted)
	}
}

// expression is a random expression of CEL, of the pieces that matter here.
func expression(random *rand.Rand, depth int) string {
	if depth == 0 || random.IntN(3) == 0 {
		atoms := []string{
			"status.desiredNumberScheduled == 0", "status.desiredNumberScheduled > 0", "0 == status.desiredNumberScheduled", "status.desiredNumberScheduled < 1",
			"status.numberAvailable >= 1", "status.numberReady != 0", "true", "false", "has(status.numberAvailable)", "'&&||' == '('", "status.desiredNumberScheduled >= 0",
		}
		return atoms[random.IntN(len(atoms))]
	}
	a, b := expression(random, depth-1), expression(random, depth-1)
	switch random.IntN(6) {
	case 0:
		return a + " && " + b
	case 1:
		return a + " || " + b
	case 2:
		return "(" + a + ")"
	case 3:
		return "!(" + a + ")"
	case 4:
		return a + " ? " + b + " : " + expression(random, depth-1)
	}
	return "(" + a + ") || " + b
}
