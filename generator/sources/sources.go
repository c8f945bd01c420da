// Package sources puts together the layers of values that a question is asked on, lowest first: the pre-pull unit itself, sylva-core's
// own values (or a stand-in), an environment, and the user's files.
package sources

import (
	"fmt"
	"io"
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
