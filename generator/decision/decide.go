package decision

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// Question is what is asked, on one set of values.
type Question struct {
	Unit         *unit.Definition
	Set          *sources.Set
	Library      *gotpl.Library // of parsed templates; shared by many questions
	From, To     release.Release
	Upgrade      *bool // given outright; From and To are then for the images and the backend alone
	Revision     int   // of the Helm release
	Assume       map[string]bool
	Images       map[string]image.Ref // given outright, by slot
	ChartVersion string               // given outright
	Workload     []workload.Object    // manifests of the release to come
}

// Case is a question with the engine that answers it.
type Case struct {
	Question
	Engine *chart.Engine
	Peers  metallb.Peers

	upgradeFrom string // what decided the upgrade guard, where a flag did
	assumed     map[string]string
}

// Open makes the case of a question without answering it: for the images alone. The error is for unknown guards among the assumptions.
func Open(q Question) (*Case, error) {
	c := &Case{Question: q, assumed: map[string]string{}}
	return c, c.start()
}

// Decide answers a question. What cannot be decided is in the decision; the error is for assumptions that contradict the values.
func Decide(q Question) (*Decision, *Case, error) {
	c, err := Open(q)
	if err != nil {
		return nil, nil, err
	}
	d := &Decision{Unit: q.Unit.Name, Environment: q.Set.Environment, Images: []Image{}, Warnings: []Warning{}}
	d.Guards = c.guards()
	if err := c.checkAssumptions(d.Guards); err != nil {
		return nil, nil, errors.New(values.Redact(err.Error(), q.Set.Secrets))
	}
	d.Release = c.release(d.Guards)
	d.Peers = c.Peers
	if c.Unit.Holds == metallbUnit {
		d.Backend = metallb.Backend{Before: metallb.None, After: metallb.None}
	}
	if c.metallbOn() {
		d.Backend = metallb.Backends(c.Engine, c.Peers, q.From, q.To, d.Release.Upgrade == False, c.chartVersion().text)
	}
	c.activate(d)
	c.pull(d)
	d.Warnings = append(d.Warnings, c.advice(d)...)
	d.redact(q.Set.Secrets)
	return d, c, nil
}

// start makes the engine: the upgrade as the flags say it, and the assumptions for what the values leave open.
func (c *Case) start() error {
	for guard := range c.Assume {
		if !slices.Contains(c.Unit.Guards, guard) {
			return fmt.Errorf("--assume %s: the guards of %s are %s", guard, c.Unit.Name, strings.Join(c.Unit.Guards, ", "))
		}
	}
	merged := c.Set.Values
	if upgrade, source := c.upgradeGiven(); upgrade != nil {
		c.upgradeFrom = source
		merged = merged.Set(&values.Node{Kind: values.Bool, Scalar: *upgrade, At: values.Position{File: source}}, upgradePath()...)
	}
	c.Engine = c.engine(merged, chart.Assumptions{})
	if assumed, ok := c.Assume["upgrade"]; ok && c.unknownUpgrade() != nil {
		c.assumed["upgrade"] = c.unknownUpgrade().Why
		merged = merged.Set(&values.Node{Kind: values.Bool, Scalar: assumed, At: values.Position{File: "--assume"}}, upgradePath()...)
	}
	c.Engine = c.engine(merged, c.assumptions())
	if c.Unit.Holds == metallbUnit {
		c.Peers = metallb.ReadPeers(c.Engine)
	}
	return nil
}

func (c *Case) engine(merged *values.Node, assume chart.Assumptions) *chart.Engine {
	release := chart.Release{Name: "sylva-units", Namespace: c.Set.Namespace, Revision: max(c.Revision, 1)}
	return chart.New(merged, c.Library, release, assume)
}

func (c *Case) assumptions() chart.Assumptions {
	assume := chart.Assumptions{Units: map[string]bool{}, Conditions: map[string]bool{}}
	for guard, result := range c.Assume {
		if guard == c.Unit.Holds {
			assume.Units[guard] = result
		}
		text, _ := c.Unit.Condition(guard)
		assume.Conditions[text] = result
	}
	return assume
}

// activate says whether the unit runs: what the chart would do, unless the chart would refuse the values altogether.
func (c *Case) activate(d *Decision) {
	verdict := c.Engine.Enabled(c.Unit.Name)
	d.Errors = append(d.Errors, c.refusals()...)
	switch {
	case len(d.Errors) > 0:
		d.Active, d.Why = Unknown, d.Errors[0].Text
	case verdict.Err != nil:
		d.Active, d.Why = Unknown, c.firstReason(d.Guards, "unknown", verdict.Err.Error())
		d.Errors = append(d.Errors, Warning{Rule: "undecidable", Text: d.Why})
	case verdict.On:
		d.Active, d.Why = True, c.firstReason(d.Guards, "", verdict.Why)
	default:
		d.Active, d.Why = False, c.firstReason(d.Guards, "false", fmt.Sprintf("%s (%s)", verdict.Why, verdict.At))
	}
}

// firstReason is the reason of the first guard with a result, or other where the guards did not decide.
func (c *Case) firstReason(guards []Guard, result, other string) string {
	for _, guard := range guards {
		if guard.Result == result {
			return guard.Name + ": " + guard.Reason
		}
	}
	return other
}

func (d *Decision) redact(secrets []string) {
	if len(secrets) == 0 {
		return
	}
	d.Why = values.Redact(d.Why, secrets)
	for i := range d.Guards {
		d.Guards[i].Reason = values.Redact(d.Guards[i].Reason, secrets)
	}
	for _, list := range [][]Warning{d.Warnings, d.Errors} {
		for i := range list {
			list[i].Text = values.Redact(list[i].Text, secrets)
		}
	}
}
