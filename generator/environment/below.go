package environment

import (
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Below finds the environments that dir stands for: itself where it has a kustomization, else those below it. What others build on
// (bases, components) is no environment. The second result reports whether dir is only a parent.
func Below(fsys filesys.FileSystem, dir string) ([]string, bool, error) {
	switch root, err := Kustomization(fsys, dir); {
	case err != nil:
		return []string{dir}, false, nil // building it tells the error
	case root != nil:
		return []string{dir}, false, nil
	case !fsys.IsDir(dir):
		return nil, false, noDirectory(dir)
	}
	s := &search{fsys: fsys, bases: map[string]bool{}}
	if err := s.walk(dir); err != nil {
		return nil, true, err
	}
	found := slices.DeleteFunc(s.found, func(dir string) bool { return s.bases[filepath.Clean(dir)] })
	if len(found) == 0 {
		return nil, true, fmt.Errorf("%s has no kustomization.yaml, and no environment below it", dir)
	}
	slices.Sort(found)
	return found, true, nil
}

type search struct {
	fsys  filesys.FileSystem
	found []string
	bases map[string]bool
}

func (s *search) walk(dir string) error {
	names, err := s.fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		below := filepath.Join(dir, name)
		if !s.fsys.IsDir(below) {
			continue
		}
		root, err := Kustomization(s.fsys, below)
		switch {
		case err != nil || root != nil && !isComponent(root):
			s.found = append(s.found, below)
		}
		for _, node := range paths(root) {
			s.bases[filepath.Join(below, node.Text)] = true
		}
		if err := s.walk(below); err != nil {
			return err
		}
	}
	return nil
}

func isComponent(root *values.Node) bool {
	kind := root.Get("kind")
	return kind != nil && kind.Text == "Component"
}

func noDirectory(path string) error {
	return fmt.Errorf("%s is no directory: an environment-values directory is due, values files go to -f", path)
}
