// Package source stands in for Flux's source-controller: it serves a tree of files as the artifact of a GitRepository.
package source

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// GitRepositories is the resource of the sources.
var GitRepositories = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "gitrepositories"}

// A Tree is the content of a source: text by path.
type Tree map[string]string

// A Server serves artifacts on the loopback interface.
type Server struct {
	client    dynamic.Interface
	http      http.Server
	url       string
	mu        sync.Mutex
	artifacts map[string][]byte
	revisions int
}

// Serve starts a server.
func Serve(client dynamic.Interface) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{client: client, url: "http://" + listener.Addr().String(), artifacts: map[string][]byte{}}
	s.http.Handler = s
	go s.http.Serve(listener) // ends with Close
	return s, nil
}

// Close ends the server.
func (s *Server) Close() error { return s.http.Close() }

// ServeHTTP gives the artifact at a path.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	artifact, ok := s.artifacts[r.URL.Path]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(artifact) // the controller notices, and asks again
}

// Publish makes the tree the next revision of a GitRepository, which is created if need be, and returns the revision.
func (s *Server) Publish(ctx context.Context, namespace, name string, tree Tree) (string, error) {
	artifact, err := pack(tree)
	if err != nil {
		return "", err
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(artifact))
	path := "/gitrepository/" + namespace + "/" + name + "/" + digest + ".tar.gz"
	s.mu.Lock()
	s.artifacts[path] = artifact
	s.revisions++
	revision := fmt.Sprintf("main@sha1:%040x", s.revisions)
	s.mu.Unlock()
	return revision, s.setArtifact(ctx, namespace, name, map[string]any{
		"path": path[1:], "url": s.url + path, "revision": revision, "digest": "sha256:" + digest, "size": int64(len(artifact)),
	})
}

func (s *Server) setArtifact(ctx context.Context, namespace, name string, artifact map[string]any) error {
	repositories := s.client.Resource(GitRepositories).Namespace(namespace)
	repository, err := repositories.Apply(ctx, name, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": GitRepositories.GroupVersion().String(), "kind": "GitRepository",
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"spec":     map[string]any{"url": "https://127.0.0.1/none.git", "interval": "1h"},
	}}, metav1.ApplyOptions{FieldManager: "helm", Force: true})
	if err != nil {
		return err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	artifact["lastUpdateTime"] = now
	repository.Object["status"] = map[string]any{
		"observedGeneration": repository.GetGeneration(),
		"artifact":           artifact,
		"conditions": []any{map[string]any{
			"type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored artifact", "lastTransitionTime": now,
			"observedGeneration": repository.GetGeneration(),
		}},
	}
	_, err = repositories.UpdateStatus(ctx, repository, metav1.UpdateOptions{})
	return err
}

// pack makes a tar.gz of a tree.
func pack(tree Tree) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for _, path := range slices.Sorted(maps.Keys(tree)) {
		header := &tar.Header{Name: path, Mode: 0o644, Size: int64(len(tree[path])), Typeflag: tar.TypeReg}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write([]byte(tree[path])); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
