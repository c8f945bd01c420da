package gotpl

import (
	"reflect"
	"strings"
)

// Limits of one run. The largest template in the real chart prints 10 kB and takes 300 turns.
const (
	maxOutput = 2 << 20
	maxSteps  = 1_000_000
	maxTurns  = 3_000_000 // of all runs on one set of values
	maxCount  = 1_000_000 // of a function that makes as much as a number says
)

// run is the state of one run, which its context carries.
type run struct {
	Env
	steps int
}

// step counts a turn of a loop.
func step(context map[string]any) (string, error) {
	running, ok := context[envKey].(*run)
	if !ok {
		return "", nil
	}
	all := running.Turns()
	*all++
	if running.steps++; running.steps > maxSteps {
		return "", unknownf("the template takes over %d turns", maxSteps)
	}
	if *all > maxTurns {
		return "", unknownf("the templates of these values take over %d turns", maxTurns)
	}
	return "", nil
}

// limited is a run's output.
type limited struct{ strings.Builder }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxOutput {
		return 0, unknownf("the template prints over %d bytes", maxOutput)
	}
	return l.Builder.Write(p)
}

// bounded wraps a function that takes counts so that no count is out of proportion.
func bounded(name string, f any) any {
	fn := reflect.ValueOf(f)
	return reflect.MakeFunc(fn.Type(), func(in []reflect.Value) []reflect.Value {
		for _, arg := range in {
			if counts(arg) {
				err := unknownf("%s makes over %d things", name, maxCount)
				return []reflect.Value{reflect.Zero(fn.Type().Out(0)), reflect.ValueOf(&err).Elem()}
			}
		}
		if fn.Type().IsVariadic() {
			return fn.CallSlice(in)
		}
		return fn.Call(in)
	}).Interface()
}

// counts reports whether an argument is a number, or a list with one, beyond the limit.
func counts(arg reflect.Value) bool {
	switch {
	case arg.CanInt():
		return arg.Int() > maxCount || arg.Int() < -maxCount
	case arg.Kind() == reflect.Slice:
		for i := range arg.Len() {
			if counts(arg.Index(i)) {
				return true
			}
		}
	}
	return false
}
