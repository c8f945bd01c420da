// Package verify proves the wiring of a pre-pull unit on what is rendered of it, before a cluster meets it.
//
// The input is streams of rendered manifests, the workload to come, and a sylva-core tree, in any combination. Each rule is an entry of
// Rules with a file of its own; it says what it looked at, so that a rule that found nothing to check is told from one that found
// nothing wrong.
package verify
