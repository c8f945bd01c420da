package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// verified runs verify and returns its exit code and its lines.
func verified(t *testing.T, stdin string, args ...string) (int, []string, string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(append([]string{"verify"}, args...), testWorld(bytes.NewReader([]byte(stdin)), &stdout, &stderr))
	var lines []string
	for line := range strings.Lines(stdout.String()) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return code, lines, stderr.String()
}

// rendered is what one preview of a golden case printed.
type rendered struct{ dir, command, stream string }

// previews are the outputs of all previews of the golden cases that printed something.
func previews(t *testing.T) []rendered {
	t.Helper()
	files, err := filepath.Glob(golden + "/*/stdout")
	if err != nil {
		t.Fatal(err)
	}
	var all []rendered
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file))
		for _, part := range strings.Split("\n"+string(data), "\n$ sylva-prepull ")[1:] {
			command, stream, _ := strings.Cut(part, "\n")
			compares, isBroken := strings.Contains(command, "--diff"), strings.Contains(command, "-f suspended.yaml")
			if strings.HasPrefix(command, "preview ") && !compares && !isBroken && strings.TrimSpace(stream) != "" {
				all = append(all, rendered{filepath.Join(inputs, name), command, stream + "\n"})
			}
		}
	}
	return all
}

// TestPreviewsPass: what preview prints in the golden cases has no finding. With --core the dependsOn has units that the stream has not:
// those are all that is found, and they are neither of the two units.
func TestPreviewsPass(t *testing.T) {
	all := previews(t)
	if len(all) < 6 {
		t.Fatalf("%d previews", len(all))
	}
	withCore := 0
	for _, p := range all {
		t.Run(filepath.Base(p.dir)+" "+p.command, func(t *testing.T) {
			args := []string{"-r", "-"}
			if m := regexp.MustCompile(`--units-dir (\S+) --unit (\S+)`).FindStringSubmatch(p.command); m != nil {
				args = append(args, "--units-dir", filepath.Join(p.dir, m[1]), "--unit", m[2])
			}
			code, lines, stderr := verified(t, p.stream, args...)
			if strings.Contains(p.command, "--core") {
				withCore++
				outside := slices.ContainsFunc(lines, func(line string) bool {
					return !strings.HasPrefix(line, "error dangling-dependency stdin:") || regexp.MustCompile(`depends on \S*/metallb(-image-prepull)?,`).MatchString(line)
				})
				if code != codeFinding || outside {
					t.Errorf("exit code %d\n%s", code, strings.Join(lines, "\n"))
				}
				code, lines, stderr = verified(t, p.stream, append(args, "--skip-rule", "dangling-dependency")...)
			}
			if code != codeFine || len(lines) > 0 {
				t.Errorf("exit code %d\n%s\n%s", code, strings.Join(lines, "\n"), stderr)
			}
			if strings.Contains(stderr, "is not in the streams") || strings.Contains(stderr, " 0 of ") {
				t.Errorf("too little was looked at:\n%s", stderr)
			}
		})
	}
	if withCore == 0 {
		t.Error("no preview with --core")
	}
}

// TestOraclePreviewsPass: the same on the values of the oracle, which are sylva-core's own.
func TestOraclePreviewsPass(t *testing.T) {
	passed := 0
	for _, c := range oracleCases(t) {
		if c.Expect.RenderError || !c.Expect.Active {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(c.args("preview"), testWorld(bytes.NewReader(nil), &stdout, &stderr)); code != codeFine {
				t.Fatal(stderr.String())
			}
			code, lines, stderrOfVerify := verified(t, stdout.String(), "-r", "-", "--skip-rule", "dangling-dependency")
			if code != codeFine {
				t.Errorf("exit code %d\n%s\n%s", code, strings.Join(lines, "\n"), stderrOfVerify)
			}
			passed++
		})
	}
	if passed == 0 {
		t.Error("no case is active")
	}
}

// TestRenderedCharts compares the images of Sylva 1.7.0 with what the metallb charts render.
func TestRenderedCharts(t *testing.T) {
	dir := filepath.Join(shared, "data/metallb-rendered")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the rendered charts are not here:", err)
	}
	const (
		extra       = "image-extra quay.io/metallb/frr-k8s:v0.0.25 is pre-pulled, and the workload does not run it"
		extraFRR    = "image-extra quay.io/frrouting/frr:10.4.3 is pre-pulled, and the workload does not run it"
		nothing     = "image-extra quay.io/metallb/frr-k8s:v0.0.25 is pre-pulled for nothing: the workload runs no image of metallb-image-prepull, the unit is superfluous"
		nothingFRR  = "image-extra quay.io/frrouting/frr:10.4.3 is pre-pulled for nothing: the workload runs no image of metallb-image-prepull, the unit is superfluous"
		daemonSet   = "DaemonSet metallb-system/metallb-frr-k8s"
		statuses    = "Deployment metallb-system/metallb-frr-k8s-statuscleaner"
		rbac        = "image-coverage gcr.io/kubebuilder/kube-rbac-proxy:v0.12.0 of " + daemonSet + " is not pre-pulled"
		noTolerance = " can run on a node with the taint node-role.kubernetes.io/"
		cannot      = ":NoSchedule, and DaemonSet sylva-system/metallb-image-prepull cannot"
	)
	for name, want := range map[string][]string{
		"0.16.1-default":          nil,
		"0.16.1-sylva-frr-k8s":    nil,
		"0.16.1-sylva-native":     {nothing, nothingFRR},
		"0.15.3-sylva-native":     {nothing, nothingFRR},
		"0.14.9-sylva-native":     {nothing, nothingFRR},
		"0.16.1-frr-k8s-external": {nothing, nothingFRR},
		"0.16.1-frr":              {extra, extraFRR, "image-coverage quay.io/frrouting/frr:10.5.3 of DaemonSet metallb-system/metallb-speaker is not pre-pulled"},
		"0.15.3-sylva-frr-k8s": {extra, extraFRR, "image-coverage quay.io/frrouting/frr:10.4.1 of " + daemonSet + " is not pre-pulled",
			"image-coverage quay.io/metallb/frr-k8s:v0.0.21 of " + daemonSet + ", " + statuses + " is not pre-pulled", rbac},
		"0.14.9-sylva-frr-k8s": {extra, extraFRR, "image-coverage quay.io/frrouting/frr:9.1.0 of " + daemonSet + " is not pre-pulled",
			"image-coverage quay.io/metallb/frr-k8s:v0.0.16 of " + daemonSet + ", Deployment metallb-system/metallb-frr-k8s-webhook-server is not pre-pulled", rbac},
	} {
		t.Run(name, func(t *testing.T) {
			workload := filepath.Join(dir, name+".yaml")
			_, lines, stderr := verified(t, "", "-r", inputs+"/verify/release.yaml", "-w", workload)
			slices.Sort(want)
			if diff := cmp.Diff(want, slices.Sorted(slices.Values(unplaced(lines)))); diff != "" {
				t.Errorf("-want +got:\n%s\n%s", diff, stderr)
			}
			narrow(t, workload, daemonSet+noTolerance+"control-plane"+cannot, len(want) == 2)
		})
	}
}

// narrow verifies with a pre-pull that tolerates nothing: a gap is found where the workload runs the unit's images.
func narrow(t *testing.T, workload, want string, superfluous bool) {
	t.Helper()
	data, err := os.ReadFile(inputs + "/verify/release.yaml")
	if err != nil {
		t.Fatal(err)
	}
	release := strings.Replace(string(data), "      tolerations:\n      - operator: Exists\n", "", 1)
	_, lines, stderr := verified(t, release, "-r", "-", "-w", workload, "--rule", "node-coverage")
	if strings.Contains(workload, "0.16.1-frr.yaml") {
		want = strings.Replace(want, "metallb-frr-k8s", "metallb-speaker", 1)
	}
	switch {
	case superfluous && (len(lines) > 0 || !strings.Contains(stderr, "node-coverage: no DaemonSet or Deployment of the workload runs an image")):
		t.Errorf("%s\n%s", strings.Join(lines, "\n"), stderr)
	case !superfluous && !slices.Contains(unplaced(lines), "node-coverage "+want):
		t.Errorf("no %s in\n%s", want, strings.Join(lines, "\n"))
	}
}

// unplaced are lines of findings without severity and place.
func unplaced(lines []string) []string {
	var out []string
	for _, line := range lines {
		out = append(out, regexp.MustCompile(`^\w+ (\S+) \S+:\d+:\d+:`).ReplaceAllString(line, "$1"))
	}
	return out
}

// TestFingerprints: a finding keeps its fingerprint where lines move, and no two findings have the same.
func TestFingerprints(t *testing.T) {
	fingerprints := func(text string) map[string]int {
		found := map[string]int{}
		_, lines, _ := verified(t, text, "-r", "-", "-o", "codequality")
		var issues []issue
		if err := json.Unmarshal([]byte(strings.Join(lines, "\n")), &issues); err != nil {
			t.Fatal(err)
		}
		for _, each := range issues {
			found[each.Fingerprint] = each.Location.Lines.Begin
			if each.Location.Path != "stdin" || each.Description == "" || !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, each.Severity) {
				t.Errorf("%+v", each)
			}
		}
		if len(found) != len(issues) {
			t.Errorf("%d fingerprints for %d findings", len(found), len(issues))
		}
		return found
	}
	data, err := os.ReadFile(inputs + "/verify/broken.yaml")
	if err != nil {
		t.Fatal(err)
	}
	before, after := fingerprints(string(data)), fingerprints("# a line\n# another\n"+string(data))
	if len(before) < 8 || len(before) != len(after) {
		t.Fatalf("%d findings, then %d", len(before), len(after))
	}
	for each, line := range before {
		if after[each] != line+2 {
			t.Errorf("a finding at line %d is not two lines below", line)
		}
	}
}

// TestJUnit: the report is XML whose counts are right, whatever a name holds; a rule with nothing to check is skipped.
func TestJUnit(t *testing.T) {
	name := `"a\u0001<b>&\"c\nerror forged stdin:1:1: \e[31m"`
	stream := "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: a}, spec: {dependsOn: [{name: " + name + "}, {name: a}]}}\n"
	code, lines, _ := verified(t, stream, "-r", "-", "-o", "junit")
	var suites testSuites
	if err := xml.Unmarshal([]byte(strings.Join(lines, "\n")), &suites); err != nil {
		t.Fatal(err)
	}
	failures, skips := 0, 0
	for _, each := range suites.Suite.Cases {
		if each.Failure != nil {
			failures++
		}
		if each.Skipped != nil {
			skips++
		}
	}
	if code != codeFinding || failures != 2 || suites.Suite.Failures != failures || suites.Suite.Skipped != skips || skips < 5 || suites.Suite.Tests != len(suites.Suite.Cases) {
		t.Errorf("exit code %d, %d failures, %d skipped of %+v", code, failures, skips, suites.Suite)
	}
	_, lines, _ = verified(t, stream, "-r", "-")
	if len(lines) != 2 || strings.Contains(strings.Join(lines, ""), "\x1b") {
		t.Errorf("a name writes lines of its own: %q", lines)
	}
}

// TestVerifySecrets: what Secrets hold is in no output.
func TestVerifySecrets(t *testing.T) {
	stream := "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: a}, spec: {dependsOn: [{name: b}]}}\n---\n" +
		"{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: PLANTED-1, tag: 1.10}, data: {x: UExBTlRFRA==}}\n"
	for _, text := range []string{stream, stream + "---\napiVersion: v1\nkind: Secret\ndata:\n  a: PLANTED\n  a: PLANTED\n", stream + "---\n- PLANTED\n", stream + "---\na: 'PLANTED\n", stream + "---\n\ta: PLANTED\n"} {
		for _, format := range []string{"text", "json", "codequality", "junit"} {
			_, lines, stderr := verified(t, text, "-r", "-", "-o", format)
			if all := strings.Join(lines, "\n") + stderr; strings.Contains(all, planted) || strings.Contains(all, "UExB") || all == "" {
				t.Errorf("a secret is printed: %s", all)
			}
		}
	}
}
