package sources

import (
	"path/filepath"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

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
