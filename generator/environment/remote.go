package environment

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

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
		if err := refuseNode(node); err != nil {
			return err
		}
		if err := refuseBelow(fsys, filepath.Join(dir, node.Text), seen); err != nil {
			return err
		}
	}
	return nil
}

// refuseBelow looks into a local path: a directory, or a file that may configure one of kustomize's own plugins.
func refuseBelow(fsys filesys.FileSystem, path string, seen map[string]bool) error {
	if fsys.IsDir(path) {
		return refuseRemote(fsys, path, seen)
	}
	if !fsys.Exists(path) {
		return nil
	}
	data, err := fsys.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte("builtin")) {
		return err
	}
	documents, err := values.ParseAll(path, data)
	if err != nil {
		return nil // no manifest: kustomize tells, if it has to read it
	}
	for _, document := range documents {
		if version := document.Get("apiVersion"); version == nil || version.Text != "builtin" {
			continue
		}
		for _, node := range below(document) {
			if err := refuseNode(node); err != nil {
				return err
			}
		}
	}
	return nil
}

// refuseNode refuses a path that is remote. A plugin's configuration may stand where its path would.
func refuseNode(node *values.Node) error {
	for word := range strings.FieldsFuncSeq(node.Text, func(r rune) bool { return strings.ContainsRune(" \t\r\n'\"[]{},", r) }) {
		if remote(word) {
			text := fmt.Sprintf("%q is remote, and nothing is fetched here: check it out and name its path", word)
			return &values.Error{At: node.At, Text: text}
		}
	}
	return nil
}

// below are the strings in a tree.
func below(n *values.Node) []*values.Node {
	if n.Kind == values.String {
		return []*values.Node{n}
	}
	var out []*values.Node
	for _, key := range n.Keys() {
		out = append(out, below(n.Fields[key])...)
	}
	for _, item := range n.Items {
		out = append(out, below(item)...)
	}
	return out
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
	for _, field := range []string{
		"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators", "patchesStrategicMerge",
	} {
		out = append(out, texts(fields(root, field))...)
	}
	for _, field := range []string{"patches", "patchesJson6902", "replacements"} {
		out = append(out, texts(fields(root, field, "path"))...)
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		for _, files := range []string{"files", "envs", "env"} {
			out = append(out, texts(fields(root, field, files))...)
		}
	}
	return append(out, texts(fields(root, "openapi", "path"))...)
}

// fields are the nodes at a path, through the items of lists. kustomize decodes kustomizations as JSON, for which resourcEs is resources.
func fields(n *values.Node, path ...string) []*values.Node {
	if len(path) == 0 {
		return []*values.Node{n}
	}
	var out []*values.Node
	for _, key := range n.Keys() {
		if strings.EqualFold(key, path[0]) {
			out = append(out, fields(n.Fields[key], path[1:]...)...)
		}
	}
	for _, item := range n.List() {
		out = append(out, fields(item, path...)...)
	}
	return out
}

// texts are the strings among nodes and in lists of them.
func texts(nodes []*values.Node) []*values.Node {
	var out []*values.Node
	for _, n := range nodes {
		for _, each := range append([]*values.Node{n}, n.Items...) {
			if each.Kind == values.String {
				out = append(out, each)
			}
		}
	}
	return out
}

// remote reports whether kustomize would take text, or what follows key= in it, for a URL: it asks for less than kustomize does
// (api/internal/git/repospec.go, api/internal/loader/fileloader.go), so that nothing slips through.
func remote(text string) bool {
	if _, path, ok := strings.Cut(text, "="); ok && remote(path) {
		return true
	}
	const (
		scheme = `^(git::|https?:|ssh:|file:|[a-z+]+://)`
		host   = `^([a-z][a-z0-9-]*@|(www\.)?github\.com[:/]|gitlab\.com[:/]|bitbucket\.org[:/])`
		git    = `\?(ref|version|submodules|timeout)=|\.git(//|/|$)`
	)
	return regexp.MustCompile(`(?i)` + scheme + `|` + host + `|` + git).MatchString(text)
}
