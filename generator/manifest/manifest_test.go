package manifest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

func testFiles(t testing.TB, refs ...string) []File {
	t.Helper()
	definition, err := unit.Load(units.FS, "metallb-image-prepull")
	if err != nil {
		t.Fatal(err)
	}
	var images []Image
	for i, text := range refs {
		ref, err := image.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, Image{Name: definition.Images[i].Name, Ref: ref})
	}
	files, err := Files(definition, images)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestBuilt: what is built here by setting fields is what kustomize builds.
func TestBuilt(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	for name, test := range map[string]struct {
		refs []string
		spec Object
	}{
		"nothing set":       {[]string{"quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"}, Object{}},
		"names alone":       {[]string{"quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"}, Object{"images": []any{Object{"name": "quay.io/metallb/frr-k8s"}, Object{"name": "quay.io/frrouting/frr"}}}},
		"a tag":             {[]string{"quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"}, Object{"images": []any{Object{"name": "quay.io/frrouting/frr", "newTag": "10.4.4"}}}},
		"a name and a tag":  {[]string{"quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"}, Object{"images": []any{Object{"name": "quay.io/frrouting/frr", "newName": "harbor.example:8443/q/frr", "newTag": "1"}}}},
		"a digest":          {[]string{"quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"}, Object{"images": []any{Object{"name": "quay.io/frrouting/frr", "digest": digest}}}},
		"from a digest":     {[]string{"quay.io/metallb/frr-k8s@" + digest, "harbor.example:8443/frr:1@" + digest}, Object{"images": []any{Object{"name": "quay.io/metallb/frr-k8s", "newTag": "v1"}, Object{"name": "harbor.example:8443/frr", "newName": "x.example/frr"}}}},
		"another's name":    {[]string{"localhost:5000/frr-k8s:v1", "localhost:5000/frr:v1"}, Object{"images": []any{Object{"name": "localhost:5000/fr", "newTag": "v2"}, Object{"name": "frr", "newTag": "v2"}}}},
		"a namespace":       {[]string{"quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"}, Object{"targetNamespace": "kube-system"}},
		"twice in the list": {[]string{"quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"}, Object{"images": []any{Object{"name": "quay.io/frrouting/frr", "newTag": "1"}, Object{"name": "quay.io/frrouting/frr", "newTag": "2"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			files := testFiles(t, test.refs...)
			got, err := Built(files, test.spec)
			if err != nil {
				t.Fatal(err)
			}
			want, err := build(files, test.spec)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
				t.Errorf("(-kustomize +here):\n%s", diff)
			}
		})
	}
}

// asJSON makes numbers alike.
func asJSON(t *testing.T, objects []Object) string {
	t.Helper()
	data, err := json.MarshalIndent(objects, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPlainBuild: the files build with no plugin, as sylva-core's CI builds them, and their names are the unit's.
func TestPlainBuild(t *testing.T) {
	fsys := filesys.MakeFsInMemory()
	for _, file := range testFiles(t, "quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3") {
		if !strings.HasSuffix(string(file.Data), "\n") || strings.Contains(string(file.Data), "\r") || strings.Contains(string(file.Data), "image-prepull\"") {
			t.Errorf("%s:\n%s", file.Name, file.Data)
		}
		if err := fsys.WriteFile("/unit/"+file.Name, file.Data); err != nil {
			t.Fatal(err)
		}
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fsys, "/unit")
	if err != nil || resources.Size() != 1 {
		t.Fatalf("%d objects: %v", resources.Size(), err)
	}
	text, err := resources.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "name: image-prepull") || strings.Contains(string(text), "registry.example") {
		t.Errorf("a stand-in of the template is left:\n%s", text)
	}
}

func BenchmarkFiles(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		testFiles(b, "quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3")
	}
}
