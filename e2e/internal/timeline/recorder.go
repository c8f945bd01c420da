package timeline

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	watchtools "k8s.io/client-go/tools/watch"
)

// Kustomizations and DaemonSets are the resources that are recorded.
var (
	Kustomizations = schema.GroupVersionResource{Group: "kustomize.toolkit.fluxcd.io", Version: "v1", Resource: "kustomizations"}
	DaemonSets     = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "daemonsets"}
)

// A Recorder holds the events since it was started.
type Recorder struct {
	zero    time.Time // the printed times are relative to it
	mu      sync.Mutex
	changed chan struct{} // closed and replaced at each event
	events  []Event
	failure error
}

// Record starts to record, until the context ends. Objects that are there already are not new later.
func Record(ctx context.Context, client dynamic.Interface) (*Recorder, error) {
	r := &Recorder{zero: time.Now(), changed: make(chan struct{})}
	for _, resource := range []schema.GroupVersionResource{Kustomizations, DaemonSets} {
		list, err := client.Resource(resource).List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		there := map[types.UID]string{}
		for _, item := range list.Items {
			there[item.GetUID()] = state(&item)
		}
		watcher, err := watchtools.NewRetryWatcherWithContext(ctx, list.GetResourceVersion(), watchFunc(func(
			ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return client.Resource(resource).Watch(ctx, o)
		}))
		if err != nil {
			return nil, err
		}
		go r.record(ctx, watcher, there)
	}
	return r, nil
}

// watchFunc is a cache.WatcherWithContext.
type watchFunc func(context.Context, metav1.ListOptions) (watch.Interface, error)

func (f watchFunc) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	return f(ctx, o)
}

// record takes the events of a watch; there has the objects known so far, with their state.
func (r *Recorder) record(ctx context.Context, watcher *watchtools.RetryWatcher, there map[types.UID]string) {
	for event := range watcher.ResultChan() {
		object, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			r.fail(fmt.Errorf("watch: %s %v", event.Type, event.Object))
			return
		}
		revision, err := strconv.ParseUint(object.GetResourceVersion(), 10, 64)
		if err != nil {
			r.fail(fmt.Errorf("resource version of %s: %w", object.GetName(), err))
			return
		}
		before, known := there[object.GetUID()]
		text := state(object)
		if event.Type == watch.Deleted {
			text = "is deleted"
		}
		if known && text == before {
			text = "" // nothing to print, but other matches may look at the object
		}
		there[object.GetUID()] = state(object)
		r.add(Event{At: time.Now(), Revision: revision, Object: object, Deleted: event.Type == watch.Deleted, First: !known, Text: text})
	}
	if ctx.Err() == nil {
		r.fail(fmt.Errorf("a watch has ended"))
	}
}

// Note adds a line that is no change of an object that is watched.
func (r *Recorder) Note(format string, args ...any) {
	r.add(Event{At: time.Now(), Text: fmt.Sprintf(format, args...)})
}

func (r *Recorder) add(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	r.wake()
}

func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failure = err
	r.wake()
}

func (r *Recorder) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Events returns the events so far, in the order of arrival.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// Wait returns the first event after a revision that matches, and waits for it if need be. A revision of 0 is the beginning.
func (r *Recorder) Wait(ctx context.Context, after uint64, m Match) (Event, error) {
	for {
		r.mu.Lock()
		found, ok := first(r.events, after, m)
		changed, failure := r.changed, r.failure
		r.mu.Unlock()
		if ok || failure != nil {
			return found, failure
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Event{}, fmt.Errorf("did not happen: %s", m.Says)
		}
	}
}

// First returns the first event after a revision that matches, if there is one by now.
func (r *Recorder) First(after uint64, m Match) (Event, bool) { return first(r.Events(), after, m) }

func first(events []Event, after uint64, m Match) (found Event, ok bool) {
	for _, e := range events {
		if e.Object != nil && e.Revision > after && m.Is(e) && (!ok || e.Revision < found.Revision) {
			found, ok = e, true
		}
	}
	return found, ok
}
