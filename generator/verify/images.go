package verify

// imageCoverage: each prepull has to have all the images, in containers that keep running (an exited one's image may be collected).
func imageCoverage(c *checker) error {
	carriers := c.carriers()
	if c.hasWorkload && len(carriers) == 0 {
		c.note("no DaemonSet or Deployment of the workload runs an image of %s", c.unit.Name)
		return nil
	}
	for _, p := range c.compared() {
		pulled := imagesOf(p.pods)
		if len(p.pods) == 0 {
			continue
		}
		for _, needed := range imagesOf(carriers) {
			if c.isSpared(needed.ref.String()) {
				continue
			}
			c.look(1)
			if !has(pulled, needed.ref) {
				c.find(needed.containers[0].At, "%s of %s is not pre-pulled", needed.ref, needed.whose())
			}
		}
	}
	return nil
}

// imageExtra: without a workload only the images that are never to be pre-pulled are found.
func imageExtra(c *checker) error {
	carriers := c.carriers()
	needed := imagesOf(carriers)
	for _, pulled := range imagesOf(podsOf(c.compared())) {
		c.look(1)
		at := pulled.containers[0].At
		switch {
		case c.isSpared(pulled.ref.String()):
			c.find(at, "%s is pre-pulled, and is not to be: while it is pulled, the others get the time to start", pulled.ref)
		case c.hasWorkload && len(carriers) == 0:
			c.find(at, "%s is pre-pulled for nothing: the workload runs no image of %s, the unit is superfluous", pulled.ref, c.unit.Name)
		case c.hasWorkload && !has(needed, pulled.ref):
			c.find(at, "%s is pre-pulled, and the workload does not run it", pulled.ref)
		}
	}
	if c.outcome.Looked > 0 && !c.hasWorkload {
		c.note("no workload is given (-w): whether it runs the images is not known")
	}
	return nil
}
