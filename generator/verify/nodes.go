package verify

import (
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/scheduling"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// nodeCoverage compares the nodes of the workload's pods with those of the unit's. Without a workload every Linux node is one that it may
// run on: a selector that matches none, which Flux takes for healthy, is found so.
func nodeCoverage(c *checker) error {
	carriers := c.carriers()
	if c.hasWorkload && len(carriers) == 0 {
		c.note("no DaemonSet or Deployment of the workload runs an image of %s", c.unit.Name)
		return nil
	}
	for _, pods := range podsOf(c.compared()) {
		for _, carrier := range carriers {
			c.gaps(carrier.String(), scheduling.Pod{Spec: carrier.Spec, DaemonSet: carrier.Kind == "DaemonSet"}, pods)
		}
		if !c.hasWorkload {
			c.gaps("a pod of the workload", scheduling.Pod{}, pods)
		}
	}
	return nil
}

// gaps finds the nodes that can run a pod, and not one of the unit's.
func (c *checker) gaps(name string, pod scheduling.Pod, pods *workload.Pods) {
	c.look(1)
	for _, gap := range scheduling.Gaps(pod, scheduling.Pod{Spec: pods.Spec, DaemonSet: pods.Kind == "DaemonSet"}) {
		at := gap.At
		if at.Line == 0 {
			at = pods.Where()
		}
		c.find(at, "%s can run on a node %s, and %s cannot", name, gap.Text, pods)
	}
}
