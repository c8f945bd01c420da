package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
)

// asker answers the question of the flags for one environment after the other.
type asker struct {
	flags    *sourceFlags
	question decision.Question
	loader   *sources.Loader
}

func (f *sourceFlags) asker(w world) (*asker, error) {
	definition, err := f.definition()
	if err != nil {
		return nil, err
	}
	if f.workload == "-" && slices.Contains(f.files, "-") {
		return nil, errors.New("stdin (-) can be read once")
	}
	q := decision.Question{Unit: definition, Library: chart.NewLibrary(), Revision: f.revision}
	if q.From, q.To, err = f.releases(); err != nil {
		return nil, err
	}
	if f.upgrade || f.fresh {
		q.Upgrade = &f.upgrade
	}
	if f.namespace != "" && !regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`).MatchString(f.namespace) {
		return nil, fmt.Errorf("--namespace %q: a Kubernetes namespace has lower case letters, digits and -", f.namespace)
	}
	if f.revision < 1 {
		return nil, fmt.Errorf("--revision %d: the first is 1", f.revision)
	}
	if q.Assume, err = f.assumptions(); err != nil {
		return nil, err
	}
	if err := f.imageFlags.fill(w, &q); err != nil {
		return nil, err
	}
	defaults, err := standIn()
	if err != nil {
		return nil, err
	}
	return &asker{flags: f, question: q, loader: sources.NewLoader(w.fsys, w.in, definition, defaults)}, nil
}

// ask decides for one environment, "" where there is none.
func (a *asker) ask(environment string) (*decision.Decision, *decision.Case, error) {
	set, err := a.loader.Load(sources.Request{
		Core: a.flags.core, Cluster: a.flags.cluster.value, Files: a.flags.files, Environment: environment, Namespace: a.flags.namespace,
	})
	if err != nil {
		return nil, nil, err
	}
	q := a.question
	q.Set = set
	return decision.Decide(q)
}

// one is the environment of a command that takes at most one.
func one(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
