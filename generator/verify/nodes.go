package verify

import "gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/scheduling"

// nodeCoverage compares the workload's pods with the unit's, pod by pod.
func nodeCoverage(c *checker) error {
	carriers := c.carriers()
	if c.hasWorkload && len(carriers) == 0 {
		c.note("no DaemonSet or Deployment of the workload runs an image of %s", c.unit.Name)
	}
	for _, pods := range podsOf(c.compared()) {
		other := scheduling.Pod{Spec: pods.Spec, DaemonSet: pods.Kind == "DaemonSet"}
		for _, carrier := range carriers {
			c.look(1)
			for _, gap := range scheduling.Gaps(scheduling.Pod{Spec: carrier.Spec, DaemonSet: carrier.Kind == "DaemonSet"}, other) {
				at := gap.At
				if at.File == "" {
					at = pods.Where()
				}
				c.find(at, "%s can run on a node %s, and %s cannot", carrier, gap.Text, pods)
			}
		}
	}
	return nil
}
