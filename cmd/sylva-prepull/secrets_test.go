package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planted marks what must not come out.
const planted = "PLANTED"

// secretEnvironment writes an environment whose Secret is the text given; its values have peers with secrets of their own.
func secretEnvironment(t *testing.T, secrets, more string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(inputs+"/example/environment")); err != nil {
		t.Fatal(err)
	}
	values := `
metallb:
  bgp_lbs:
    l3_options:
      bgp_peers:
        tor-a: {local_asn: 64512, peer_asn: 64513, peer_address: 192.0.2.1, password: PLANTED-password, passwordSecret: PLANTED-name}
        tor-b: {local_asn: 64512, peer_asn: 64513, peer_address: 192.0.2.1}
cluster: {capo: {clouds_yaml: {auth: {password: PLANTED-cloud}}}}
` + more
	for name, text := range map[string]string{"secrets.yaml": secrets, "values.yaml": values} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSecrets plants secrets and greps every output for them. Where told is not empty, the message must be there, with the secret
// taken out of it: without redaction the test fails.
func TestSecrets(t *testing.T) {
	for name, test := range map[string]struct{ secrets, more, told string }{
		"peers in a Secret":       {secrets: "metallb: {bgp_lbs: {l3_options: {bgp_peers: {tor-a: {password: PLANTED-1}, tor-c: {peer_address: PLANTED-2}}}}}"},
		"a template that fails":   {secrets: "pw: PLANTED-long-one", more: "units: {metallb: {enabled: '{{ fail .Values.pw }}'}}", told: "(redacted)"},
		"a template in a Secret":  {secrets: "units: {metallb: {enabled: '{{ fail \"PLANTED-text\" }}'}}", told: "a template in a Secret that cannot be evaluated here"},
		"not a boolean":           {secrets: "units: {metallb: {enabled: PLANTED-bool}}", told: "the chart takes true, false or nothing as a boolean"},
		"not a number":            {secrets: "pw: PLANTED-number", more: "units: {metallb: {enabled: '{{ .Values.pw | mustToDate \"x\" }}'}}"},
		"an error with the value": {secrets: "pw: PLANTED-json", more: "units: {metallb: {enabled: '{{ mustFromJson .Values.pw }}'}}"},
		"encoded":                 {secrets: "pw: PLANTED-enc", more: "units: {metallb: {enabled: '{{ .Values.pw | b64enc | mustFromJson }}'}}"},
		"in depends_on":           {secrets: "pw: PLANTED-deps", more: "units: {metallb: {depends_on: {x: '{{ fail .Values.pw }}'}}}", told: "(redacted)"},
		"a duplicate key":         {secrets: "metallb: {a: PLANTED-a}\nmetallb: {b: PLANTED-b}", told: "the key stands twice"},
		"broken YAML":             {secrets: "metallb: {a: 'PLANTED-a\nb: PLANTED-b"},
		"a tab":                   {secrets: "metallb:\n\ta: PLANTED-a"},
		"a list on top":           {secrets: "- PLANTED-a"},
		"SOPS":                    {secrets: "metallb: {bgp_lbs: 'ENC[AES256_GCM,data:PLANTED,iv:x]'}", more: "pw: 'ENC[AES256_GCM,data:PLANTED2]'\nunits: {metallb: {enabled: '{{ .Values.pw }}'}}", told: "encrypted with SOPS"},
		"an image in a Secret":    {secrets: "metallb_helm_values: {frr-k8s: {frrk8s: {frr: {image: {tag: 'PLANTED tag'}}}}}", told: "blank in the reference"},
		"an alias":                {secrets: "pw: *PLANTED", told: "an alias without an anchor"},
		"a tag":                   {secrets: "pw: !PLANTED x\nqw: !!int PLANTED", told: "does not fit the value"},
		"peers as a list":         {secrets: "metallb: {bgp_lbs: {l3_options: {bgp_peers: [{password: PLANTED-a}]}}}"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := secretEnvironment(t, test.secrets, test.more)
			var all bytes.Buffer
			for _, args := range [][]string{{"explain", dir}, {"explain", dir, "-o", "json"}, {"explain", dir, dir}, {"preview", dir}, {"images", dir}, {"preview", dir, "--core", inputs + "/core"}} {
				run(append(args, "--from", "1.6.3", "--to", "1.7.0"), testWorld(bytes.NewReader(nil), &all, &all))
			}
			for line := range strings.Lines(all.String()) {
				if strings.Contains(line, planted) {
					t.Errorf("a secret is printed: %s", line)
				}
			}
			if !strings.Contains(all.String(), test.told) {
				t.Errorf("it does not say %q:\n%s", test.told, all.String())
			}
		})
	}
}

// TestNoSecretsInGolden greps the golden outcomes for the secrets of the inputs.
func TestNoSecretsInGolden(t *testing.T) {
	for path, content := range readTree(t, golden) {
		if strings.Contains(content, "example-password") || strings.Contains(content, planted) {
			t.Errorf("golden/%s holds a secret", path)
		}
	}
}

// TestSecretsInBuild: kustomize's messages quote what generators and patches hold.
func TestSecretsInBuild(t *testing.T) {
	const head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [helm-release.yaml]\nconfigMapGenerator: [{name: sylva-units-values, files: [values=values.yaml]}]\n"
	const literal = head + "secretGenerator: [{name: sylva-units-secrets, literals: ['secrets=a: 1']}]\n"
	for name, test := range map[string]struct{ kustomization, told string }{
		"a literal without =":  {head + "secretGenerator: [{name: sylva-units-secrets, literals: ['PLANTED text']}]\n", "a literal (not shown"},
		"a patch that is none": {literal + "patches: [{patch: \"kind: Secret\\nstringData: {pw: PLANTED\"}]\n", "unable to parse"},
		"a path that is none":  {literal + "patches: [{target: {kind: Secret}, patch: '[{op: add, path: /x/y/z, value: PLANTED}]'}]\n", "unable to parse"},
		"a path not there":     {literal + "patches: [{target: {kind: Secret}, patch: '[{\"op\": \"add\", \"path\": \"/x/y/z\", \"value\": \"PLANTED\"}]'}]\n", "doc is missing path"},
		"bytes that are none":  {head + "secretGenerator: [{name: sylva-units-secrets, envs: [secrets.yaml]}]\n", "a line (not shown"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := secretEnvironment(t, "pw=\xff\xfePLANTED", "")
			if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(test.kustomization), 0o600); err != nil {
				t.Fatal(err)
			}
			var all bytes.Buffer
			if code := run([]string{"explain", dir, "--to", "1.7.0"}, testWorld(bytes.NewReader(nil), &all, &all)); code != codeBad {
				t.Errorf("exit code %d", code)
			}
			if text := all.String(); strings.Contains(text, planted) || !strings.Contains(text, test.told) {
				t.Errorf("a secret, or not %q:\n%s", test.told, text)
			}
		})
	}
}

// TestSecretTargetPath: a value that a Secret puts at a targetPath is secret too.
func TestSecretTargetPath(t *testing.T) {
	dir := secretEnvironment(t, "PLANTED-target", "units: {metallb: {enabled: '{{ fail .Values.other.text }}'}}")
	file := filepath.Join(dir, "helm-release.yaml")
	release, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(release), "valuesKey: secrets", "valuesKey: secrets\n    targetPath: other.text", 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	run([]string{"explain", dir, "--to", "1.7.0"}, testWorld(bytes.NewReader(nil), &all, &all))
	if text := all.String(); strings.Contains(text, planted) || !strings.Contains(text, "(redacted)") {
		t.Errorf("a secret is printed, or nothing is redacted:\n%s", text)
	}
}
