// Package sources puts together the layers of values that a question is asked on, lowest first: the pre-pull unit itself, sylva-core's
// own values (or a stand-in), an environment, and the user's files.
package sources

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// The kinds of cluster that sylva-core has values files for.
const (
	Management = "management"
	Workload   = "workload"
)

// Request says where values come from. All of it is optional.
type Request struct {
	Core        string         // a sylva-core checkout
	Cluster     string         // Management or Workload; by default the environment or the values tell
	Files       []string       // values files, later wins; "-" is stdin
	Layers      []*values.Node // values that have been read already, above the files
	Environment string         // an environment-values directory
	Namespace   string         // of the release; by default the environment tells
}

// Set is the values of one cluster.
type Set struct {
	Values      *values.Node // as Helm hands them to the chart
	Defaults    *values.Node // the chart's own values, and the unit's
	User        *values.Node // the part above the defaults
	Cluster     string
	Environment string
	Namespace   string
	Core        bool     // sylva-core's values are among the layers
	Secrets     []string // texts that must not be printed
	Notes       []string // what the user should know of the layers
	Manifests   string   // the file of the checkout that holds the unit's DaemonSet, empty where there is none
	DaemonSet   []byte   // its content
}

// Loader reads layers, each file once. It can be used by several goroutines at once.
type Loader struct {
	fsys    filesys.FileSystem
	stdin   io.Reader
	unit    *unit.Definition
	standIn *values.Node

	building sync.Mutex // kustomize is not made to run twice at a time (kustomize issue 3659)
	reading  sync.Mutex
	files    map[string]*values.Node // guarded by reading
}

// NewLoader makes a loader. standIn are the values that stand in for sylva-core's.
func NewLoader(fsys filesys.FileSystem, stdin io.Reader, definition *unit.Definition, standIn *values.Node) *Loader {
	return &Loader{fsys: fsys, stdin: stdin, unit: definition, standIn: standIn, files: map[string]*values.Node{}}
}

// Load puts together the layers of a request.
func (l *Loader) Load(request Request) (*Set, error) {
	set := &Set{Cluster: request.Cluster, Environment: request.Environment, Namespace: request.Namespace}
	env, err := l.environment(request, set)
	if err != nil {
		return nil, err
	}
	files, err := l.readAll(request.Files)
	if err != nil {
		return nil, err
	}
	files = append(files, request.Layers...)
	defaults, files, err := l.defaults(request, set, files)
	if err != nil {
		return nil, err
	}
	user := values.Merge(l.stateValues(env, defaults), env.Values)
	for _, file := range files {
		user = values.Merge(user, file)
	}
	if set.Cluster == "" {
		set.Cluster = guessCluster(defaults, user)
	}
	set.User, set.Defaults = user, values.Merge(l.own(set.Cluster), defaults)
	set.Values = values.Coalesce(set.Defaults, user)
	set.Secrets = values.Secrets(user)
	if set.Namespace == "" {
		set.Namespace = "sylva-system"
	}
	return set, nil
}

// environment builds the request's directory; an empty one stands for none.
func (l *Loader) environment(request Request, set *Set) (*environment.Environment, error) {
	if request.Environment == "" {
		return &environment.Environment{Values: values.Empty()}, nil
	}
	l.building.Lock()
	env, err := environment.Build(l.fsys, request.Environment)
	l.building.Unlock()
	if err != nil {
		return nil, err
	}
	if set.Namespace == "" {
		set.Namespace = env.Namespace
	}
	if set.Cluster == "" {
		set.Cluster = clusterOf(env.ValuesFiles)
	}
	for _, missing := range env.Missing {
		set.Notes = append(set.Notes, fmt.Sprintf(
			"the %s %s is in the management cluster alone: what it sets is unknown here, give its values with -f",
			missing.Kind, missing.Name))
	}
	return env, nil
}

// clusterOf tells the kind of cluster by the chart's values files that a HelmRelease names.
func clusterOf(valuesFiles []string) string {
	for _, file := range valuesFiles {
		switch filepath.Base(file) {
		case valuesFile(Workload):
			return Workload
		case valuesFile(Management):
			return Management
		}
	}
	return ""
}

func valuesFile(cluster string) string {
	if cluster == Workload {
		return "workload-cluster.values.yaml"
	}
	return cluster + ".values.yaml"
}

// guessCluster tells the kind of cluster by the values: the Kustomizations of a workload cluster have a kubeConfig.
func guessCluster(defaults, user *values.Node) string {
	merged := values.Coalesce(defaults, user)
	if merged.Get("unit_kustomization_spec_default", "kubeConfig") != nil {
		return Workload
	}
	return Management
}

// defaults are the chart's own values: of the checkout, of a first file that is sylva-core's values.yaml, or the stand-in.
func (l *Loader) defaults(request Request, set *Set, files []*values.Node) (*values.Node, []*values.Node, error) {
	if request.Core != "" {
		set.Core = true
		defaults, err := l.core(request.Core, set)
		return defaults, files, err
	}
	for i, file := range files {
		if file.Get("units", l.unit.Holds, "enabled_conditions") == nil && file.Get("unit_templates") == nil {
			continue
		}
		set.Core = true
		if i == 0 && file.Get("unit_definition_defaults") != nil {
			return file, files[1:], nil
		}
	}
	if set.Core {
		return values.Empty(), files, nil
	}
	return l.standIn.Set(values.Empty(), "units", l.unit.Holds, "helmrelease_spec"), files, nil // a Helm unit, as far as is known
}

// core reads the values files of a sylva-core checkout, merged as Flux's source-controller merges valuesFiles.
func (l *Loader) core(dir string, set *Set) (*values.Node, error) {
	charts := filepath.Join(dir, "charts", "sylva-units")
	if !l.fsys.Exists(filepath.Join(charts, "values.yaml")) {
		return nil, fmt.Errorf("%s is no sylva-core checkout: it has no charts/sylva-units/values.yaml", dir)
	}
	if set.Cluster == "" {
		set.Cluster = Management
	}
	merged, err := l.read(filepath.Join(charts, "values.yaml"))
	if err != nil {
		return nil, err
	}
	manifests := filepath.Join(dir, "kustomize-units", l.unit.Name, "daemonset.yaml")
	if l.fsys.Exists(manifests) {
		if set.DaemonSet, err = l.fsys.ReadFile(manifests); err != nil {
			return nil, err
		}
		set.Manifests = manifests
	}
	if merged.Get("units", l.unit.Holds) == nil {
		return nil, fmt.Errorf(
			"%s: it has no units.%s, so it is not sylva-core's, or not all of it",
			filepath.Join(charts, "values.yaml"), l.unit.Holds)
	}
	over, err := l.read(filepath.Join(charts, valuesFile(set.Cluster)))
	if err != nil {
		return nil, err
	}
	key := "merged\x00" + charts + "\x00" + set.Cluster
	l.reading.Lock()
	defer l.reading.Unlock()
	if l.files[key] == nil {
		l.files[key] = values.Merge(merged, over)
	}
	return l.files[key], nil
}

// own is the unit as the generator would write it into sylva-core: the lowest layer of all.
func (l *Loader) own(cluster string) *values.Node {
	if cluster != Workload {
		return l.unit.Values
	}
	enabled := &values.Node{Kind: values.Bool, Scalar: true, Text: "true", At: l.unit.Values.Get("units", l.unit.Name).Where()}
	return l.unit.Values.Set(enabled, "units", l.unit.Name, "enabled")
}

// stateValues are holes for what the management cluster alone sets: the leaves of mgmt_cluster_state_values in sylva-core's values.
func (l *Loader) stateValues(env *environment.Environment, defaults *values.Node) *values.Node {
	holes := values.Empty()
	isMissing := func(missing environment.Reference) bool { return missing.Name == environment.StateValues }
	if !slices.ContainsFunc(env.Missing, isMissing) {
		return holes
	}
	if state := defaults.Get("mgmt_cluster_state_values"); state != nil {
		holes = state.Unknown("set by the management cluster (ConfigMap " + environment.StateValues + ")")
	}
	return holes
}

func (l *Loader) readAll(files []string) ([]*values.Node, error) {
	var out []*values.Node
	if stdin := slices.Index(files, "-"); stdin >= 0 && slices.Index(files[stdin+1:], "-") >= 0 {
		return nil, errors.New("stdin (-) can be read once")
	}
	for _, file := range files {
		n, err := l.read(file)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// read parses a file, once.
func (l *Loader) read(file string) (*values.Node, error) {
	l.reading.Lock()
	defer l.reading.Unlock()
	if n, ok := l.files[file]; ok {
		return n, nil
	}
	data, name, err := l.bytes(file)
	if err != nil {
		return nil, err
	}
	n, err := values.Parse(name, data)
	if err != nil {
		return nil, err
	}
	l.files[file] = n
	return n, nil
}

func (l *Loader) bytes(file string) ([]byte, string, error) {
	if file == "-" {
		data, err := io.ReadAll(l.stdin)
		return data, "stdin", err
	}
	if l.fsys.IsDir(file) {
		return nil, "", fmt.Errorf("%s is a directory: a values file is due, an environment is an argument", file)
	}
	data, err := l.fsys.ReadFile(file)
	return data, file, err
}
