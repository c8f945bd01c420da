// Package gotpl runs the Go templates of Helm values on values that are known only in part.
//
// A template is run by text/template itself, with sprig's and Helm's functions. Around that stand three things. The value paths that a
// template reads are found in its parse tree, and only those are asked for, so that nothing else need be evaluated. A value that cannot
// be known is a Hole in the data; every place where a template could look at one (a condition, an argument, the output) is guarded, so
// that touching it ends the run with an Unknown and never with a guess. And what makes a template differ from one run to the next - the
// cluster, the clock, randomness - answers Unknown.
package gotpl

import "fmt"

// Hole stands in the data for a value that exists and is not known here.
type Hole struct{ Why string }

// Unknown is the outcome of a template that touches what cannot be known.
type Unknown struct{ Why string }

// Error is the reason.
func (u *Unknown) Error() string { return u.Why }

// Failure is the outcome of a template that fails: Helm would refuse to render the chart.
type Failure struct{ Why string }

// Error is the template's own message.
func (f *Failure) Error() string { return f.Why }

// Env is what a running template may ask for.
type Env interface {
	// Read returns the value at a path below .Values as plain, fresh data with Holes in it, and whether the path exists.
	Read(path []string) (any, bool)
	// Include runs a named template.
	Include(name string, data any) (string, error)
	// Tpl runs template text in the same context.
	Tpl(text string) (string, error)
	// Turns counts the turns of loops, over all templates of one set of values.
	Turns() *int
}

func unknownf(format string, args ...any) error { return &Unknown{Why: fmt.Sprintf(format, args...)} }
