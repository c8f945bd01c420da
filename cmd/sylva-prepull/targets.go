package main

import (
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/environment"
)

// target is one environment to decide for.
type target struct {
	dir string
	err error // why it is none
}

// expand makes the list of environments of the arguments. A directory that is no environment itself stands for those below it. Of
// several arguments, one that leads to no environment is a line of the fleet with its error.
func expand(w world, args []string) ([]target, bool, error) {
	if len(args) == 0 {
		return []target{{}}, false, nil
	}
	var all []target
	fleet := len(args) > 1
	for _, arg := range args {
		found, parent, err := environment.Below(w.fsys, arg)
		if err != nil && !fleet {
			return nil, false, err
		}
		if err != nil {
			all = append(all, target{arg, err})
		}
		fleet = fleet || parent
		for _, dir := range found {
			all = append(all, target{dir: dir})
		}
	}
	return withoutTwins(all), fleet, nil
}

// withoutTwins leaves out environments that are named twice: the summary counts clusters.
func withoutTwins(all []target) []target {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(each target) bool {
		dir := filepath.Clean(each.dir)
		twin := seen[dir]
		seen[dir] = true
		return twin
	})
}

// failed is the decision on an environment that cannot be read.
func failed(unit, environment string, err error) *decision.Decision {
	return &decision.Decision{
		Unit: unit, Environment: environment, Guards: []decision.Guard{}, Images: []decision.Image{}, Warnings: []decision.Warning{},
		Errors: []decision.Warning{{Rule: "unreadable", Text: err.Error()}},
	}
}

// decideAll decides for every target, as many at a time as there are processors. The decisions come in the order of the targets.
func decideAll(w world, asker *asker, targets []target) []*decision.Decision {
	decisions := make([]*decision.Decision, len(targets))
	progress := newProgress(w, len(targets))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(targets)) {
		workers.Go(func() {
			for i := range next {
				progress.at(targets[i].dir)
				decisions[i] = decideOne(asker, targets[i])
			}
		})
	}
	for i := range targets {
		next <- i
	}
	close(next)
	workers.Wait()
	progress.done()
	return decisions
}

func decideOne(asker *asker, each target) *decision.Decision {
	if each.err != nil {
		return failed(asker.question.Unit.Name, each.dir, each.err)
	}
	d, _, err := asker.ask(each.dir)
	if err != nil {
		return failed(asker.question.Unit.Name, each.dir, err)
	}
	return d
}
