package timeline

import (
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func kustomization(name, status string, generation, observed int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"kind": "Kustomization", "metadata": map[string]any{"name": name, "generation": generation},
		"status": map[string]any{
			"observedGeneration": observed,
			"conditions":         []any{map[string]any{"type": "Ready", "status": status, "reason": "DependencyNotReady", "message": "a\nb"}},
		},
	}}
}

func recorded(events ...Event) *Recorder {
	r := &Recorder{changed: make(chan struct{})}
	for _, e := range events {
		r.add(e)
	}
	return r
}

// The events arrive in another order than that of their revisions, as they do from two watches.
func TestInOrder(t *testing.T) {
	r := recorded(
		Event{Revision: 30, Object: kustomization("metallb", "Unknown", 1, 0)},
		Event{Revision: 10, Object: kustomization("unit", "True", 1, 1)},
		Event{Revision: 20, Object: kustomization("unit", "True", 2, 1)}, // ready, but in its old generation
		Event{Revision: 40, Object: kustomization("unit", "True", 2, 2)},
		Event{Text: "a note"},
	)
	for name, c := range map[string]struct {
		after uint64
		steps []Match
		want  string // part of the error
	}{
		"in order":           {0, []Match{Ready("unit"), Starts("metallb")}, ""},
		"the other way":      {0, []Match{Starts("metallb"), Ready("unit")}, "came before"},
		"the first is old":   {15, []Match{Ready("unit"), Starts("metallb")}, "came before"},
		"never":              {0, []Match{Ready("unit"), Ready("metallb")}, "did not happen: Kustomization metallb is ready"},
		"twice the same":     {0, []Match{Ready("unit"), Ready("unit")}, "came before"},
		"after the last one": {40, []Match{Ready("unit")}, "did not happen"},
	} {
		t.Run(name, func(t *testing.T) {
			err := r.InOrder(c.after, c.steps...)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, wanted %q", err, c.want)
			}
		})
	}
}

func TestWait(t *testing.T) {
	r := recorded()
	go func() {
		time.Sleep(20 * time.Millisecond)
		r.add(Event{Revision: 7, Object: kustomization("unit", "False", 1, 1)})
	}()
	if e, err := r.Wait(t.Context(), 0, NotReady("unit", "DependencyNotReady", "b")); err != nil || e.Revision != 7 {
		t.Errorf("revision %d, %v", e.Revision, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := r.Wait(ctx, 7, NotReady("unit", "DependencyNotReady", "")); err == nil {
		t.Error("an event that is too old was taken")
	}
}

func TestRolledOut(t *testing.T) {
	set := func(observed, desired, updated, available int64, image string) Event {
		return Event{Revision: 1, Object: &unstructured.Unstructured{Object: map[string]any{
			"kind": "DaemonSet", "metadata": map[string]any{"name": "unit", "generation": int64(2)},
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"image": image}}}}},
			"status": map[string]any{
				"observedGeneration": observed, "desiredNumberScheduled": desired, "updatedNumberScheduled": updated, "numberAvailable": available,
			},
		}}}
	}
	for name, c := range map[string]struct {
		event Event
		want  bool
	}{
		"all":           {set(2, 3, 3, 3, "frr:1"), true},
		"not observed":  {set(1, 3, 3, 3, "frr:1"), false},
		"old pods":      {set(2, 3, 2, 3, "frr:1"), false},
		"not available": {set(2, 3, 3, 2, "frr:1"), false},
		"more nodes":    {set(2, 4, 3, 3, "frr:1"), false},
		"another image": {set(2, 3, 3, 3, "frr:12"), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := RolledOut("unit", "frr:1", 3).Is(c.event); got != c.want {
				t.Errorf("%v, wanted %v", got, c.want)
			}
		})
	}
}
