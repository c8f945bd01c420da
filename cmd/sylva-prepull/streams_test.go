package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// full is a writer that fails after some bytes, as one to a full disk does.
type full struct{ left int }

func (f *full) Write(data []byte) (int, error) {
	n := min(f.left, len(data))
	f.left -= n
	if n < len(data) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// TestFullDisk: no command takes a result for written that is not, wherever the write fails.
func TestFullDisk(t *testing.T) {
	const list = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig:\n  apiVersion: prepull.sylva.org/v1alpha1\n  kind: ImagePrepull\n  metadata: {name: x}\n  spec: {release: {to: '1.7.0'}}\n"
	const rendered = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: metallb}\n"
	example, err := filepath.Abs(inputs + "/example/environment")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{"values.yaml": peer, "rendered.yaml": rendered} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"a", "b"} {
		if err := os.CopyFS(dir, os.DirFS(example)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{
		"preview -f values.yaml" + upgrade, "preview -o json -f values.yaml" + upgrade, "images -f values.yaml" + upgrade, "images -o json -f values.yaml" + upgrade,
		"explain -f values.yaml" + upgrade, "explain -o json -f values.yaml" + upgrade, "explain -o yaml -f values.yaml" + upgrade,
		"explain -o csv -f values.yaml" + upgrade, "explain -o markdown -f values.yaml" + upgrade, "explain a b", "explain -o json a b", "explain -o csv a b",
		"explain -f values.yaml", // undecided, which has an exit code of its own
		"verify -o json -r rendered.yaml", "graph --all -o mermaid -r rendered.yaml", "fn",
		"version", "version -o json", "--help", "preview --help", "", "completion bash",
	} {
		for _, left := range []int{0, 1, 10} {
			var stderr bytes.Buffer
			w := world{in: strings.NewReader(list), out: &full{left}, err: &stderr, fsys: filesys.MakeFsOnDisk(), lookupEnv: func(string) (string, bool) { return "", false }}
			if code := run(strings.Fields(args), w); code != codeBad && !(args == "version" && left == 10) {
				t.Errorf("%q with room for %d bytes: exit code %d", args, left, code)
			} else if code == codeBad && !strings.Contains(stderr.String(), "Error: writing the result: no space left on device") {
				t.Errorf("%q: it does not say why:\n%s", args, stderr.String())
			}
		}
	}
}

// TestOutputDir: what stands in the way of --output-dir is told, and with the exit code of a failure.
func TestOutputDir(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{"values.yaml": peer, "file": "kept"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join("taken", "daemonset-metallb-image-prepull.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("read-only", 0o555); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"file": "file", "file/below": "file", "taken": "daemonset-metallb-image-prepull.yaml", "read-only/new": "read-only", "new\x00": "invalid",
	} {
		if os.Getuid() == 0 && strings.HasPrefix(dir, "read-only") {
			continue // root writes everywhere
		}
		var stdout, stderr bytes.Buffer
		code := run(append(strings.Fields("preview -f values.yaml"+upgrade), "--output-dir", dir), testWorld(bytes.NewReader(nil), &stdout, &stderr))
		if code != codeBad || stdout.Len() > 0 || !strings.Contains(stderr.String(), want) || !strings.Contains(stderr.String(), "Error:") {
			t.Errorf("--output-dir %q: exit code %d, %q", dir, code, stderr.String())
		}
	}
	if err := os.WriteFile("out.yaml", []byte("units: {metallb: {kustomization_name: ../../out}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	if code := run(append(strings.Fields("preview -f values.yaml -f out.yaml"+upgrade), "--output-dir", "a/b"), testWorld(bytes.NewReader(nil), &all, &all)); code != codeBad || !strings.Contains(all.String(), "lead out of --output-dir") {
		t.Errorf("a name that leads out: exit code %d, %s", code, all.String())
	}
	if data, err := os.ReadFile("file"); err != nil || string(data) != "kept" {
		t.Errorf("the file in the way is %q: %v", data, err)
	}
}

// TestUnreadable: files that cannot be read are told with their names.
func TestUnreadable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("secret.yaml", []byte(peer), 0o000); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	cases := []string{"explain -f dir", "explain -f absent.yaml", "explain --core absent", "explain --core dir", "images -w dir", "images -w absent.yaml", "explain --units-dir absent", "explain dir", "explain absent"}
	if os.Getuid() != 0 {
		cases = append(cases, "explain -f secret.yaml", "images -w secret.yaml")
	}
	for _, args := range cases {
		var stdout, stderr bytes.Buffer
		code := run(strings.Fields(args), testWorld(bytes.NewReader(nil), &stdout, &stderr))
		words := strings.Fields(args)
		if code != codeBad || stdout.Len() > 0 || !strings.Contains(stderr.String(), words[len(words)-1]) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, stdout.String(), stderr.String())
		}
	}
}
