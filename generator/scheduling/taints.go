package scheduling

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// toleration is a set of taints: those of a key, a value and an effect, each of which may be any.
type toleration struct {
	key, value, effect string
	anyValue           bool
	seconds            *float64 // tolerated for so long, with effect NoExecute
	operator           string   // one that compares numbers (KEP-5471); empty for Equal and Exists
}

// blocking are the effects that keep a pod off a node. PreferNoSchedule does not.
func blocking() []string { return []string{"NoSchedule", "NoExecute"} }

// automatic are the tolerations that the DaemonSet controller adds (kubernetes pkg/controller/daemon/util
// AddOrUpdateDaemonPodTolerations).
func automatic(hostNetwork bool) []toleration {
	list := []toleration{
		{key: "node.kubernetes.io/not-ready", anyValue: true, effect: "NoExecute"},
		{key: "node.kubernetes.io/unreachable", anyValue: true, effect: "NoExecute"},
		{key: "node.kubernetes.io/disk-pressure", anyValue: true, effect: "NoSchedule"},
		{key: "node.kubernetes.io/memory-pressure", anyValue: true, effect: "NoSchedule"},
		{key: "node.kubernetes.io/pid-pressure", anyValue: true, effect: "NoSchedule"},
		{key: "node.kubernetes.io/unschedulable", anyValue: true, effect: "NoSchedule"},
	}
	if hostNetwork {
		list = append(list, toleration{key: "node.kubernetes.io/network-unavailable", anyValue: true, effect: "NoSchedule"})
	}
	return list
}

// tolerationsOf are the tolerations of a pod's spec, with those that a DaemonSet's pods get by themselves.
func tolerationsOf(pod *values.Node, daemonSet bool) []toleration {
	var list []toleration
	for _, each := range pod.Get("tolerations").List() {
		t := toleration{key: each.Get("key").AsText(), value: each.Get("value").AsText(), effect: each.Get("effect").AsText()}
		switch operator := each.Get("operator").AsText(); operator {
		case "", "Equal":
		case "Exists":
			t.anyValue = true
		default:
			t.operator = operator
		}
		if seconds := each.Get("tolerationSeconds"); seconds != nil && seconds.Kind == values.Number {
			n := seconds.Scalar.(float64)
			t.seconds = &n
		}
		list = append(list, t)
	}
	if daemonSet {
		list = append(list, automatic(pod.Get("hostNetwork").Is(true))...)
	}
	return list
}

// covers reports whether every taint of one effect that other tolerates is tolerated by t too, and for no shorter time. Keys and values
// are without end, so that a taint of any key is covered by a toleration of any key alone, and so for values: no combination of others
// would do.
func (t toleration) covers(other toleration, effect string) bool {
	switch {
	case t.key != "" && t.key != other.key:
		return false
	case t.effect != "" && t.effect != effect:
		return false
	case t.seconds != nil && effect == "NoExecute" && (other.seconds == nil || *other.seconds > *t.seconds):
		return false
	case t.anyValue:
		return true
	}
	return !other.anyValue && t.operator == other.operator && t.value == other.value
}

// untolerated are the taints, as kubectl prints them, that the list tolerates and the others do not.
func untolerated(list, others []toleration) []string {
	var taints []string
	for _, each := range list {
		for _, effect := range blocking() {
			if (each.effect == "" || each.effect == effect) && !anyCovers(others, each, effect) {
				taints = append(taints, each.taint(effect))
			}
		}
	}
	return taints
}

func anyCovers(others []toleration, each toleration, effect string) bool {
	for _, other := range others {
		if other.covers(each, effect) {
			return true
		}
	}
	return false
}

// taint is a taint of the toleration, as kubectl prints it.
func (t toleration) taint(effect string) string {
	switch {
	case t.key == "":
		return "any:" + effect
	case t.anyValue || t.value == "":
		return fmt.Sprintf("%s:%s", t.key, effect)
	case t.operator != "":
		return fmt.Sprintf("%s %s %s:%s", t.key, t.operator, t.value, effect)
	}
	return fmt.Sprintf("%s=%s:%s", t.key, t.value, effect)
}
