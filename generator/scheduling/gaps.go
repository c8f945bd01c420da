package scheduling

import (
	"fmt"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Pod is a pod's spec, and whether a DaemonSet runs it. The zero Pod runs on any node that the package takes for granted, whatever its
// taints.
type Pod struct {
	Spec      *values.Node
	DaemonSet bool
}

// Gap is a reason why a node may run one pod and not the other.
type Gap struct {
	Text string          // what follows "a node": with the taint a=b:NoSchedule
	At   values.Position // of what keeps the other pod off; nowhere where it is something that is absent
}

// Gaps are the reasons for which a node may run pod and not other. There are none where other can run wherever pod can.
func Gaps(pod, other Pod) []Gap {
	kinds := selectionOf(pod.Spec).nodes()
	if len(kinds) == 0 {
		return nil // it runs nowhere
	}
	var gaps []Gap
	wanted := selectionOf(other.Spec)
	for _, kind := range kinds {
		for _, r := range wanted.missed(kind) {
			gaps = append(gaps, Gap{fmt.Sprintf("that does not meet %s", r), r.at})
		}
	}
	tolerated := []toleration{{anyValue: true}}
	if pod.Spec != nil {
		tolerated = tolerationsOf(pod.Spec, pod.DaemonSet)
	}
	for _, taint := range untolerated(tolerated, tolerationsOf(other.Spec, other.DaemonSet)) {
		gaps = append(gaps, Gap{Text: "with the taint " + taint})
	}
	return distinct(append(gaps, narrowed(pod.Spec, other.Spec)...))
}

// narrowed are the gaps by fields that keep pods off nodes for reasons that do not stand in the specs.
func narrowed(pod, other *values.Node) []Gap {
	var gaps []Gap
	for _, affinity := range []string{"podAffinity", "podAntiAffinity"} {
		list := other.Get("affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution")
		if len(list.List()) > 0 {
			gaps = append(gaps, Gap{"that its " + affinity + " leaves out", list.Where()})
		}
	}
	if class := other.Get("runtimeClassName"); class.AsText() != pod.Get("runtimeClassName").AsText() && class.AsText() != "" {
		gaps = append(gaps, Gap{"without the runtime class " + class.AsText(), class.Where()})
	}
	return gaps
}

func distinct(gaps []Gap) []Gap {
	var out []Gap
	for _, gap := range gaps {
		if !slices.ContainsFunc(out, func(other Gap) bool { return other.Text == gap.Text }) {
			out = append(out, gap)
		}
	}
	return out
}
