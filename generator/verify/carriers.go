package verify

import (
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// carriers are the pods of the workload that run an image of the unit: one of the repositories, whatever the registry, or in a DaemonSet
// all the containers by their names.
func (s *scope) carriers() []*workload.Pods {
	var carriers []*workload.Pods
	for _, pods := range s.workloads {
		named := pods.Kind == "DaemonSet"
		for _, slot := range s.unit.Images {
			named = named && pods.Has(slot.Container)
		}
		runs := func(container workload.Container) bool { return s.isSlot(container.Image) }
		if named || slices.ContainsFunc(pods.Containers, runs) {
			carriers = append(carriers, pods)
		}
	}
	return carriers
}

// isSlot reports whether an image is one that the unit pulls, by the last part of its repository: a mirror keeps that.
func (s *scope) isSlot(text string) bool {
	for _, slot := range s.unit.Images {
		if base(text) == base(slot.Image) {
			return true
		}
	}
	return false
}

// base is the last part of a reference's repository.
func base(reference string) string {
	reference, _, _ = strings.Cut(reference, "@")
	name, _, _ := strings.Cut(reference[strings.LastIndex(reference, "/")+1:], ":")
	return name
}

// isSpared reports whether an image is deliberately not pre-pulled.
func (s *scope) isSpared(text string) bool {
	return slices.ContainsFunc(s.unit.Spares, func(spared string) bool { return base(text) == base(spared) })
}
