package function

import (
	"bufio"
	"errors"
	"io"

	"sigs.k8s.io/kustomize/api/types"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// ErrFailed is the error of a function that has told what is wrong in its results.
var ErrFailed = errors.New("the function failed")

// Function is the function for one pre-pull unit.
type Function struct {
	Unit    *unit.Definition
	StandIn *values.Node // the values that stand in for sylva-core's
}

// Run reads a ResourceList and writes it back with the unit in it or without, and with results, which it returns too. Running it on its
// own output changes nothing.
//
// The error is ErrFailed where the results tell what is wrong: what was written then has no items (resourcelist.Failure). Any other
// error is for what is no ResourceList, and nothing is written.
func (f *Function) Run(in io.Reader, out io.Writer) ([]resourcelist.Result, error) {
	list, err := resourcelist.Read(in, resourcelist.MaxBytes)
	if err != nil {
		return nil, err
	}
	r := &run{Function: f, list: list}
	if !r.run() {
		text, err := resourcelist.Failure(list.APIVersion, r.failures())
		if err == nil {
			_, err = out.Write(text)
		}
		if err == nil {
			err = ErrFailed
		}
		return r.failures(), err
	}
	if err := list.SetResults(r.results); err != nil {
		return nil, err
	}
	buffered := bufio.NewWriterSize(out, 1<<16)
	if _, err := list.WriteTo(buffered); err != nil {
		return nil, err
	}
	return r.results, buffered.Flush()
}

// run is one run of the function.
type run struct {
	*Function
	list      *resourcelist.List
	config    *Config
	namespace string // of the Kustomizations; "" where metallb's has none
	decision  *decision.Decision
	answered  *decision.Case
	names     struct{ unit, held string } // of the Kustomizations
	images    []types.Image               // as the unit's Kustomization pins them, where it does
	secrets   []string
	results   []resourcelist.Result
}

// run does the work. It returns false where the results have an error.
func (r *run) run() bool {
	var problems []Problem
	if r.config, problems = ReadConfig(r.list.Config, r.Unit); len(problems) > 0 {
		for _, problem := range problems {
			r.problem(problem)
		}
		return false
	}
	for _, step := range []func() error{r.locate, r.decide, r.change, r.list.Verify} {
		if err := step(); err != nil {
			r.fail(err)
		}
		if r.failed() {
			return false
		}
	}
	return true
}

// decide answers the question that functionConfig and the values of the stream put, just as preview and explain do.
func (r *run) decide() error {
	layers, err := r.layers()
	if err != nil {
		return err
	}
	loader := sources.NewLoader(nil, nil, r.Unit, r.StandIn)
	set, err := loader.Load(sources.Request{Cluster: r.config.Cluster, Namespace: r.namespace, Layers: layers})
	if err != nil {
		return err
	}
	r.secrets = set.Secrets
	c := r.config
	r.decision, r.answered, err = decision.Decide(decision.Question{
		Unit: r.Unit, Set: set, Library: chart.NewLibrary(), From: c.From, To: c.To, Upgrade: c.Upgrade, Revision: c.Revision,
		Assume: c.Assume, Images: c.Images, ChartVersion: c.ChartVersion,
	})
	if err != nil {
		return err
	}
	for _, each := range r.decision.Errors {
		r.warn(resourcelist.Error, each)
	}
	for _, each := range r.decision.Warnings {
		if !each.Info {
			r.warn(resourcelist.Warning, each)
		}
	}
	if r.decision.Undecided() && !r.failed() {
		return errors.New(r.decision.Why)
	}
	return r.name()
}

// name asks the values for the names of the Kustomizations.
func (r *run) name() error {
	for _, each := range []struct {
		unit string
		into *string
	}{{r.Unit.Name, &r.names.unit}, {r.Unit.Holds, &r.names.held}} {
		made := r.answered.Engine.KustomizationName(each.unit)
		if made.Kind != values.String {
			return errors.New("the name of the Kustomization of unit " + each.unit + " cannot be known here: " + made.Why)
		}
		*each.into = made.Scalar.(string)
	}
	return nil
}
