// Package chart is what the sylva-units chart would make of values, as far as a question needs it: whether a unit is enabled, what it
// depends on, what its Kustomization says. The rules are those of charts/sylva-units/templates (named at each rule); the templates that
// stand in the values are run by package gotpl.
//
// The chart interprets its values in passes (interpret-values-gotpl): first _internal.state, then the rest of _internal, then everything,
// then each unit with its unit templates. A template sees what earlier passes made and the raw text of its own pass. The Engine runs no
// pass: it evaluates a value when it is read, as the pass that would have made it, and remembers the result.
package chart
