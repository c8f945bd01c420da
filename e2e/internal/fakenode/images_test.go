package fakenode

import (
	"context"
	"sync"
	"testing"
	"time"
)

// An image is pulled once, however many pods want it; another reference is another image; a failed pull leaves nothing.
func TestEnsure(t *testing.T) {
	var c cache
	var pulled []string // one pull at a time
	fails := "no such tag"
	pull := func(image string) Pull {
		pulled = append(pulled, image)
		if image == "bad:1" {
			return Pull{Fails: fails}
		}
		return Pull{Takes: 10 * time.Millisecond}
	}
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if failed, err := c.ensure(t.Context(), "frr:1", pull); failed != "" || err != nil {
				t.Errorf("%q, %v", failed, err)
			}
		})
	}
	all.Wait()
	if len(pulled) != 1 || !c.has("frr:1") || c.has("docker.io/frr:1") {
		t.Errorf("pulled %v", pulled)
	}
	if failed, err := c.ensure(t.Context(), "bad:1", pull); failed != fails || err != nil || c.has("bad:1") {
		t.Errorf("%q, %v", failed, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.ensure(ended, "slow:1", func(string) Pull { return Pull{Takes: time.Hour} }); err == nil || c.has("slow:1") {
		t.Errorf("a pull that was given up: %v", err)
	}
}
