package verify

import "gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"

// Difference is a place where a tree is not what the generator would write.
type Difference struct {
	At   values.Position
	Text string // what is different: "differs", "is missing"
}

// Stale is the rule that a tree is what the generator would write; differences are asked for when the rule runs.
func Stale(differences func() ([]Difference, error)) Rule {
	return Rule{
		ID: "stale", Severity: Error,
		Finds:   "a tree that differs from what generate would write",
		LooksAt: "the unit in a tree",
		absent:  true,
		Fix:     "run sylva-prepull generate on the tree",
		check: func(c *checker) error {
			if c.tree == nil {
				return nil
			}
			c.look(1)
			found, err := differences()
			for _, each := range found {
				c.find(each.At, "%s", each.Text)
			}
			if err != nil { // a finding, so that the gate stays shut and the other findings are told
				c.find(values.Position{File: c.tree.dir}, "whether the tree is up to date cannot be told: %v", err)
			}
			return nil
		},
	}
}
