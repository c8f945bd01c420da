package verify_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

const fixtures = "../../testdata/verify/"

func definition(t testing.TB) *unit.Definition {
	t.Helper()
	d, err := unit.Load(units.FS, "metallb-image-prepull")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func stream(t testing.TB, file, text string) verify.Stream {
	t.Helper()
	objects, err := workload.Read(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return verify.Stream{File: file, Objects: objects}
}

// input is a stream, with the workload where it is not empty.
func input(t testing.TB, rendered, coming string) verify.Input {
	t.Helper()
	in := verify.Input{Unit: definition(t), FS: filesys.MakeFsInMemory()}
	if rendered != "" {
		in.Streams = []verify.Stream{stream(t, "r.yaml", rendered)}
	}
	if coming != "" {
		in.Workload = []verify.Stream{stream(t, "w.yaml", coming)}
	}
	return in
}

func run(t testing.TB, in verify.Input, rules []verify.Rule) *verify.Report {
	t.Helper()
	report, err := verify.Run(in, rules)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func texts(report *verify.Report) []string {
	var lines []string
	for _, f := range report.Findings {
		lines = append(lines, fmt.Sprintf("%s %s: %s", f.Rule.ID, f.At, f.Text))
	}
	return lines
}

func apply(t testing.TB, text string, changes []change) string {
	t.Helper()
	for _, each := range changes {
		if strings.Count(text, each.Old) != 1 {
			t.Fatalf("%q is there %d times", each.Old, strings.Count(text, each.Old))
		}
		text = strings.Replace(text, each.Old, each.New, 1)
	}
	return text
}

// TestGood: nothing is found in the fixtures of which the others are mutations, and every rule looked at something.
func TestGood(t *testing.T) {
	report := run(t, input(t, read(t, fixtures+"release.yaml"), read(t, fixtures+"workload.yaml")), verify.Rules())
	if len(report.Findings) > 0 {
		t.Errorf("findings: %s", strings.Join(texts(report), "\n"))
	}
	for _, outcome := range report.Outcomes {
		if outcome.Looked == 0 || len(outcome.Notes) > 0 {
			t.Errorf("%s looked at %d things: %v", outcome.Rule.ID, outcome.Looked, outcome.Notes)
		}
	}
}

// TestNotes: what could not be checked, and why.
func TestNotes(t *testing.T) {
	release, coming := read(t, fixtures+"release.yaml"), read(t, fixtures+"workload.yaml")
	speaker := coming[strings.LastIndex(coming, "---\n"):]
	flux, _, _ := strings.Cut(release, "---\napiVersion: apps/v1\nkind: DaemonSet")
	const carriers = ": no DaemonSet or Deployment of the workload runs an image of metallb-image-prepull"
	for name, test := range map[string]struct {
		in   verify.Input
		want []string
	}{
		"all there":              {input(t, release, coming), nil},
		"no workload":            {input(t, release, ""), []string{"image-coverage: nothing to check", "image-extra: no workload is given (-w)", "pull-secret: nothing to check"}},
		"no workload, one image": {input(t, release[:strings.LastIndex(release, "      - name: frr\n")], ""), []string{"image-coverage: nothing", "image-extra: no workload is given (-w)", "pull-secret: nothing"}},
		"another workload":       {input(t, release, speaker), []string{"image-coverage" + carriers, "node-coverage" + carriers, "pull-secret: nothing to check"}},
		"no DaemonSet": {input(t, flux, ""), []string{
			"healthcheck-target: the healthChecks of sylva-system/metallb-image-prepull: its DaemonSet is not in the streams", "image-reference: nothing", "image-coverage: nothing",
			"image-extra: nothing", "image-kept: nothing", "node-coverage: nothing", "update-strategy: nothing", "pod-security: nothing", "pull-secret: nothing"}},
		"postBuild and no DaemonSet": {input(t, strings.Replace(flux, "  timeout: 10m\n", "  timeout: 10m\n  postBuild: {}\n", 1), ""), []string{
			"healthcheck-target: the", "image-reference: nothing", "image-coverage: nothing", "image-extra: nothing", "image-kept: nothing", "node-coverage: nothing",
			"update-strategy: nothing", "pod-security: nothing", "pull-secret: nothing", "substitution: sylva-system/metallb-image-prepull has postBuild"}},
		"a DaemonSet alone with another unit": {input(t, kustomizations("a:")+release[strings.LastIndex(release, "---\n"):], coming), []string{
			"missing-edge: nothing", "stale-ready: nothing", "no-healthcheck: nothing", "healthcheck-target: nothing", "healthcheck-timeout: nothing", "suspended: nothing", "zero-nodes: nothing",
			"unquoted-tag: nothing", "substitution: nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, outcome := range run(t, test.in, verify.Rules()).Outcomes {
				for _, note := range outcome.Notes {
					got = append(got, outcome.Rule.ID+": "+note)
				}
			}
			for i := range max(len(got), len(test.want)) {
				if i >= len(got) || i >= len(test.want) || !strings.HasPrefix(got[i], test.want[i]) {
					t.Fatalf("notes:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
				}
			}
		})
	}
}

// TestSuperfluous: a workload that runs none of the unit's images needs no pre-pull.
func TestSuperfluous(t *testing.T) {
	release, coming := read(t, fixtures+"release.yaml"), read(t, fixtures+"workload.yaml")
	const why = " is pre-pulled for nothing: the workload runs no image of metallb-image-prepull, the unit is superfluous"
	want := []string{"image-extra r.yaml:206:9: quay.io/metallb/frr-k8s:v0.0.25" + why, "image-extra r.yaml:213:9: quay.io/frrouting/frr:10.4.3" + why}
	got := texts(run(t, input(t, release, coming[strings.LastIndex(coming, "---\n"):]), verify.Rules()))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings, -want +got:\n%s", diff)
	}
}

func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range append(verify.Rules(), verify.Stale(nil)) {
		if seen[rule.ID] || rule.ID == "" || rule.Finds == "" || rule.Fix == "" || rule.LooksAt == "" || strings.Contains(rule.Fix, "\n") {
			t.Errorf("%+v", rule)
		}
		if rule.Severity != verify.Error && rule.Severity != verify.Warning {
			t.Errorf("%s: severity %q", rule.ID, rule.Severity)
		}
		seen[rule.ID] = true
	}
}

// TestRefused: input in which nothing can be checked.
func TestRefused(t *testing.T) {
	release, coming := read(t, fixtures+"release.yaml"), read(t, fixtures+"workload.yaml")
	kustomizations, _, _ := strings.Cut(release, "---\napiVersion: v1\nkind: Secret")
	for name, test := range map[string]struct{ rendered, workload, want string }{
		"nothing":                            {want: "nothing to check: give a stream of rendered manifests or a sylva-core tree"},
		"a workload alone":                   {workload: coming, want: "a workload alone says nothing: give a stream of rendered manifests with the pre-pull, or a sylva-core tree"},
		"no Kustomization":                   {rendered: coming, want: "no Flux Kustomization among 3 objects of r.yaml: render the whole release"},
		"a workload that is none":            {rendered: release, workload: kustomizations, want: "no DaemonSet or Deployment among 7 objects of w.yaml: the rendered manifests of the release are due"},
		"no pods to compare a workload to":   {rendered: kustomizations, workload: coming, want: "the workload cannot be compared: the unit's DaemonSet is not in the streams; give the sylva-core tree that has it"},
		"a dependsOn that Flux would refuse": {rendered: strings.Replace(kustomizations, "  dependsOn:\n  - name: root-dependency-3", "  dependsOn: {name: root-dependency-3}", 1), want: "r.yaml:27:3: spec.dependsOn: a map: a list of names is due"},
		"the same Kustomization twice": {rendered: kustomizations + "---\n{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: cluster, namespace: sylva-system}}\n",
			want: "r.yaml:152:78: Kustomization sylva-system/cluster stands twice, first at r.yaml:136:3: which one counts cannot be told, give each once"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := verify.Run(input(t, test.rendered, test.workload), verify.Rules()); fmt.Sprint(err) != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}
