package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// report is a kind of fault that somebody met, made small: what the user gives, and what must come of it.
type report struct {
	name, values, args, stdin string
	code                      int
	want                      []string // on stdout or stderr
	not                       []string // on neither
}

const (
	upgrade = " --from 1.6.0 --to 1.7.0"
	peer    = "metallb: {bgp_lbs: {l3_options: {bgp_peers: {p1: {local_asn: 64512, peer_asn: 64513, peer_address: 192.0.2.1}}}}}\n"
)

// helmValues are peers with Helm values of the metallb chart.
func helmValues(text string) string { return peer + "metallb_helm_values: " + text + "\n" }

// specOf are peers with a piece of the unit's kustomization_spec.
func specOf(text string) string {
	return peer + "units: {metallb-image-prepull: {kustomization_spec: " + text + "}}\n"
}

func reports() []report {
	return []report{
		// nodes and pods
		{name: "taints of etcd nodes", values: helmValues("{speaker: {tolerations: [{key: node-role.kubernetes.io/etcd, effect: NoExecute}]}}"), args: "preview -f values.yaml" + upgrade,
			want: []string{"      tolerations:\n      - operator: Exists\n"}},
		{name: "virtual and Fargate nodes", values: peer, args: "preview -f values.yaml" + upgrade,
			want: []string{"- key: type\n                operator: NotIn\n                values:\n                - virtual-kubelet", "- key: eks.amazonaws.com/compute-type\n                operator: NotIn\n                values:\n                - fargate"}},
		{name: "Windows nodes", values: peer, args: "preview -f values.yaml" + upgrade, want: []string{"nodeSelector:\n        kubernetes.io/os: linux\n"}},
		{name: "a user's selector is added to linux", values: specOf(`{patches: [{patch: "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: metallb-image-prepull, namespace: sylva-system}\nspec: {template: {spec: {nodeSelector: {edge: 'yes'}}}}"}]}`), args: "preview -f values.yaml" + upgrade,
			want: []string{"nodeSelector:\n        edge: \"yes\"\n        kubernetes.io/os: linux\n", "warning: a patch changes the nodeSelector of the pods"}},
		{name: "a selector that is no string", values: specOf(`{patches: [{target: {kind: DaemonSet}, patch: '- {op: add, path: /spec/template/spec/nodeSelector/edge, value: true}'}]}`), args: "preview -f values.yaml" + upgrade,
			code: 2, want: []string{"nodeSelector edge: true is no string, which Kubernetes refuses: quote it"}},
		{name: "update strategy OnDelete", values: specOf(`{patches: [{target: {kind: DaemonSet}, patch: '- {op: replace, path: /spec/updateStrategy, value: {type: OnDelete}}'}]}`), args: "preview -f values.yaml" + upgrade,
			code: 2, want: []string{"updateStrategy OnDelete: Flux would wait for ever"}},
		{name: "one dead node and maxUnavailable", values: peer, args: "preview -f values.yaml" + upgrade, want: []string{"rollingUpdate:\n      maxUnavailable: 100%\n    type: RollingUpdate"}},
		{name: "full nodes", values: peer, args: "preview -f values.yaml" + upgrade, want: []string{"priorityClassName: system-cluster-critical", "requests:\n            cpu: 2m\n            memory: 8Mi"}, not: []string{"hostNetwork", "hostPort"}},
		{name: "an image of another make may have no shell", values: peer, args: "images -f values.yaml --image frr-k8s=registry.example/hardened/frr-k8s-distroless:v0.0.25" + upgrade,
			want: []string{"registry.example/hardened/frr-k8s-distroless:v0.0.25\n", "the pre-pull pods run /bin/sh in it"}},
		{name: "no helper image", values: peer, args: "images -f values.yaml" + upgrade, want: []string{"quay.io/metallb/frr-k8s:v0.0.25\nquay.io/frrouting/frr:10.4.3\n"}, not: []string{"busybox", "pause"}},
		{name: "Pod Security restricted", values: peer, args: "preview -f values.yaml" + upgrade,
			want: []string{"runAsNonRoot: true", "runAsUser: 65532", "type: RuntimeDefault", "drop:\n            - ALL", "allowPrivilegeEscalation: false", "automountServiceAccountToken: false"}},
		{name: "the image stays in use by a running container", values: peer, args: "preview -f values.yaml" + upgrade, want: []string{"sleep 3600 & wait"}, not: []string{"initContainers"}},
		{name: "a digest of one platform", values: peer, args: "images -f values.yaml --image frr-k8s=quay.io/metallb/frr-k8s@sha256:" + strings.Repeat("1", 64) + upgrade,
			want: []string{"@sha256:1111", "manifest of a single platform"}},
		{name: "pull secrets", values: helmValues("{imagePullSecrets: [{name: regcred}], frr-k8s: {imagePullSecrets: [{name: regcred}]}}"), args: "preview -f values.yaml" + upgrade,
			want: []string{"imagePullSecrets:\n      - name: regcred\n", "the secret must be in the namespace sylva-system too"}},
		{name: "pull secrets of the parent alone", values: helmValues("{imagePullSecrets: [{name: regcred}]}"), args: "preview -f values.yaml" + upgrade, want: []string{"does not reach the pods of frr-k8s"}, not: []string{"      imagePullSecrets:"}},
		{name: "pull secrets as bare strings", values: helmValues("{frr-k8s: {imagePullSecrets: [regcred]}}"), args: "explain -f values.yaml" + upgrade, want: []string{"takes a list of maps with a name"}},
		// Flux
		{name: "wait and health checks", values: specOf("{wait: true}"), args: "preview -f values.yaml" + upgrade, code: 2, want: []string{"it has healthChecks and wait: true"}, not: []string{"apiVersion"}},
		{name: "a timeout of 30s", values: specOf("{timeout: 30s}"), args: "preview -f values.yaml" + upgrade, want: []string{"timeout: 30s\n", "the timeout 30s is short"}},
		{name: "the default timeout", values: peer, args: "preview -f values.yaml" + upgrade, want: []string{"timeout: 10m\n"}, not: []string{"is short"}},
		{name: "a timeout that is none", values: specOf("{timeout: soon}"), args: "explain -f values.yaml" + upgrade, want: []string{`the timeout "soon" is no duration`}},
		{name: "substitution is off where a shell runs", values: peer, args: "preview -f values.yaml" + upgrade, want: []string{"kustomize.toolkit.fluxcd.io/substitute: disabled"}, not: []string{"$!", "${"}},
		{name: "a variable left in an image", values: helmValues("{frr-k8s: {frrk8s: {image: {repository: '${REGISTRY}/metallb/frr-k8s'}}}}"), args: "preview -f values.yaml" + upgrade, code: 2,
			want: []string{"values.yaml:2:50: metallb_helm_values.frr-k8s.frrk8s.image: image \"${REGISTRY}/metallb/frr-k8s:v0.0.25\": a variable is left to substitute"}},
		{name: "no unit, no edge", values: "metallb: {}\n", args: "preview -f values.yaml" + upgrade, want: []string{"metallb-image-prepull is off: bgp: no BGP peers"}, not: []string{"dependsOn"}},
		// images
		{name: "a tag that is a number", values: helmValues("{frr-k8s: {frrk8s: {frr: {image: {tag: 10.10}}, image: {tag: 20250612073634}}}}"), args: "images -f values.yaml" + upgrade, code: 2,
			want: []string{`quote it ("10.10")`, `quote it ("20250612073634")`}, not: []string{"frr:10.1\n"}},
		{name: "a tag that looks like octal or exponents", values: helmValues("{frr-k8s: {frrk8s: {frr: {image: {tag: 0e1234}}, image: {tag: 0x1f}}}}"), args: "images -f values.yaml" + upgrade, code: 2, want: []string{`quote it ("0e1234")`, `quote it ("0x1f")`}},
		{name: "the wrong FRR image", values: helmValues("{speaker: {frr: {enabled: false, image: {tag: 10.5.3}}}}"), args: "images -f values.yaml" + upgrade, want: []string{"quay.io/frrouting/frr:10.4.3\n", "has no effect on frr-k8s"}, not: []string{"frr:10.5.3"}},
		{name: "the wrong switch", values: helmValues("{frr-k8s: {enabled: false}}"), args: "images -f values.yaml" + upgrade, want: []string{"quay.io/metallb/frr-k8s:v0.0.25\n", "frr-k8s.enabled does nothing"}},
		{name: "native BGP is kept", values: helmValues("{frrk8s: {enabled: false}}"), args: "images -f values.yaml" + upgrade, want: []string{"is off: bgp: 1 BGP peer: p1, but metallb_helm_values.frrk8s.enabled is false: native BGP stays"}, not: []string{"quay.io"}},
		{name: "native BGP is kept by a template", values: helmValues("{frrk8s: {enabled: '{{ eq 1 2 }}'}}"), args: "images -f values.yaml" + upgrade, want: []string{"native BGP stays"}, not: []string{"quay.io"}},
		{name: "frr-k8s from elsewhere", values: helmValues("{frrk8s: {external: true}}"), args: "images -f values.yaml" + upgrade, want: []string{"the chart installs no frr-k8s"}},
		{name: "both FRR modes", values: helmValues("{speaker: {frr: {enabled: true}}}"), args: "explain -f values.yaml" + upgrade, want: []string{"the metallb chart refuses both FRR modes at once"}},
		{name: "a tag of 129 characters", values: helmValues("{frr-k8s: {frrk8s: {image: {tag: '" + strings.Repeat("x", 129) + "'}}}}"), args: "images -f values.yaml" + upgrade, code: 2, want: []string{"values.yaml:2:50: metallb_helm_values.frr-k8s.frrk8s.image: image", "a tag of over 128 characters"}},
		{name: "a digest written as a tag", values: helmValues("{frr-k8s: {frrk8s: {image: {tag: 'sha256:" + strings.Repeat("a", 64) + "'}}}}"), args: "images -f values.yaml" + upgrade, code: 2, want: []string{"a digest follows @, not a colon"}},
		{name: "a tag in the repository", values: helmValues("{frr-k8s: {frrk8s: {image: {repository: 'quay.io/metallb/frr-k8s:v1'}}}}"), args: "images -f values.yaml" + upgrade, code: 2, want: []string{"two tags: a repository has none of its own"}},
		{name: "one image for both", values: peer, args: "images -f values.yaml --image frr=harbor.example/all/frr:1 --image frr-k8s=harbor.example/all/frr:1" + upgrade, want: []string{"harbor.example/all/frr:1\n"}, not: []string{"harbor.example/all/frr:1\nharbor"}},
		{name: "a mirror's names", values: helmValues("{frr-k8s: {frrk8s: {image: {repository: harbor.example/mirror/frr-k8s}}}}") + "registry_mirrors: {hosts_config: {quay.io: [{mirror_url: 'https://mirror.example'}]}}\n", args: "images -f values.yaml" + upgrade,
			want: []string{"harbor.example/mirror/frr-k8s:v0.0.25\nquay.io/frrouting/frr:10.4.3\n"}, not: []string{"mirror.example"}},
		// values
		{name: "peers with all their fields", values: "metallb:\n  bgp_lbs:\n    address_pools: {pool1: {addresses: [203.0.113.8/32]}}\n    l3_options:\n      bfd_profiles: {bfd1: {receiveInterval: 300, transmitInterval: 300, detectMultiplier: 3}}\n      bgp_peers:\n        peer1: {local_asn: 64512, peer_asn: 64513, peer_address: 192.0.2.1, passwordSecret: bgp-pw, advertised_pools: [lbpool, pool1], receive_routes: {mode: all}, node_selectors: [{matchLabels: {role: edge}}]}\n", args: "explain -f values.yaml" + upgrade,
			want: []string{"is on", "frr-k8s -> frr-k8s (case 2->4)"}, not: []string{"bgp-pw", "peer-field"}},
		{name: "L2 alone, as lists", values: "metallb: {l2_lbs: {address_pools: [{name: p, addresses: [192.0.2.10/32]}], l2_options: {advertisements: [{interface: eth1, advertised_pools: [p]}]}}}\n", args: "explain -f values.yaml" + upgrade, want: []string{"is off"}},
		{name: "peers from a value that is not given", values: "metallb: {bgp_lbs: {l3_options: {bgp_peers: '{{ .Values.my_peers | include \"preserve-type\" }}'}}}\n", args: "explain -f values.yaml" + upgrade, code: 2,
			want: []string{"is unknown", "reads my_peers, which is not among these values"}},
		{name: "text instead of the metallb map", values: "metallb: off-site\n", args: "explain -f values.yaml" + upgrade, code: 2, want: []string{"values.yaml:1:1", "metallb is a string: a map is due"}, not: []string{"units/metallb-image-prepull"}},
		{name: "a list instead of a map on the way", values: "metallb: {bgp_lbs: {l3_options: [{bgp_peers: {}}]}}\n", args: "explain -o csv -f values.yaml" + upgrade, code: 2, want: []string{"values.yaml:1:21: metallb.bgp_lbs.l3_options is a list: a map is due"}},
		{name: "a template that makes text of a map", values: "my: {l3_options: {bgp_peers: {p: {local_asn: 1}}}}\nmetallb: {bgp_lbs: '{{ .Values.my }}'}\n", args: "explain -o csv -f values.yaml" + upgrade, code: 2, want: []string{"metallb.bgp_lbs is a string", "unless it ends in | include", "preserve-type"}},
		{name: "a template that makes a map", values: "my: {l3_options: {bgp_peers: {p: {local_asn: 1}}}}\nmetallb: {bgp_lbs: '{{ .Values.my | include \"preserve-type\" }}'}\n", args: "explain -f values.yaml" + upgrade, want: []string{"is on", "1 BGP peer: p"}},
		{name: "a template that makes a list on the way", values: "metallb: {bgp_lbs: '{{ dict \"l3_options\" (list 1) | include \"preserve-type\" }}'}\n", args: "explain -o csv -f values.yaml" + upgrade, code: 2, want: []string{"metallb.bgp_lbs.l3_options is a list"}},
		{name: "a peer that is text", values: "metallb: {bgp_lbs: {l3_options: {bgp_peers: {p1: 192.0.2.1}}}}\n", args: "explain -f values.yaml" + upgrade, want: []string{"is on", "BGP peer p1 is a string: a map of its fields is due"}},
		{name: "a byte order mark inside", values: "a: 1\n\ufeff" + peer, args: "explain -f values.yaml" + upgrade, code: 2, want: []string{`values.yaml:2:1: the key "\ufeffmetallb" holds an invisible character`}},
		{name: "a template without quotes", values: "metallb:\n  bgp_lbs: {{ .Values.x }}\n", args: "explain -f values.yaml" + upgrade, code: 2, want: []string{"values.yaml:2:13: metallb.bgp_lbs: an unquoted template"}},
		{name: "a key twice", values: peer + "metallb: {}\n", args: "explain -f values.yaml" + upgrade, code: 2, want: []string{"values.yaml:2:1: metallb: the key stands twice, first at line 1"}},
		{name: "two documents", values: "metallb: {}\n---\n" + peer, args: "explain -f values.yaml" + upgrade, code: 2, want: []string{"values.yaml:3:1: a second YAML document"}},
		{name: "a byte order mark", values: "\ufeff" + peer, args: "explain -f values.yaml" + upgrade, want: []string{"is on", "1 BGP peer: p1"}},
		{name: "carriage returns", values: strings.ReplaceAll("metallb:\n  bgp_lbs:\n    l3_options:\n      bgp_peers:\n        p: {peer_address: 192.0.2.1}\n", "\n", "\r\n"), args: "preview -f values.yaml" + upgrade, want: []string{"kind: DaemonSet\n"}, not: []string{"\r"}},
		{name: "a tab", values: "metallb:\n\tbgp_lbs: {}\n", args: "explain -f values.yaml" + upgrade, code: 2, want: []string{"values.yaml:2:1: a tab indents the line"}},
		{name: "SOPS in a leaf", values: "metallb: {bgp_lbs: {l3_options: {bgp_peers: {p: {local_asn: 64512, password: 'ENC[AES256_GCM,data:abcd,iv:y,tag:z,type:str]'}}}}}\nsops: {mac: 'ENC[AES256_GCM,data:q]', version: 3.9.0}\n", args: "preview -f values.yaml" + upgrade,
			want: []string{"kind: DaemonSet"}, not: []string{"abcd", "ENC["}},
		{name: "SOPS in the structure", values: "metallb: {bgp_lbs: {l3_options: {bgp_peers: 'ENC[AES256_GCM,data:abcd,iv:y]'}}}\n", args: "preview -f values.yaml" + upgrade, code: 2, want: []string{"encrypted with SOPS"}, not: []string{"abcd", "apiVersion"}},
		// releases
		{name: "a prerelease of the next line", values: peer, args: "explain -f values.yaml --from 1.6.3 --to 1.7.0-alpha.2", want: []string{"is on", "(case 1->3)"}},
		{name: "from a prerelease", values: peer, args: "explain -f values.yaml --from 1.6.0-rc2 --to 1.7.0", want: []string{"is on", "(case 1->3)"}},
		{name: "a commit after a release", values: peer, args: "explain -f values.yaml --from 1.6.3 --to 1.6.3-5-g0123abc", code: 2, want: []string{"(--upgrade, --fresh)"}},
		{name: "suffixes of a distribution", values: peer, args: "explain -f values.yaml --from 1.6.3+rke2r1 --to 1.7.0+rke2r2", want: []string{"is on", "(case 1->3)"}},
		{name: "within the line", values: peer, args: "explain -f values.yaml --from 1.7.0-rc1 --to 1.7.0", want: []string{"is on", "(case 3->3)", "\n                     same, Sylva 1.7"}},
		{name: "1.10 comes after 1.9", values: peer, args: "explain -f values.yaml --from 1.9 --to 1.10 --metallb-chart-version 0.16.1", want: []string{"1.9 -> 1.10 is an upgrade"}},
		{name: "a fresh install", values: "_internal: {state: {is_upgrade: false}}\n" + peer, args: "preview -f values.yaml --to 1.7.0", want: []string{"is off: upgrade: fresh install of 1.7.0"}, not: []string{"dependsOn"}},
		{name: "values on stdin", stdin: peer, args: "explain -f -" + upgrade, want: []string{"stdin:1:34", "is on"}},
	}
}

func TestReports(t *testing.T) {
	for _, r := range reports() {
		t.Run(r.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("values.yaml", []byte(r.values), 0o600); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			code := run(strings.Fields(r.args), testWorld(bytes.NewReader([]byte(r.stdin)), &stdout, &stderr))
			all := stdout.String() + stderr.String()
			if code != r.code {
				t.Errorf("exit code %d, want %d", code, r.code)
			}
			for _, want := range r.want {
				if !strings.Contains(strings.Join(strings.Fields(all), " "), strings.Join(strings.Fields(want), " ")) || strings.Contains(want, "\n") && !strings.Contains(all, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			for _, not := range r.not {
				if strings.Contains(all, not) {
					t.Errorf("it says %q", not)
				}
			}
			if t.Failed() {
				t.Logf("stdout:\n%s\nstderr:\n%s", stdout.String(), stderr.String())
			}
		})
	}
}
