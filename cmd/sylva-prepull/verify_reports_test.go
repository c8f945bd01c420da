package main

import (
	"os"
	"strings"
	"testing"
)

// faulty is a kind of fault that somebody met, in what preview prints for plain values: the piece that is changed, what stands in its
// place, and what must be found. A workload runs the images of Sylva 1.7.0 on the nodes of its tolerations.
type faulty struct {
	name, old, new, workload string
	want                     string // empty: nothing is found
}

const (
	previewedChecks = "  healthChecks:\n  - apiVersion: apps/v1\n    kind: DaemonSet\n    name: metallb-image-prepull\n    namespace: sylva-system\n"
	previewedNodes  = "      nodeSelector:\n        kubernetes.io/os: linux\n"
	everyTaint      = "      tolerations:\n      - operator: Exists\n"
	edgeToUnit      = "  dependsOn:\n  - name: metallb-image-prepull\n"
	etcd            = "tolerations: [{key: node-role.kubernetes.io/etcd, operator: Exists, effect: NoExecute}]"
	previewedFRR    = "        image: quay.io/frrouting/frr:10.4.3\n"
)

func faults() []faulty {
	return []faulty{
		{name: "nothing"},
		{name: "taints of etcd nodes", workload: etcd, old: everyTaint, new: "      tolerations:\n      - {key: node-role.kubernetes.io/control-plane, operator: Exists}\n", want: "error node-coverage"},
		{name: "every taint", workload: etcd},
		{name: "a selector that matches nothing", old: previewedNodes, new: previewedNodes + "        node-role.kubernetes.io/worker: true\n", want: "error node-coverage"},
		{name: "OnDelete", old: "    rollingUpdate:\n      maxUnavailable: 100%\n    type: RollingUpdate\n", new: "    type: OnDelete\n", want: "error update-strategy"},
		{name: "one by one", old: "      maxUnavailable: 100%\n", new: "      maxUnavailable: 1\n", want: "error update-strategy"},
		{name: "the tag main", old: previewedFRR, new: "        image: quay.io/frrouting/frr:main\n", want: "error image-reference"},
		{name: "the tag latest", old: previewedFRR, new: "        image: quay.io/frrouting/frr:latest\n", want: "error image-reference"},
		{name: "no tag", old: previewedFRR, new: "        image: quay.io/frrouting/frr\n", want: "error image-reference"},
		{name: "a port and no tag", old: previewedFRR, new: "        image: harbor.example:5000/frrouting/frr\n", want: "error image-reference"},
		{name: "upper case", old: previewedFRR, new: "        image: quay.io/FRRouting/frr:10.4.3\n", want: "error image-reference"},
		{name: "a variable", old: previewedFRR, new: "        image: ${REGISTRY}/frrouting/frr:10.4.3\n", want: "error image-reference"},
		{name: "a port and a tag", old: previewedFRR, new: "        image: 192.0.2.10:10051/mabo/frr:10.4.3\n"},
		{name: "a digest", old: previewedFRR, new: "        image: harbor.example:8443/q/frr@sha256:" + strings.Repeat("2", 64) + "\n"},
		{name: "not restricted", old: "        runAsNonRoot: true\n", new: "", want: "error pod-security"},
		{name: "a pull secret", workload: "imagePullSecrets: [{name: regcred}]", want: "warning pull-secret"},
		{name: "the wrong FRR image", workload: "hostNetwork: true", old: previewedFRR, new: "        image: quay.io/frrouting/frr:10.5.3\n", want: "error image-coverage"},
		{name: "a mirror's name", workload: "hostNetwork: true", old: previewedFRR, new: "        image: harbor.example/mirror/frr:10.4.3\n", want: "error image-coverage"},
		{name: "an edge to a unit that is not there", old: edgeToUnit, new: edgeToUnit + "  - name: cluster-vip\n", want: "error dangling-dependency"},
		{name: "no edge", old: edgeToUnit, new: "", want: "error missing-edge"},
		{name: "wait and health checks", old: previewedChecks, new: previewedChecks + "  wait: true\n", want: "error wait-and-healthchecks"},
		{name: "no health check", old: previewedChecks, new: "", want: "error no-healthcheck"},
		{name: "a health check of a wrong kind", old: previewedChecks, new: strings.Replace(previewedChecks, "kind: DaemonSet", "kind: Daemonset", 1), want: "error healthcheck-target"},
		{name: "a health check of a wrong API", old: previewedChecks, new: strings.Replace(previewedChecks, "apps/v1", "extensions/v1beta1", 1), want: "error healthcheck-target"},
		{name: "the default timeout of 30s", old: "  timeout: 10m\n", new: "  timeout: 30s\n", want: "warning healthcheck-timeout"},
		{name: "no node", old: "      || status.desiredNumberScheduled == 0'\n", new: "'\n", want: "error zero-nodes"},
	}
}

// TestFaults: each fault is found by verify at the command line, and by no rule more than once a line.
func TestFaults(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write := func(name, text string) {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("values.yaml", peer)
			release := previewOf(t)
			if strings.Count(release, f.old) != 1 && f.old != "" {
				t.Fatalf("%q is there %d times in\n%s", f.old, strings.Count(release, f.old), release)
			}
			args := []string{"-r", "-"}
			if f.workload != "" {
				write("workload.yaml", "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: frr-k8s}\nspec:\n  template:\n    spec:\n      "+f.workload+"\n      containers:\n"+
					"      - {name: controller, image: quay.io/metallb/frr-k8s:v0.0.25}\n      - {name: frr, image: quay.io/frrouting/frr:10.4.3}\n")
				args = append(args, "-w", "workload.yaml")
			}
			code, lines, stderr := verified(t, strings.Replace(release, f.old, f.new, 1), args...)
			found := strings.Join(lines, "\n")
			if f.want == "" && (code != codeFine || found != "") || f.want != "" && (code != codeFinding || !strings.Contains("\n"+found, "\n"+f.want+" ")) {
				t.Errorf("exit code %d, want %q\n%s\n%s", code, f.want, found, stderr)
			}
		})
	}
}

// previewOf is what preview prints for values.yaml.
func previewOf(t *testing.T) string {
	t.Helper()
	var stdout, stderr strings.Builder
	w := testWorld(nil, nil, nil)
	w.in, w.out, w.err = strings.NewReader(""), &stdout, &stderr
	if code := run(strings.Fields("preview -f values.yaml"+upgrade), w); code != codeFine {
		t.Fatal(stderr.String())
	}
	return stdout.String()
}
