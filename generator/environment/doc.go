// Package environment builds Sylva environment-values directories with the kustomize API, in process, and takes from the HelmRelease
// in them what Flux would hand to the chart as values.
package environment

import "gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"

// Environment is what a directory of environment values says.
type Environment struct {
	Dir         string
	Values      *values.Node // valuesFrom in order, then values, merged as Flux merges them
	ValuesFiles []string     // the chart's own values files that the HelmRelease names
	Namespace   string       // of the HelmRelease
	Release     string       // its name
	Missing     []Reference  // sources that only the cluster has
}

// Reference names a ConfigMap or Secret of valuesFrom.
type Reference struct{ Kind, Name string }

// placeholder is the namespace that Sylva's scripts replace with the directory's name (tools/shell-lib/common.sh).
const placeholder = "WORKLOAD_CLUSTER_NAMESPACE"

// StateValues is the ConfigMap by which a management cluster hands values to its workload clusters. It is never in a directory.
const StateValues = "mgmt-cluster-state-values"
