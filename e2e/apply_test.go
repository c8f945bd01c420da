package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/source"
)

// apply makes an object what it is given as, as Helm and kubectl would: a field that is no longer given goes away.
func (c *cluster) apply(ctx context.Context, u *unstructured.Unstructured) error {
	kind := u.GroupVersionKind()
	groups, err := restmapper.GetAPIGroupResources(c.client.Discovery())
	if err != nil {
		return err
	}
	mapping, err := restmapper.NewDiscoveryRESTMapper(groups).RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return err
	}
	return c.applyTo(ctx, mapping.Resource, u)
}

func (c *cluster) applyTo(ctx context.Context, resource schema.GroupVersionResource, u *unstructured.Unstructured) error {
	options := metav1.ApplyOptions{FieldManager: "helm", Force: true}
	var err error
	if u.GetNamespace() == "" {
		_, err = c.dynamic.Resource(resource).Apply(ctx, u.GetName(), u, options)
	} else {
		_, err = c.dynamic.Resource(resource).Namespace(u.GetNamespace()).Apply(ctx, u.GetName(), u, options)
	}
	if err != nil {
		return fmt.Errorf("apply %s %s: %w", u.GetKind(), u.GetName(), err)
	}
	return nil
}

// applyDirectory applies the manifests of a directory, in the order of their names.
func (c *cluster) applyDirectory(ctx context.Context, directory string) error {
	files, err := filepath.Glob(filepath.Join(directory, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			u := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			if err := c.apply(ctx, u); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return nil
}

// readTree reads the files of a directory into a tree, below a path.
func readTree(tree source.Tree, directory, below string) error {
	return filepath.WalkDir(directory, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(directory, path)
		tree[below+"/"+filepath.ToSlash(relative)] = string(text)
		return err
	})
}
