package environment

import (
	"fmt"
	"path/filepath"
	"regexp"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Build runs kustomize on a directory, as Sylva's scripts do (kustomize build --load-restrictor LoadRestrictionsNone), without plugins
// and without network, and reads the HelmRelease in the result.
func Build(fsys filesys.FileSystem, dir string) (*Environment, error) {
	if !fsys.IsDir(dir) {
		return nil, noDirectory(dir)
	}
	recorder := &recorder{FileSystem: fsys, files: map[string]string{}}
	resources, err := Kustomize(recorder, dir, types.LoadRestrictionsNone)
	if err != nil {
		return nil, err
	}
	return read(resources, dir, recorder)
}

// Kustomize builds a directory as kustomize build does, without plugins. What is remote is refused before kustomize would fetch it.
func Kustomize(fsys filesys.FileSystem, dir string, restrictions types.LoadRestrictions) (resmap.ResMap, error) {
	if err := refuseRemote(fsys, dir, map[string]bool{}); err != nil {
		return nil, err
	}
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = restrictions
	resources, err := run(options, fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("building %s with kustomize: %s", dir, withoutContent(err.Error()))
	}
	return resources, nil
}

// withoutContent takes out of kustomize's messages the texts that may be of a Secret: what generators and patches hold.
func withoutContent(message string) string {
	for _, quoted := range []struct{ pattern, instead string }{
		{"(?s)with config: `.*`: ", "with its config (not shown, it may be secret): "},
		{`(?s)literal sources \[.*`, "a literal (not shown, it may be secret) is no key=value"},
		{`(?s)line \[[0-9 ]*\] has invalid utf8 bytes.*`, "a line (not shown, it may be secret) is no UTF-8"},
		{`(?s)patch from \[.*`, "patch (not shown, it may be secret)"},
	} {
		message = regexp.MustCompile(quoted.pattern).ReplaceAllString(message, quoted.instead)
	}
	return message
}

func run(options *krusty.Options, fsys filesys.FileSystem, dir string) (resources resmap.ResMap, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("kustomize gave up: %v", r)
		}
	}()
	return krusty.MakeKustomizer(options).Run(fsys, dir)
}

// recorder remembers which file held which content: ConfigMaps and Secrets are made of files, and errors shall name those.
type recorder struct {
	filesys.FileSystem
	files map[string]string // content -> path
}

// ReadFile is filesys.FileSystem's.
func (r *recorder) ReadFile(path string) ([]byte, error) {
	data, err := r.FileSystem.ReadFile(path)
	if err == nil && len(data) > 0 {
		r.files[string(data)] = path
	}
	return data, err
}

// fileOf is the file that held content, as seen from the directory the user named, or other where there is none.
func (r *recorder) fileOf(content []byte, dir, other string) string {
	path, ok := r.files[string(content)]
	if !ok {
		return other
	}
	root, _, err := r.CleanedAbs(dir)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(root.String(), path); err == nil {
		return filepath.Join(dir, rel)
	}
	return path
}
