package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOffline: what names a remote place through a patch, where package environment does not look, is not fetched either.
func TestOffline(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	t.Setenv("PATH", os.Getenv("PATH"))
	transport := http.DefaultTransport
	defer func() { http.DefaultTransport = transport }()
	offline()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"kustomization.yaml":     "generators: [gen]\n",
		"gen/kustomization.yaml": "resources: [g.yaml]\npatches: [{target: {kind: ConfigMapGenerator}, patch: '[{\"op\": \"replace\", \"path\": \"/files/0\", \"value\": \"a=" + server.URL + "\"}]'}]\n",
		"gen/g.yaml":             "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nfiles: [kustomization.yaml]\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var all bytes.Buffer
	code := run([]string{"explain", dir, "--to", "1.7.0"}, testWorld(bytes.NewReader(nil), &all, &all))
	if code != codeBad || asked > 0 || !strings.Contains(all.String(), "nothing is fetched here") {
		t.Errorf("exit code %d, %d requests: %s", code, asked, all.String())
	}
}
