package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

const (
	chartValues = "core/charts/sylva-units/values.yaml"
	unitFiles   = "core/kustomize-units/metallb-image-prepull/"
)

// files are a tree as the generator writes it: the unit's own values on top of a few of sylva-core's, and its directory.
func files(t testing.TB) map[string]string {
	t.Helper()
	d := definition(t)
	var images []manifest.Image
	for name, text := range map[string]string{"frr-k8s": "quay.io/metallb/frr-k8s:v0.0.25", "frr": "quay.io/frrouting/frr:10.4.3"} {
		ref, err := image.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, manifest.Image{Name: name, Ref: ref})
	}
	if images[0].Name == "frr" {
		images[0], images[1] = images[1], images[0]
	}
	made, err := manifest.Files(d, images)
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string]string{
		chartValues: "unit_kustomization_spec_default: {interval: 24h, timeout: 30s}\n" + string(d.Source),
		"core/charts/sylva-units/management.values.yaml":       "units:\n  metallb: {enabled: true}\n",
		"core/charts/sylva-units/workload-cluster.values.yaml": "units:\n  metallb-image-prepull: {enabled: true}\n",
	}
	for _, file := range made {
		tree[unitFiles+file.Name] = string(file.Data)
	}
	return tree
}

func write(t testing.TB, tree map[string]string) filesys.FileSystem {
	t.Helper()
	fsys := filesys.MakeFsInMemory()
	for name, text := range tree {
		if err := fsys.WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return fsys
}

// treeChange is a file of the tree and what is put in the place of a piece of it.
type treeChange struct {
	Case, File string
	Old, New   string
	Also       *change // in the same file
	Want       []string
	Notes      []string // not compared where there are none
}

func TestTree(t *testing.T) {
	var changes []treeChange
	if err := yaml.UnmarshalStrict([]byte(read(t, "testdata/tree.yaml")), &changes); err != nil {
		t.Fatal(err)
	}
	for _, test := range changes {
		t.Run(test.Case, func(t *testing.T) {
			tree := files(t)
			if test.File != "" {
				tree[test.File] = apply(t, tree[test.File], []change{{test.Old, test.New}})
			}
			if test.Also != nil {
				tree[test.File] = apply(t, tree[test.File], []change{*test.Also})
			}
			in := verify.Input{Unit: definition(t), FS: write(t, tree), Core: "core"}
			report := run(t, in, verify.Rules())
			if diff := cmp.Diff(test.Want, shown(t, tree, report)); diff != "" {
				t.Errorf("findings, -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(test.Notes, report.Notes); test.Notes != nil && diff != "" {
				t.Errorf("notes, -want +got:\n%s", diff)
			}
		})
	}
}

// shown are the findings with what stands at their places.
func shown(t testing.TB, tree map[string]string, report *verify.Report) []string {
	t.Helper()
	var lines []string
	for _, f := range report.Findings {
		text := strings.Split(tree[f.At.File], "\n")
		if f.At.Line < 1 || f.At.Line > len(text) || f.At.Column < 1 || f.At.Column > len(text[f.At.Line-1]) {
			t.Fatalf("%s is no place: %s", f.At, f.Text)
		}
		lines = append(lines, fmt.Sprintf("%s %s [%s] %s", f.Rule.ID, f.At.File, strings.TrimSuffix(text[f.At.Line-1][f.At.Column-1:], "}"), f.Text))
	}
	return lines
}

// TestTreeBesideAStream: the directory is built by the Kustomization of the stream, and what a user overrides there is not compared with
// what the tree alone comes to.
func TestTreeBesideAStream(t *testing.T) {
	release, _, _ := strings.Cut(read(t, fixtures+"release.yaml"), "---\napiVersion: apps/v1\nkind: DaemonSet")
	mirrored := apply(t, release, []change{{"  - name: quay.io/frrouting/frr\n    newTag: \"10.4.3\"\n", "  - {name: quay.io/frrouting/frr, newName: mirror.example/frr, newTag: '10.4.4'}\n"}})
	coming := strings.ReplaceAll(read(t, fixtures+"workload.yaml"), "quay.io/frrouting/frr:10.4.3", "mirror.example/frr:10.4.4")
	in := input(t, mirrored, coming)
	in.FS, in.Core = write(t, files(t)), "core"
	if got := texts(run(t, in, verify.Rules())); len(got) > 0 {
		t.Errorf("findings: %s", strings.Join(got, "\n"))
	}
	in.Workload = []verify.Stream{stream(t, "w.yaml", read(t, fixtures+"workload.yaml"))}
	want := []string{
		"image-extra core/kustomize-units/metallb-image-prepull/daemonset.yaml:" + line(t, "image: quay.io/frrouting/frr:10.4.3") + ": mirror.example/frr:10.4.4 is pre-pulled, and the workload does not run it",
		"image-coverage w.yaml:17:9: quay.io/frrouting/frr:10.4.3 of DaemonSet metallb-system/metallb-frr-k8s is not pre-pulled",
	}
	if diff := cmp.Diff(want, texts(run(t, in, verify.Rules()))); diff != "" {
		t.Errorf("findings, -want +got:\n%s", diff)
	}
}

// TestStreamBeforeTree: what the unit makes is taken from the stream where that has it.
func TestStreamBeforeTree(t *testing.T) {
	release := apply(t, read(t, fixtures+"release.yaml"), []change{{"maxUnavailable: 100%", "maxUnavailable: 1"}})
	in := input(t, release, "")
	in.FS, in.Core = write(t, files(t)), "core"
	got := texts(run(t, in, only(t, "update-strategy")))
	if len(got) != 1 || !strings.HasPrefix(got[0], "update-strategy r.yaml:") {
		t.Errorf("findings: %v", got)
	}
}

// TestTreeWithTheEdgeAlone: metallb waits for a unit that the values do not have.
func TestTreeWithTheEdgeAlone(t *testing.T) {
	tree := map[string]string{chartValues: "units:\n  metallb:\n    depends_on:\n      metallb-image-prepull: true\n"}
	report := run(t, verify.Input{Unit: definition(t), FS: write(t, tree), Core: "core"}, verify.Rules())
	want := []string{"dangling-dependency " + chartValues + " [metallb-image-prepull: true] unit metallb depends on metallb-image-prepull, which is not there"}
	if diff := cmp.Diff(want, shown(t, tree, report)); diff != "" {
		t.Errorf("findings, -want +got:\n%s", diff)
	}
}

// line is the line and column of a text in the generated DaemonSet.
func line(t testing.TB, text string) string {
	t.Helper()
	for i, each := range strings.Split(files(t)[unitFiles+"daemonset.yaml"], "\n") {
		if column := strings.Index(each, text); column >= 0 {
			return fmt.Sprintf("%d:%d", i+1, column+1)
		}
	}
	t.Fatalf("no %s", text)
	return ""
}

// TestTreeRefused: trees that cannot be checked.
func TestTreeRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(tree map[string]string)
		want   string
	}{
		"no sylva-core": {func(tree map[string]string) { delete(tree, chartValues) }, "core is no sylva-core checkout: it has no charts/sylva-units/values.yaml"},
		"no unit": {func(tree map[string]string) {
			tree[chartValues] = "units: {metallb: {}}\n"
			delete(tree, "core/charts/sylva-units/workload-cluster.values.yaml")
		},
			"nothing to check: core has no units.metallb-image-prepull in charts/sylva-units, and no stream is given"},
		"no directory": {func(tree map[string]string) {
			delete(tree, unitFiles+"daemonset.yaml")
			delete(tree, unitFiles+"kustomization.yaml")
		},
			"core/charts/sylva-units/values.yaml:30:7: path: ./kustomize-units/metallb-image-prepull is not in the tree core"},
		"a directory that does not build": {func(tree map[string]string) { delete(tree, unitFiles+"daemonset.yaml") }, "building core/kustomize-units/metallb-image-prepull with kustomize"},
		"a spec that is none": {func(tree map[string]string) {
			tree["core/charts/sylva-units/management.values.yaml"] = "units: {metallb-image-prepull: {kustomization_spec: []}}\n"
		}, "core/charts/sylva-units/management.values.yaml:1:33: units.metallb-image-prepull.kustomization_spec: a list: a map is due"},
		"an exec function": {func(tree map[string]string) {
			tree[unitFiles+"kustomization.yaml"] = "generators: [fn.yaml]\n"
			tree[unitFiles+"fn.yaml"] = "apiVersion: x/v1\nkind: Y\nmetadata: {name: z, annotations: {config.kubernetes.io/function: 'exec: {path: ./fn}'}}\n"
		}, "building core/kustomize-units/metallb-image-prepull with kustomize"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := files(t)
			test.change(tree)
			_, err := verify.Run(verify.Input{Unit: definition(t), FS: write(t, tree), Core: "core"}, verify.Rules())
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// TestTreeWithoutSpec: a unit with nothing but a name waits for nothing.
func TestTreeWithoutSpec(t *testing.T) {
	tree := map[string]string{chartValues: "units:\n  metallb-image-prepull: {}\n"}
	report := run(t, verify.Input{Unit: definition(t), FS: write(t, tree), Core: "core"}, verify.Rules())
	if want := chartValues + ":2:3: metallb-image-prepull: the DaemonSet is built without what these fields come to: path"; strings.Join(report.Notes, "\n") != want {
		t.Errorf("notes %q, want %s", report.Notes, want)
	}
	want := []string{
		"no-healthcheck [metallb-image-prepull: {", "healthcheck-timeout [metallb-image-prepull: {",
	}
	for _, each := range want {
		rule, place, _ := strings.Cut(each, " ")
		if got := strings.Join(shown(t, tree, report), "\n"); !strings.Contains(got, rule+" "+chartValues+" "+place) {
			t.Errorf("no %s in\n%s", each, got)
		}
	}
}

// TestStale: the differences are findings; the rule needs a tree, and has something to say of one without the unit.
func TestStale(t *testing.T) {
	rule := verify.Stale(func() ([]verify.Difference, error) {
		return []verify.Difference{{At: values.Position{File: chartValues, Line: 2, Column: 1}, Text: "units.metallb-image-prepull is missing"}}, nil
	})
	in := verify.Input{Unit: definition(t), FS: write(t, map[string]string{chartValues: "units: {}\n"}), Core: "core"}
	want := []string{"stale core/charts/sylva-units/values.yaml:2:1: units.metallb-image-prepull is missing"}
	if diff := cmp.Diff(want, texts(run(t, in, []verify.Rule{rule}))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if report := run(t, input(t, kustomizations("a:"), ""), []verify.Rule{rule}); len(report.Findings) > 0 || len(report.Outcomes[0].Notes) != 1 {
		t.Errorf("without a tree: %v %v", report.Findings, report.Outcomes)
	}
	broken := verify.Stale(func() ([]verify.Difference, error) { return nil, fmt.Errorf("no such unit") })
	want = []string{"stale core: whether the tree is up to date cannot be told: no such unit"}
	if diff := cmp.Diff(want, texts(run(t, in, []verify.Rule{broken}))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
