package main

import (
	"fmt"
	"sync"
	"time"
)

// progress tells on a terminal how far a slow command is. It is never part of the result.
type progress struct {
	w     world
	total int
	start time.Time

	mutex sync.Mutex
	begun int
	shown bool
}

func newProgress(w world, total int) *progress {
	return &progress{w: w, total: total, start: time.Now()}
}

// at tells that the next one has begun.
func (p *progress) at(name string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.begun++
	if p.w.errTerminal && time.Since(p.start) > time.Second {
		p.shown = true
		fmt.Fprintf(p.w.bareErr, "\r\x1b[K%d of %d: %s", p.begun, p.total, visibleText(name))
	}
}

func (p *progress) done() {
	if p.shown {
		fmt.Fprint(p.w.bareErr, "\r\x1b[K")
	}
}
