package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAdvice has, for every warning, values that must give it and values close to them that must not.
func TestAdvice(t *testing.T) {
	const (
		two    = "metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {local_asn: 1, peer_asn: 2, peer_address: 192.0.2.1%s}, b: {local_asn: %s, peer_asn: 2, peer_address: %s%s}}}}}\n"
		chart  = "units: {metallb: {helmrelease_spec: {chart: {spec: {version: %s}}}}}\n"
		subnet = "cluster: {capm3: {networks: {primary: {subnet: %s}}}}\n"
	)
	fill := func(format string, args ...string) string {
		for _, arg := range args {
			format = strings.Replace(format, "%s", arg, 1)
		}
		return format
	}
	left, right := ", node_selectors: [{matchLabels: {rack: r1}}]", ", node_selectors: [{matchLabels: {rack: r2}}]"
	for rule, test := range map[string]struct {
		warns, not []string
		args       string
	}{
		"peer-asn": {warns: []string{fill(two, "", "3", "192.0.2.2", ""), fill(two, left, "3", "192.0.2.2", "")},
			not: []string{fill(two, "", "1", "192.0.2.2", ""), fill(two, left, "3", "192.0.2.2", right), peer + "metallb_helm_values: {frrk8s: {enabled: false}}\n"}},
		"peer-address":   {warns: []string{fill(two, "", "1", "192.0.2.1", ""), fill(two, left, "1", "192.0.2.1", left)}, not: []string{fill(two, "", "1", "192.0.2.2", ""), fill(two, left, "1", "192.0.2.1", right)}},
		"peer-multihop":  {warns: []string{peer + fill(subnet, "198.51.100.0/24")}, not: []string{peer + fill(subnet, "192.0.2.0/24"), peer, strings.ReplaceAll(peer, "64513", "64512") + fill(subnet, "198.51.100.0/24")}},
		"peer-field":     {warns: []string{"metallb: {bgp_lbs: {l3_options: {bgp_peers: {p: {ebgp_multihop: true}}}}}\n", "metallb: {bgp_lbs: {l3_options: {bgp_peers: {p: 192.0.2.1}}}}\n"}, not: []string{peer}},
		"peers-template": {args: " --core ../core", warns: []string{"metallb: {bgp_lbs: {l3_options: {bgp_peers: '{{ .Values.zz | include \"preserve-type\" }}'}}}\n"}, not: []string{"metallb: {bgp_lbs: {l3_options: {bgp_peers: '{{ dict | include \"preserve-type\" }}'}}}\n"}},
		"old-location":   {warns: []string{"cluster: {metallb: {bgp_lbs: {l3_options: {bgp_peers: [{name: a}]}}}}\n"}, not: []string{"cluster: {metallb: '{{ dict }}'}\n", "cluster: {metallb: {l2_lbs: {}}}\n"}},
		"bfd-native": {warns: []string{"metallb: {bgp_lbs: {l3_options: {bfd_profiles: {x: {}}, bgp_peers: {p: {bfd_profile: x}}}}}\nmetallb_helm_values: {frrk8s: {enabled: false}}\n"},
			not: []string{"metallb: {bgp_lbs: {l3_options: {bfd_profiles: {x: {}}, bgp_peers: {p: {bfd_profile: x}}}}}\n", helmValues("{frrk8s: {enabled: false}}")}},
		"frr-k8s-key":        {warns: []string{helmValues("{frr-k8s: {enabled: true}}"), helmValues("{frr-k8s: {enabled: false}}")}, not: []string{helmValues("{frrk8s: {enabled: true}}")}},
		"frr-modes":          {warns: []string{helmValues("{speaker: {frr: {enabled: true}}}"), "metallb_helm_values: {speaker: {frr: {enabled: true}}}\n"}, not: []string{helmValues("{speaker: {frr: {enabled: false}}}"), helmValues("{speaker: {frr: {enabled: true}}, frrk8s: {enabled: false}}")}},
		"frr-k8s-external":   {warns: []string{helmValues("{frrk8s: {external: true}}")}, not: []string{helmValues("{frrk8s: {external: false}}")}},
		"frr-k8s-scheduling": {warns: []string{helmValues("{speaker: {tolerations: [{operator: Exists}]}}"), helmValues("{speaker: {nodeSelector: {a: b}}, frr-k8s: {frrk8s: {tolerations: [{operator: Exists}]}}}")}, not: []string{helmValues("{speaker: {priorityClassName: x}, frr-k8s: {frrk8s: {priorityClassName: x}}}"), helmValues("{speaker: {tolerations: []}}")}},
		"speaker-frr-image":  {warns: []string{helmValues("{speaker: {frr: {image: {tag: '1'}}}}"), "metallb_helm_values: {speaker: {frr: {image: {tag: '1'}}}}\n"}, not: []string{helmValues("{speaker: {frr: {image: {tag: '1'}}}, frrk8s: {enabled: false}}"), helmValues("{frr-k8s: {frrk8s: {frr: {image: {tag: '1'}}}}}")}},
		"unquoted-tag":       {warns: []string{helmValues("{speaker: {image: {tag: 1.10}}}"), helmValues("{controller: {image: {tag: yes}}}")}, not: []string{helmValues("{speaker: {image: {tag: '1.10'}}}"), helmValues("{speaker: {image: {tag: v1.10}}}")}},
		"image-digest":       {args: " --image frr=quay.io/frrouting/frr@sha256:" + strings.Repeat("a", 64), warns: []string{peer}},
		"image-shell":        {warns: []string{helmValues("{frr-k8s: {frrk8s: {image: {repository: registry.example/frr-k8s-hardened}}}}")}, not: []string{helmValues("{frr-k8s: {frrk8s: {image: {repository: registry.example/mirror/frr-k8s}}}}")}},
		"pull-secret":        {warns: []string{helmValues("{imagePullSecrets: [{name: a}]}"), helmValues("{frr-k8s: {imagePullSecrets: [{name: a}]}}"), helmValues("{frr-k8s: {imagePullSecrets: [a]}}")}, not: []string{helmValues("{imagePullSecrets: []}")}},
		"short-timeout":      {warns: []string{specOf("{timeout: 30s}"), specOf("{timeout: 299s}"), specOf("{timeout: often}")}, not: []string{specOf("{timeout: 5m}"), peer}},
		"chart-release":      {warns: []string{peer + fill(chart, "0.15.3")}, not: []string{peer + fill(chart, "0.16.1")}},
		"priority-class":     {warns: []string{peer}, not: []string{"metallb: {}\n"}},
		"native-stays":       {args: " --to 1.6.4", warns: []string{peer}, not: []string{helmValues("{frrk8s: {enabled: true}}"), "metallb: {}\n"}},
		"suspended":          {warns: []string{peer + "units: {metallb-image-prepull: {suspend: true}}\n", specOf("{suspend: true}")}, not: []string{peer + "units: {metallb-image-prepull: {suspend: false}}\n", specOf("{suspend: false}"), "units: {metallb-image-prepull: {suspend: true}}\n"}},
		"chart-overridden":   {args: " --core ../core", warns: []string{peer + fill(chart, "0.15.3"), peer + fill(chart, "9.9.9")}, not: []string{peer + fill(chart, "0.16.1"), peer + fill(chart, "0.16.0"), peer, "metallb: {}\n" + fill(chart, "0.15.3")}},
		"chart-broken":       {warns: []string{peer + fill(chart, "0.16.0")}, not: []string{peer + fill(chart, "0.16.1")}},
		"kube-rbac-proxy":    {warns: []string{peer + fill(chart, "0.15.3")}, not: []string{peer + fill(chart, "0.16.1"), "metallb: {}\n" + fill(chart, "0.15.3")}},
		"guards-overridden":  {warns: []string{peer + "units: {metallb-image-prepull: {enabled_conditions: []}}\n", peer + "units: {metallb-image-prepull: {enabled_conditions: null}}\n"}, not: []string{peer}},
		"webhook":            {warns: []string{peer}, not: []string{"metallb: {}\n", "metallb: {bgp_lbs: {l3_options: {bgp_peers: {p: {bfd_profile: x}}}}}\n"}},
	} {
		t.Run(rule, func(t *testing.T) {
			for _, values := range test.warns {
				if rules, out := adviceOn(t, values, test.args); !rules[rule] {
					t.Errorf("no warning for\n%s\n%s", values, out)
				}
			}
			for _, values := range test.not {
				if rules, out := adviceOn(t, values, test.args); rules[rule] {
					t.Errorf("a warning for\n%s\n%s", values, out)
				}
			}
		})
	}
}

// adviceOn are the rules of the warnings of explain.
func adviceOn(t *testing.T, values, args string) (map[string]bool, string) {
	t.Helper()
	dir := t.TempDir()
	core, err := filepath.Abs(inputs + "/core")
	if err := errors.Join(err, os.Mkdir(dir+"/example", 0o755), os.Symlink(core, dir+"/core")); err != nil {
		t.Fatal(err)
	}
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir + "/example")
	defer t.Chdir(back)
	if err := os.WriteFile("values.yaml", []byte(values), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	run(strings.Fields("explain -o json -f values.yaml --from 1.6.3 --to 1.7.0"+args), testWorld(bytes.NewReader(nil), &stdout, &stderr))
	var answer struct{ Warnings []struct{ Rule string } }
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	rules := map[string]bool{}
	for _, each := range answer.Warnings {
		rules[each.Rule] = true
	}
	return rules, stdout.String()
}
