package environment

import (
	"fmt"
	"path/filepath"
	"regexp"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// refuseRemote walks the kustomizations below dir and refuses what kustomize would fetch.
func refuseRemote(fsys filesys.FileSystem, dir string, seen map[string]bool) error {
	root, err := Kustomization(fsys, dir)
	if err != nil || root == nil || seen[filepath.Clean(dir)] {
		return err // what is no kustomization is kustomize's to refuse
	}
	seen[filepath.Clean(dir)] = true
	for _, node := range paths(root) {
		text := node.Text
		if remote(text) {
			return &values.Error{At: node.At, Text: fmt.Sprintf("%q is remote, and nothing is fetched here: check it out and name its path", text)}
		}
		if next := filepath.Join(dir, text); fsys.IsDir(next) {
			if err := refuseRemote(fsys, next, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// Kustomization reads the kustomization file of a directory; nil where there is none.
func Kustomization(fsys filesys.FileSystem, dir string) (*values.Node, error) {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		file := filepath.Join(dir, name)
		if !fsys.Exists(file) || fsys.IsDir(file) {
			continue
		}
		data, err := fsys.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return values.Parse(file, data)
	}
	return nil, nil
}

// paths are the nodes of a kustomization that name files and directories.
func paths(root *values.Node) []*values.Node {
	if root == nil {
		return nil
	}
	var out []*values.Node
	for _, field := range []string{"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators", "patchesStrategicMerge"} {
		out = append(out, texts(root.Get(field))...)
	}
	for _, field := range []string{"patches", "patchesJson6902", "replacements"} {
		for _, each := range items(root.Get(field)) {
			out = append(out, texts(each.Get("path"))...)
		}
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		for _, each := range items(root.Get(field)) {
			for _, files := range []string{"files", "envs", "env"} {
				out = append(out, texts(each.Get(files))...)
			}
		}
	}
	return append(out, texts(root.Get("openapi", "path"))...)
}

func items(n *values.Node) []*values.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func texts(n *values.Node) []*values.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == values.String:
		return []*values.Node{n}
	}
	var out []*values.Node
	for _, item := range n.Items {
		if item.Kind == values.String {
			out = append(out, item)
		}
	}
	return out
}

// remote reports whether kustomize would take text for a URL (kustomize docs, remote targets).
func remote(text string) bool {
	return regexp.MustCompile(`^([a-z]+=)?([a-z+]+://|git::|git@|(www\.)?github\.com[:/]|gitlab\.com[:/]|bitbucket\.org[:/])|\?(ref|version|submodules|timeout)=|\.git(//|/|$)`).MatchString(text)
}
