package sources

import (
	"fmt"
	"path/filepath"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

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
