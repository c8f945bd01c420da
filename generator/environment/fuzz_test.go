package environment_test

import (
	"net/http"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
)

// caught is a transport that fails the test at every request.
type caught struct{ t *testing.T }

func (c caught) RoundTrip(request *http.Request) (*http.Response, error) {
	c.t.Errorf("a request for %s", request.URL)
	return nil, http.ErrNotSupported
}

// FuzzBuild: no directory makes the build panic or ask the network, and what it gives has values.
func FuzzBuild(f *testing.F) {
	const kustomization = "resources: [release.yaml]\nconfigMapGenerator: [{name: v, files: [values=values.yaml]}]\n"
	valuesFrom := release + "  valuesFrom: [{kind: ConfigMap, name: v, valuesKey: values}]\n"
	for _, seed := range []struct{ kustomization, release, values string }{
		{kustomization, valuesFrom, "a: 1\n"},
		{"resources: [release.yaml]\nsecretGenerator: [{name: v, literals: [values=b]}]\n", release + "  valuesFrom: [{kind: Secret, name: v, valuesKey: values, targetPath: 'a.b\\.c'}]\n  values: {a: 1}\n", ""},
		{"resources: [release.yaml, values.yaml]\npatches: [{patch: '[]', target: {kind: HelmRelease}}]\n", release, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v}\n"},
		{"generators: [values.yaml]\nresources: [release.yaml]\n", release, "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nfiles: [a=values.yaml]\n"},
		{"resourcEs: ['HTTPS://example.org/x']\nPatches: [{PATH: 'https://example.org/y'}]\n", "kind: HelmRelease", "- a"},
		{"resources: ['HTTPS://example.org/x', 'a@b:c/d', 'k=file:///x']\n", "kind: HelmRelease", "- a"},
	} {
		f.Add(seed.kustomization, seed.release, seed.values)
	}
	f.Setenv("PATH", "")
	f.Fuzz(func(t *testing.T, kustomization, release, values string) {
		transport := http.DefaultTransport
		http.DefaultTransport = caught{t}
		defer func() { http.DefaultTransport = transport }()
		fsys := filesys.MakeFsInMemory()
		for name, text := range map[string]string{"kustomization.yaml": kustomization, "release.yaml": release, "values.yaml": values} {
			if err := fsys.WriteFile("/env/"+name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		env, err := environment.Build(fsys, "/env")
		if err == nil && (env == nil || env.Values == nil) {
			t.Error("neither values nor an error")
		}
		_, _, _ = environment.Below(fsys, "/env") // an error, or not
	})
}
