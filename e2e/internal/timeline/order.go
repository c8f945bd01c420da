package timeline

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// InOrder checks that the first events that match, after a revision, all happened and in the order given.
func (r *Recorder) InOrder(after uint64, steps ...Match) error {
	var previous Event
	for i, step := range steps {
		e, ok := r.First(after, step)
		if !ok {
			return fmt.Errorf("did not happen: %s", step.Says)
		}
		if i > 0 && e.Revision <= previous.Revision {
			return fmt.Errorf("%q (revision %d) came before %q (revision %d)", step.Says, e.Revision, steps[i-1].Says, previous.Revision)
		}
		previous = e
	}
	return nil
}

// Zero makes this moment the one that the printed times are relative to. What was before is printed only if all is asked for.
func (r *Recorder) Zero() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.zero = time.Now()
}

// Print returns the events as lines with their time: the notes, and the changes of the objects that are shown. All prints everything.
func (r *Recorder) Print(shown func(kind, name string) bool, all bool) string {
	var out strings.Builder
	for _, e := range r.Events() {
		switch {
		case e.Text == "" || !all && e.At.Before(r.zero):
		case e.Object == nil:
			fmt.Fprintf(&out, "%+7.1fs  %s\n", e.At.Sub(r.zero).Seconds(), e.Text)
		case all || shown(e.Object.GetKind(), e.Object.GetName()):
			fmt.Fprintf(&out, "%+7.1fs  %s %s: %s\n", e.At.Sub(r.zero).Seconds(), e.Object.GetKind(), e.Object.GetName(), e.Text)
		}
	}
	return out.String()
}

// state is what of an object is worth a line when it changes.
func state(u *unstructured.Unstructured) string {
	if u.GetKind() == "DaemonSet" {
		if number(u, "observedGeneration") != u.GetGeneration() {
			return fmt.Sprintf("is now generation %d, with %s", u.GetGeneration(), strings.Join(distinct(Images(u)), ", "))
		}
		return fmt.Sprintf("%d nodes, new pod on %d, available on %d", number(u, "desiredNumberScheduled"),
			number(u, "updatedNumberScheduled"), number(u, "numberAvailable"))
	}
	status, reason, message := readyCondition(u)
	switch status {
	case "":
		return "is new"
	case "True":
		if number(u, "observedGeneration") < 1 {
			return "Progressing: applied"
		}
		if number(u, "observedGeneration") != u.GetGeneration() {
			return fmt.Sprintf("Ready in generation %d, is now %d", number(u, "observedGeneration"), u.GetGeneration())
		}
		return "Ready"
	}
	message, _, _ = strings.Cut(message, "\n")
	if len(message) > 110 {
		message = message[:110] + "..."
	}
	return reason + ": " + message
}

func distinct(all []string) []string {
	var some []string
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s] {
			some, seen[s] = append(some, s), true
		}
	}
	return some
}
