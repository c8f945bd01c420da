package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

// labelled writes Kustomizations of sylva-units: one a line, as "name unit: dependency, dependency".
func labelled(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		names, dependencies, _ := strings.Cut(strings.TrimSpace(line), ":")
		name, unit, _ := strings.Cut(names, " ")
		text := kustomizations(name + ":" + dependencies)
		if unit != "" {
			text = strings.Replace(text, "metadata: {", "metadata: {labels: {sylva-units.unit: "+unit+"}, ", 1)
		}
		b.WriteString(text)
	}
	return b.String()
}

// TestStaleReady: whether the gap is open, closed, or not to be told.
func TestStaleReady(t *testing.T) {
	const unit, metallb = "metallb-image-prepull metallb-image-prepull:", "metallb metallb: metallb-image-prepull"
	for name, test := range map[string]struct {
		lines string
		found bool
		note  string
	}{
		"a root in common":               {lines: unit + "root-dependency-1\n" + metallb + ", root-dependency-1"},
		"a root by its label":            {lines: unit + "root\n" + metallb + ", root\nroot root-dependency:"},
		"another dependency in common":   {lines: unit + "flux-system\n" + metallb + ", flux-system", found: true},
		"a name that is like the root's": {lines: unit + "root-dependency-x\n" + metallb + ", root-dependency-x", found: true},
		"the roots of two revisions":     {lines: unit + "root-dependency-1\n" + metallb + ", root-dependency-2", found: true},
		"metallb alone has a root":       {lines: unit + "\n" + metallb + ", root-dependency-1", found: true},
		"the unit alone has a root":      {lines: unit + "root-dependency-1\n" + metallb, found: true},
		"cut out of a render":            {lines: unit + "\n" + metallb, note: "metallb-image-prepull and metallb are alone here"},
		"not of sylva-units":             {lines: "metallb-image-prepull:\nmetallb: metallb-image-prepull", found: true},
		"metallb is not of sylva-units":  {lines: unit + "\nmetallb: metallb-image-prepull", found: true},
		"the unit is not":                {lines: "metallb-image-prepull:\n" + metallb, found: true},
		"not alone":                      {lines: unit + "\n" + metallb + "\nother other:", found: true},
		"nothing waits":                  {lines: unit + "\nmetallb metallb:", note: "nothing to check"},
	} {
		t.Run(name, func(t *testing.T) {
			report := run(t, input(t, labelled(test.lines), ""), only(t, "stale-ready"))
			if found := len(report.Findings) == 1; found != test.found {
				t.Errorf("findings: %v", texts(report))
			}
			note := strings.Join(report.Outcomes[0].Notes, "\n")
			if !strings.HasPrefix(note, test.note) || (test.note == "") != (note == "") {
				t.Errorf("notes: %s", note)
			}
		})
	}
}

// TestTwoClusters: pods of a live cluster belong to the Kustomization that Flux has labelled them with.
func TestTwoClusters(t *testing.T) {
	const pods = "---\n{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: metallb-image-prepull, namespace: %s, labels: {kustomize.toolkit.fluxcd.io/namespace: %[1]s}}}\n"
	text := kustomizations("a/metallb-image-prepull:\nb/metallb-image-prepull:") + fmt.Sprintf(pods, "a") + fmt.Sprintf(pods, "b")
	text = strings.ReplaceAll(text, "  dependsOn:\n", "  healthChecks: [{apiVersion: apps/v1, kind: DaemonSet, name: metallb-image-prepull, namespace: b}]\n")
	want := []string{"healthcheck-target r.yaml:6:18: the health check apps/v1 DaemonSet b/metallb-image-prepull of a/metallb-image-prepull: the unit makes apps/v1 DaemonSet a/metallb-image-prepull"}
	in := input(t, text, "")
	in.Streams[0].Objects = in.Streams[0].Objects[:3] // without the DaemonSet of b
	if diff := cmp.Diff(want, texts(run(t, in, only(t, "healthcheck-target")))); diff != "" {
		t.Errorf("findings, -want +got:\n%s", diff)
	}
}

// TestOtherKinds: what has the kind of Flux's objects and not their group, or the other way round, is none of them.
func TestOtherKinds(t *testing.T) {
	const others = "---\n{apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization, metadata: {name: a}, images: [{name: b, newTag: 1.10}]}\n" +
		"---\n{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Other, metadata: {name: a}, spec: {images: [{newTag: 1.10}]}}\n" +
		"---\n{apiVersion: example.org/v1, kind: HelmRelease, metadata: {name: a}, spec: {values: {tag: 1.10}}}\n" +
		"---\n{apiVersion: helm.toolkit.fluxcd.io/v2, kind: Other, metadata: {name: a}, spec: {values: {tag: 1.10}}}\n"
	if got := texts(run(t, input(t, kustomizations("a:")+others, ""), only(t, "unquoted-tag", "dangling-dependency"))); len(got) > 0 {
		t.Errorf("findings: %v", got)
	}
	in := input(t, others, "")
	in.Streams = append(in.Streams, stream(t, "s.yaml", others))
	const want = "no Flux Kustomization among 8 objects of r.yaml, s.yaml: render the whole release"
	if _, err := verify.Run(in, verify.Rules()); fmt.Sprint(err) != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
