package environment_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: sylva-units, namespace: ns1}
spec:
  chart: {spec: {valuesFiles: [charts/sylva-units/values.yaml, charts/sylva-units/workload-cluster.values.yaml]}}
`

// tree is a file system in memory.
func tree(t *testing.T, files map[string]string) filesys.FileSystem {
	t.Helper()
	fsys := filesys.MakeFsInMemory()
	for name, content := range files {
		if err := fsys.WriteFile("/"+name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	return fsys
}

func TestLayers(t *testing.T) {
	fsys := tree(t, map[string]string{
		"env/kustomization.yaml": `resources: [release.yaml]
configMapGenerator:
- {name: sylva-units-values, options: {disableNameSuffixHash: true}, files: [values=values.yaml]}
- {name: address, options: {disableNameSuffixHash: true}, literals: [ip=10.0.0.1, replicas=3, "quoted=\"'7'\""]}
secretGenerator:
- {name: sylva-units-secrets, options: {disableNameSuffixHash: true}, files: [secrets=secrets.yaml]}
`,
		"env/release.yaml": release + `  valuesFrom:
  - {kind: Secret, name: sylva-units-secrets, valuesKey: secrets}
  - {kind: ConfigMap, name: sylva-units-values, valuesKey: values}
  - {kind: ConfigMap, name: address, valuesKey: ip, targetPath: a.ip}
  - {kind: ConfigMap, name: address, valuesKey: replicas, targetPath: 'a.re\.plicas'}
  - {kind: ConfigMap, name: address, valuesKey: quoted, targetPath: a.quoted}
  - {kind: ConfigMap, name: absent, valuesKey: x, optional: true}
  - {kind: ConfigMap, name: mgmt-cluster-state-values, valuesKey: values}
  values: {a: {last: true}}
`,
		"env/values.yaml":  "a:\n  v: values\n  s: values\n",
		"env/secrets.yaml": "a:\n  s: secret\n  t: secret\n",
	})
	env, err := environment.Build(fsys, "/env")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"v": "values", "s": "values", "t": "secret", "ip": "10.0.0.1", "re.plicas": "3", "quoted": "7", "last": "true"} {
		node := env.Values.Get("a", path)
		if node == nil || node.Text != want && !(node.Kind == values.Bool && want == "true") {
			t.Errorf("a.%s: got %+v, want %s", path, node, want)
		}
	}
	if kind := env.Values.Get("a", "quoted").Kind; kind != values.String {
		t.Errorf("a number in quotes is %s", kind)
	}
	if got := env.Values.Get("a", "v").Where().String(); got != "/env/values.yaml:2:3" {
		t.Errorf("the place of a value is %s", got)
	}
	if !env.Values.Get("a", "t").Secret || env.Values.Get("a", "v").Secret {
		t.Error("what comes from the Secret is not told from the rest")
	}
	if env.Namespace != "ns1" || env.Release != "sylva-units" || len(env.ValuesFiles) != 2 || len(env.Missing) != 1 {
		t.Errorf("%+v", env)
	}
}

func TestRefused(t *testing.T) {
	from := func(entry string) map[string]string {
		return map[string]string{"env/kustomization.yaml": "resources: [release.yaml]\n", "env/release.yaml": release + "  valuesFrom: [" + entry + "]\n"}
	}
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no kustomization":   {map[string]string{"env/values.yaml": "a: 1\n"}, "building /env with kustomize"},
		"no HelmRelease":     {map[string]string{"env/kustomization.yaml": "namespace: x\nconfigMapGenerator: [{name: a, literals: [b=c]}]\n"}, "0 HelmReleases and none named sylva-units"},
		"broken yaml":        {map[string]string{"env/kustomization.yaml": "resources: [\n"}, "/env/kustomization.yaml:"},
		"remote base":        {map[string]string{"env/kustomization.yaml": "resources:\n- https://example.org/sylva-core.git//environment-values/base?ref=main\n"}, "/env/kustomization.yaml:2:3: \"https://example.org/sylva-core.git//environment-values/base?ref=main\" is remote"},
		"remote by ssh":      {map[string]string{"env/kustomization.yaml": "resources: ['git@example.org:a/b.git']\n"}, "is remote"},
		"remote below":       {map[string]string{"env/kustomization.yaml": "resources: [../base]\n", "base/kustomization.yaml": "components: [github.com/a/b]\n"}, "/base/kustomization.yaml:1:14: \"github.com/a/b\" is remote"},
		"remote patch":       {map[string]string{"env/kustomization.yaml": "patches: [{path: 'https://example.org/p.yaml'}]\n"}, "is remote"},
		"remote file":        {map[string]string{"env/kustomization.yaml": "configMapGenerator: [{name: a, files: ['x=https://example.org/f']}]\n"}, "is remote"},
		"capitals":           {map[string]string{"env/kustomization.yaml": "resources: ['HTTPS://example.org/x']\n"}, "is remote"},
		"a key in capitals":  {map[string]string{"env/kustomization.yaml": "resourcEs: ['http://example.org/x']\n"}, "is remote"},
		"a path in capitals": {map[string]string{"env/kustomization.yaml": "Patches: [{PATH: 'http://example.org/x'}]\n"}, "is remote"},
		"no slashes":         {map[string]string{"env/kustomization.yaml": "resources: ['http:example.org/x']\n"}, "is remote"},
		"another user":       {map[string]string{"env/kustomization.yaml": "resources: ['deploy@example.org:a/b']\n"}, "is remote"},
		"a file URL":         {map[string]string{"env/kustomization.yaml": "resources: ['FILE:///srv/a']\n"}, "is remote"},
		"github in capitals": {map[string]string{"env/kustomization.yaml": "resources: [GitHub.com/a/b]\n"}, "is remote"},
		"a key with a dot":   {map[string]string{"env/kustomization.yaml": "configMapGenerator: [{name: a, files: ['values.yaml=https://example.org/f']}]\n"}, "is remote"},
		"an old env":         {map[string]string{"env/kustomization.yaml": "configMapGenerator: [{name: a, env: 'HTTP://example.org/f'}]\n"}, "is remote"},
		"crds":               {map[string]string{"env/kustomization.yaml": "crds: ['HTTP://example.org/f']\n"}, "is remote"},
		"a replacement":      {map[string]string{"env/kustomization.yaml": "replacements: [{path: 'HTTP://example.org/f'}]\n"}, "is remote"},
		"a plugin's file":    {map[string]string{"env/kustomization.yaml": "generators: [g.yaml]\n", "env/g.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nfiles: ['http://example.org/x']\n"}, "/env/g.yaml:4:9: \"http://example.org/x\" is remote"},
		"a plugin inline":    {map[string]string{"env/kustomization.yaml": "transformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: x}\n  path: http://example.org/x\n"}, "/env/kustomization.yaml:2:3: \"http://example.org/x\" is remote"},
		"a plugin's base":    {map[string]string{"env/kustomization.yaml": "generators: [gen]\n", "env/gen/kustomization.yaml": "resources: [g.yaml]\n", "env/gen/g.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nfiles: ['a=http://example.org/x']\n"}, "/env/gen/g.yaml:4:9:"},
		"missing source":     {from("{kind: Secret, name: zz, valuesKey: values}"), "spec.valuesFrom[0]: no Secret zz in the build"},
		"missing target":     {from("{kind: ConfigMap, name: zz, valuesKey: v, targetPath: a}"), "no ConfigMap zz in the build"},
		"another hash":       {map[string]string{"env/kustomization.yaml": "resources: [release.yaml]\nconfigMapGenerator: [{name: zz, literals: [a=b]}]\n", "env/release.yaml": release + "  valuesFrom: [{kind: ConfigMap, name: zz, valuesKey: a}]\n"}, "no ConfigMap zz in the build: there is zz-"},
		"binary":             {map[string]string{"env/kustomization.yaml": "resources: [release.yaml]\nconfigMapGenerator: [{name: zz, options: {disableNameSuffixHash: true}, files: [a=f]}]\n", "env/f": "\xff\xfea\x00", "env/release.yaml": release + "  valuesFrom: [{kind: ConfigMap, name: zz, valuesKey: a}]\n"}, `the data of "a" is no UTF-8`},
		"sources as text":    {from("v"), "spec.valuesFrom[0]: a map with kind (ConfigMap or Secret) and name is due"},
		"a null source":      {from("null"), "spec.valuesFrom[0]: a map with kind"},
		"another kind":       {from("{kind: Configmap, name: a}"), "spec.valuesFrom[0]: a map with kind (ConfigMap or Secret)"},
		"a name of a number": {from("{kind: Secret, name: 1}"), "spec.valuesFrom[0]: a map with kind"},
		"sources as a map":   {map[string]string{"env/kustomization.yaml": "resources: [release.yaml]\n", "env/release.yaml": release + "  valuesFrom: {kind: Secret, name: a}\n"}, "spec.valuesFrom: a list is due"},
		"values as text":     {map[string]string{"env/kustomization.yaml": "resources: [release.yaml]\n", "env/release.yaml": release + "  values: 'a: 1'\n"}, "spec.values: a map is due"},
		"a comma in a value": {map[string]string{"env/kustomization.yaml": "resources: [release.yaml]\nconfigMapGenerator: [{name: zz, options: {disableNameSuffixHash: true}, literals: ['a=b,c']}]\n", "env/release.yaml": release + "  valuesFrom: [{kind: ConfigMap, name: zz, valuesKey: a, targetPath: x}]\n"}, `targetPath "x": the value has a comma`},
		"encrypted":          {map[string]string{"env/kustomization.yaml": "resources: [release.yaml, s.yaml]\n", "env/s.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: zz}\ndata: {a: 'ENC[AES256_GCM,data:x]'}\n", "env/release.yaml": release + "  valuesFrom: [{kind: Secret, name: zz, valuesKey: a}]\n"}, "encrypted with SOPS as a whole"},
		"exec plugin":        {map[string]string{"env/kustomization.yaml": "generators: [g.yaml]\n", "env/g.yaml": "apiVersion: v1\nkind: X\nmetadata: {name: x, annotations: {config.kubernetes.io/function: 'exec: {path: ./x}'}}\n"}, "building /env with kustomize"},
		"two other releases": {map[string]string{"env/kustomization.yaml": "resources: [a.yaml]\n", "env/a.yaml": strings.ReplaceAll(release, "sylva-units,", "a,") + "---\n" + strings.ReplaceAll(release, "sylva-units,", "b,")}, "2 HelmReleases"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := environment.Build(tree(t, test.files), "/env")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestPlaceholderNamespace(t *testing.T) {
	env, err := environment.Build(tree(t, map[string]string{
		"clusters/edge-1/kustomization.yaml": "namespace: WORKLOAD_CLUSTER_NAMESPACE\nresources: [release.yaml]\n", "clusters/edge-1/release.yaml": release,
	}), "/clusters/edge-1")
	if err != nil || env.Namespace != "edge-1" {
		t.Errorf("%+v, %v", env, err)
	}
}

func TestBelow(t *testing.T) {
	fsys := tree(t, map[string]string{
		"all/base/kustomization.yaml": "", "all/a/kustomization.yaml": "resources: [../base]\n", "all/sub/b/kustomization.yaml": "resources: [../../base]\ncomponents: [../../ha]\n",
		"all/ha/kustomization.yaml": "kind: Component\n", "all/broken/kustomization.yaml": "a: [\n", "none/x.yaml": "a: 1\n",
	})
	got, parent, err := environment.Below(fsys, "/all")
	if want := "/all/a /all/broken /all/sub/b"; err != nil || !parent || strings.Join(got, " ") != want {
		t.Errorf("got %v, %v, %v; want %s", got, parent, err, want)
	}
	if got, parent, err := environment.Below(fsys, "/all/a"); err != nil || parent || len(got) != 1 {
		t.Errorf("an environment itself: %v, %v, %v", got, parent, err)
	}
	for _, dir := range []string{"/none", "/absent", "/none/x.yaml"} {
		if _, _, err := environment.Below(fsys, dir); err == nil {
			t.Errorf("%s is taken for environments", dir)
		}
	}
}
