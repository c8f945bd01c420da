package function

import (
	"testing"

	"github.com/google/cel-go/cel"
	"sigs.k8s.io/kustomize/api/types"
)

// TestReadyExpr evaluates the expression as kustomize-controller does, with dep and self as they come from the API server.
func TestReadyExpr(t *testing.T) {
	env, err := cel.NewEnv(cel.Variable("dep", cel.DynType), cel.Variable("self", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	images := []types.Image{{Name: "q/a", NewName: "m/a", NewTag: "1"}, {Name: "q/b", NewName: "q/b", NewTag: "2", Digest: "sha256:x"}}
	ast, issues := env.Compile(readyExpr(images))
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	type m = map[string]any
	pinned := []any{m{"name": "q/b", "newName": "q/b", "newTag": "2", "digest": "sha256:x"}, m{"name": "q/a", "newName": "m/a", "newTag": "1"}}
	older := []any{m{"name": "q/a", "newName": "m/a", "newTag": "0"}, m{"name": "q/b"}}
	status := func(generation int, ready string) m {
		return m{"observedGeneration": generation, "conditions": []any{m{"type": "Reconciling", "status": "True"}, m{"type": "Ready", "status": ready}}}
	}
	for name, test := range map[string]struct {
		dep  m
		want bool
	}{
		"ready":                  {m{"metadata": m{"generation": 2}, "spec": m{"images": pinned}, "status": status(2, "True")}, true},
		"not ready":              {m{"metadata": m{"generation": 2}, "spec": m{"images": pinned}, "status": status(2, "False")}, false},
		"not observed":           {m{"metadata": m{"generation": 3}, "spec": m{"images": pinned}, "status": status(2, "True")}, false},
		"ready from the last":    {m{"metadata": m{"generation": 2}, "spec": m{"images": older}, "status": status(2, "True")}, false},
		"images without tags":    {m{"metadata": m{"generation": 2}, "spec": m{"images": []any{m{"name": "q/a"}}}, "status": status(2, "True")}, false},
		"no images":              {m{"metadata": m{"generation": 2}, "spec": m{"path": "x"}, "status": status(2, "True")}, false},
		"no status":              {m{"metadata": m{"generation": 2}, "spec": m{"images": pinned}}, false},
		"a status of conditions": {m{"metadata": m{"generation": 2}, "spec": m{"images": pinned}, "status": m{"conditions": []any{}}}, false},
		"only observed":          {m{"metadata": m{"generation": 2}, "spec": m{"images": pinned}, "status": m{"observedGeneration": 2}}, false},
	} {
		result, _, err := program.Eval(m{"dep": test.dep, "self": m{}})
		if err != nil || result.Value() != test.want {
			t.Errorf("%s: %v, %v", name, result, err)
		}
	}
}
