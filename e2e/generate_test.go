package e2e

import (
	"os"
	"path/filepath"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/prepull"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/source"
)

// generated is what "generate" has written: the files that Flux builds, and how the other commands get the unit's values.
type generated struct {
	tree   source.Tree
	layers []string
}

// generate writes the unit beside sylva-core: its Kustomizations depend on nothing else.
func (s *scenario) generate(flags ...string) generated {
	s.Helper()
	dir := filepath.Join(s.TempDir(), "unit")
	s.run(append([]string{"generate", "--output-dir", dir, "--to", "1.7.0"}, flags...)...)
	return s.written(dir, "-f", filepath.Join(dir, "values.yaml"))
}

// generateCore writes the unit into a copy of the small sylva-core of the tests, which has a root dependency and other units.
func (s *scenario) generateCore(flags ...string) generated {
	s.Helper()
	dir := filepath.Join(s.TempDir(), "core")
	s.must(os.CopyFS(dir, os.DirFS("../testdata/core")))
	s.run(append([]string{"generate", "--core", dir}, flags...)...)
	return s.written(dir, "--core", dir)
}

func (s *scenario) written(dir string, layers ...string) generated {
	s.Helper()
	g := generated{tree: source.Tree{}, layers: layers}
	s.must(readTree(g.tree, filepath.Join(dir, "kustomize-units", unit), "kustomize-units/"+unit))
	return g
}

// run runs the program under test, which must succeed, and returns what it printed.
func (s *scenario) run(args ...string) string {
	s.Helper()
	answer, err := s.program.Run("", args...)
	s.must(err)
	if answer.Code != 0 {
		s.Fatalf("sylva-prepull %q: exit code %d: %s", args, answer.Code, answer.Stderr)
	}
	return answer.Stdout
}

// preview returns the objects of an environment, with the generated values underneath.
func (s *scenario) preview(environment []string, g generated, args ...string) prepull.Objects {
	s.Helper()
	objects, err := s.program.Preview(slices.Concat(environment, g.layers, args)...)
	s.must(err)
	return objects
}

// asPreviewed checks that the DaemonSet in the cluster is the one that was previewed: all that the preview says is there.
func (s *scenario) asPreviewed(objects prepull.Objects) {
	s.Helper()
	var previewed appsv1.DaemonSet
	object := s.get(objects, "DaemonSet", unit)
	s.must(runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, &previewed, true))
	live, err := s.client.AppsV1().DaemonSets(system).Get(s.ctx, unit, metav1.GetOptions{})
	s.must(err)
	if !equality.Semantic.DeepDerivative(previewed.Spec, live.Spec) || !equality.Semantic.DeepDerivative(previewed.Labels, live.Labels) {
		s.Errorf("the DaemonSet was previewed as %+v\nand is in the cluster %+v", previewed.Spec, live.Spec)
	}
}
