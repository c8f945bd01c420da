package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

// TestPull: Flux pulls exactly the images of the preview when it applies the Kustomization printed to the manifests in a repository,
// whether these were generated with the same images given or without.
func TestPull(t *testing.T) {
	const frrK8s, frr = "quay.io/metallb/frr-k8s:v0.0.25", "quay.io/frrouting/frr:10.4.3"
	digest := "@sha256:" + strings.Repeat("a", 64)
	mirrored := helmValues("{frr-k8s: {frrk8s: {frr: {image: {tag: 10.4.9}}, image: {repository: harbor.example/frr-k8s}}}}")
	for name, test := range map[string]struct {
		values, image, frrK8s, frr string // given, and what must be pulled
	}{
		"nothing given":           {values: peer, frrK8s: frrK8s, frr: frr},
		"overrides":               {values: mirrored, frrK8s: "harbor.example/frr-k8s:v0.0.25", frr: "quay.io/frrouting/frr:10.4.9"},
		"a mirror":                {values: peer, image: "mirror.example.org/frr:10.4.3", frrK8s: frrK8s, frr: "mirror.example.org/frr:10.4.3"},
		"a tag":                   {values: peer, image: "quay.io/frrouting/frr:10.4.4", frrK8s: frrK8s, frr: "quay.io/frrouting/frr:10.4.4"},
		"a digest":                {values: peer, image: "mirror.example.org:5000/frr" + digest, frrK8s: frrK8s, frr: "mirror.example.org:5000/frr" + digest},
		"a tag and a digest":      {values: peer, image: "quay.io/frrouting/frr:1" + digest, frrK8s: frrK8s, frr: "quay.io/frrouting/frr:1" + digest},
		"a mirror and overrides":  {values: mirrored, image: "mirror.example.org/frr:1", frrK8s: "harbor.example/frr-k8s:v0.0.25", frr: "mirror.example.org/frr:10.4.9"},
		"a list of the user's":    {values: specOf("{images: [{name: quay.io/frrouting/frr, newTag: '1'}]}"), image: "mirror.example.org/frr:2", frrK8s: frrK8s, frr: "mirror.example.org/frr:2"},
		"no list of the user's":   {values: specOf("{images: null}"), image: "mirror.example.org/frr:2", frrK8s: frrK8s, frr: "mirror.example.org/frr:2"},
		"a digits-only tag":       {values: peer, image: "mirror.example.org/frr:10", frrK8s: frrK8s, frr: "mirror.example.org/frr:10"},
		"a repository by default": {values: peer, image: "frr:10.4.3", frrK8s: frrK8s, frr: "frr:10.4.3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("values.yaml", []byte(test.values), 0o600); err != nil {
				t.Fatal(err)
			}
			args := strings.Fields("preview -o json -f values.yaml" + upgrade)
			generated := [][]string{{frrK8s, frr}}
			if test.image != "" {
				args = append(args, "--image", "frr="+test.image)
				generated = append(generated, []string{frrK8s, test.image}, []string{frrK8s, "quay.io/frrouting/frr:9.9.9"})
			}
			var stdout, stderr bytes.Buffer
			if code := run(args, testWorld(bytes.NewReader(nil), &stdout, &stderr)); code != codeFine {
				t.Fatalf("exit code %d: %s", code, stderr.String())
			}
			var objects []map[string]any
			if err := json.Unmarshal(stdout.Bytes(), &objects); err != nil {
				t.Fatal(err)
			}
			want := []string{test.frrK8s, test.frr}
			if got := imagesIn(t, objects[1]); !slices.Equal(got, want) {
				t.Errorf("the DaemonSet printed pulls %v, want %v", got, want)
			}
			for _, refs := range generated {
				if got := applied(t, refs, objects[0]["spec"].(map[string]any)["images"]); !slices.Equal(got, want) {
					t.Errorf("Flux makes %v of the manifests with %v, want %v", got, refs, want)
				}
			}
		})
	}
}

// TestPullCommitted: with a checkout whose manifests were generated with an image of their own, the preview is what Flux makes of these.
func TestPullCommitted(t *testing.T) {
	core, err := filepath.Abs(inputs + "/core")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("core", os.DirFS(core)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("values.yaml", []byte(peer), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("tag.yaml", []byte("metallb_helm_values: {frr-k8s: {frrk8s: {frr: {image: {tag: 10.4.4}}}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const chart = " --metallb-chart-version 0.16.1"
	runFine(t, "generate --core core --to 1.7.0 --image frr=mirror.example.org/frr:10.4.9"+chart)
	var files []manifest.File
	for _, name := range []string{"daemonset.yaml", "kustomization.yaml"} {
		data, err := os.ReadFile(filepath.Join("core/kustomize-units/metallb-image-prepull", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, manifest.File{Name: name, Data: data})
	}
	for args, want := range map[string]string{
		"": "mirror.example.org/frr:10.4.9", " -f tag.yaml": "mirror.example.org/frr:10.4.4", " --image frr=other.example.org/frr:1": "other.example.org/frr:1",
		" --image frr=quay.io/frrouting/frr:2": "quay.io/frrouting/frr:2", " -f tag.yaml --image frr=other.example.org/frr:1": "other.example.org/frr:10.4.4",
	} {
		var objects []map[string]any
		if err := json.Unmarshal(runFine(t, "preview -o json --core core -f values.yaml"+upgrade+chart+args), &objects); err != nil {
			t.Fatal(err)
		}
		printed := imagesIn(t, objects[1])
		if flux := appliedTo(t, files, objects[0]["spec"].(map[string]any)["images"]); printed[1] != want || !slices.Equal(flux, printed) {
			t.Errorf("%q: the preview pulls %v, Flux %v, want %s", args, printed, flux, want)
		}
	}
}

// runFine runs a command that must succeed, and returns its stdout.
func runFine(t *testing.T, args string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(strings.Fields(args), testWorld(bytes.NewReader(nil), &stdout, &stderr)); code != codeFine {
		t.Fatalf("%q: exit code %d: %s", args, code, stderr.String())
	}
	return stdout.Bytes()
}

// applied are the images that kustomize makes of the unit's manifests with spec.images.
func applied(t *testing.T, refs []string, images any) []string {
	t.Helper()
	definition, err := unit.Load(units.FS, "metallb-image-prepull")
	if err != nil {
		t.Fatal(err)
	}
	var held []manifest.Image
	for i, text := range refs {
		ref, err := image.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, manifest.Image{Name: definition.Images[i].Name, Ref: ref})
	}
	files, err := manifest.Files(definition, held)
	if err != nil {
		t.Fatal(err)
	}
	return appliedTo(t, files, images)
}

// appliedTo does the same with manifests as they are.
func appliedTo(t *testing.T, files []manifest.File, images any) []string {
	t.Helper()
	fsys := filesys.MakeFsInMemory()
	for _, file := range files {
		if err := fsys.WriteFile("/unit/base/"+file.Name, file.Data); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"resources": []string{"base"}, "images": images})
	if err != nil {
		t.Fatal(err)
	}
	if err := fsys.WriteFile("/unit/kustomization.yaml", overlay); err != nil {
		t.Fatal(err)
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fsys, "/unit")
	if err != nil {
		t.Fatal(err)
	}
	object, err := built.Resources()[0].Map()
	if err != nil {
		t.Fatal(err)
	}
	return imagesIn(t, object)
}

func imagesIn(t *testing.T, object map[string]any) []string {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var pods struct {
		Spec struct {
			Template struct {
				Spec struct{ Containers []struct{ Image string } }
			}
		}
	}
	if err := json.Unmarshal(data, &pods); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, container := range pods.Spec.Template.Spec.Containers {
		out = append(out, container.Image)
	}
	return out
}
