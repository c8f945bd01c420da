package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzExplain: whatever values come on stdin, the program answers or says why not: no panic, JSON on stdout or nothing, and no secret.
func FuzzExplain(f *testing.F) {
	for _, r := range reports() {
		f.Add(r.values)
	}
	f.Add("metallb: {bgp_lbs: {l3_options: {bgp_peers: {p: {password: PLANTED-1, node_selectors: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]}}}}}\ncluster: {capm3: {networks: {primary: {subnet: 192.0.2.0/33}}}}\n")
	f.Add("units: {metallb: {enabled: '{{ .Values.x.password }}', kustomization_name: [a]}, metallb-image-prepull: {kustomization_spec: {images: {a: b}, patches: null, timeout: 1}}}\nx: {password: PLANTED-2}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "until") || strings.Contains(text, "repeat") || strings.Contains(text, "seq") || len(text) > 4000 {
			t.Skip("may ask for a lot of output")
		}
		for _, args := range []string{"explain -o json -f -", "preview -o json -f -", "images -o json -f -"} {
			var stdout, stderr bytes.Buffer
			code := run(strings.Fields(args+upgrade), testWorld(bytes.NewReader([]byte(text)), &stdout, &stderr))
			if code != codeFine && code != codeBad || code == codeBad && stderr.Len() == 0 && stdout.Len() == 0 {
				t.Errorf("%s: exit code %d, and no word", args, code)
			}
			if stdout.Len() > 0 && !json.Valid(stdout.Bytes()) {
				t.Errorf("%s: no JSON: %s", args, stdout.String())
			}
		}
	})
}

// FuzzImages: no rendered manifests make the program panic.
func FuzzImages(f *testing.F) {
	f.Add("kind: DaemonSet\nspec: {template: {spec: {containers: [{name: controller, image: a:1}, {name: frr, image: b:1}]}}}\n")
	f.Add("kind: DaemonSet\nspec: {template: {spec: {containers: [{name: controller, image: [a]}, {name: frr}]}}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		var all bytes.Buffer
		args := strings.Fields("preview -w - --upgrade --assume bgp=true --assume metallb=true")
		if code := run(args, testWorld(bytes.NewReader([]byte(text)), &all, &all)); code != codeFine && code != codeBad || all.Len() == 0 {
			t.Errorf("exit code %d: %s", code, all.String())
		}
	})
}
