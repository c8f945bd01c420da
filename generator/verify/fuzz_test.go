package verify_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// FuzzRun: no stream makes a rule panic, and each finding has a place in it.
func FuzzRun(f *testing.F) {
	for _, name := range []string{"release.yaml", "broken.yaml", "workload.yaml"} {
		f.Add(read(f, fixtures+name))
	}
	const unit = "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: metallb-image-prepull}, "
	for _, spec := range []string{
		"spec: []}", "spec: {healthChecks: a, images: {a: b}, timeout: {}, wait: [true]}}", "spec: {healthChecks: [a, [], null], images: [a, [], {newTag: []}]}}",
		"spec: {wait: true, healthCheckExprs: [{apiVersion: apps/v1, kind: DaemonSet, inProgress: '((()\\', current: ')'}]}}", "spec: {dependsOn: [{name: a, namespace: {}}]}}",
	} {
		f.Add(unit + spec)
	}
	f.Add(unit + "}\n---\n{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: metallb-image-prepull}, spec: {updateStrategy: 1, template: {spec: {containers: [a, {image: []}], tolerations: {}}}}}")
	d := definition(f)
	f.Fuzz(func(t *testing.T, text string) {
		objects, err := workload.Read("r.yaml", []byte(text))
		if err != nil {
			return
		}
		streams := []verify.Stream{{File: "r.yaml", Objects: objects}}
		in := verify.Input{Unit: d, FS: filesys.MakeFsInMemory(), Streams: streams}
		for _, in.Workload = range [][]verify.Stream{nil, streams} {
			report, err := verify.Run(in, verify.Rules())
			if err != nil {
				continue
			}
			lines := strings.Count(text, "\n") + strings.Count(text, "\r") + strings.Count(text, "\u0085") + strings.Count(text, "\u2028") + strings.Count(text, "\u2029") + 1
			for _, finding := range report.Findings {
				if finding.At.File != "r.yaml" || finding.At.Line < 1 || finding.At.Line > lines || finding.Text == "" {
					t.Fatalf("%s is no place: %s: %s", finding.At, finding.Rule.ID, finding.Text)
				}
			}
		}
	})
}
