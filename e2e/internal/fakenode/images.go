package fakenode

import (
	"context"
	"sync"
	"time"
)

// A Pull is what pulling an image comes to.
type Pull struct {
	Takes time.Duration
	Fails string // the registry's answer; empty: the image is there afterwards
}

// cache holds the images that a node has pulled, by the reference that they were pulled with, which is what a kubelet looks up.
type cache struct {
	mu    sync.Mutex // of the map
	have  map[string]bool
	pulls sync.Mutex // one pull at a time, as a kubelet does unless told otherwise (serializeImagePulls)
}

func (c *cache) has(image string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.have[image]
}

// ensure pulls an image unless it is there, and returns the registry's answer if that fails.
func (c *cache) ensure(ctx context.Context, image string, pull func(string) Pull) (failed string, err error) {
	if c.has(image) {
		return "", nil
	}
	c.pulls.Lock()
	defer c.pulls.Unlock()
	if c.has(image) {
		return "", nil
	}
	outcome := pull(image)
	select {
	case <-time.After(outcome.Takes):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if outcome.Fails != "" {
		return outcome.Fails, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.have == nil {
		c.have = map[string]bool{}
	}
	c.have[image] = true
	return "", nil
}
