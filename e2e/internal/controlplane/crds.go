package controlplane

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	kustomizeController = "github.com/fluxcd/kustomize-controller"
	sourceController    = "github.com/fluxcd/source-controller"
)

// FluxCRDs returns the directories of Flux's custom resource definitions, as they come with the modules: that of the
// kustomize-controller which is built, and that of the source-controller whose API it is built with. The go command finds them in the
// module cache, or downloads them.
func FluxCRDs() ([]string, error) {
	kustomize, err := goCommand("list", "-m", "-f", "{{.Dir}}", kustomizeController)
	if err != nil {
		return nil, err
	}
	api, err := goCommand("list", "-m", "-f", "{{.Version}}", sourceController+"/api")
	if err != nil {
		return nil, err
	}
	answer, err := goCommand("mod", "download", "-json", sourceController+"@"+api)
	if err != nil {
		return nil, err
	}
	var source struct{ Dir string }
	if err := json.Unmarshal([]byte(answer), &source); err != nil {
		return nil, fmt.Errorf("go mod download %s@%s: %w", sourceController, api, err)
	}
	bases := filepath.Join("config", "crd", "bases")
	return []string{filepath.Join(kustomize, bases), filepath.Join(source.Dir, bases)}, nil
}

func goCommand(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
