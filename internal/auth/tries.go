package auth

import (
	"sync"
	"time"
)

const (
	maxTracked  = 50_000
	forgetAfter = 15 * time.Minute
)

// tries slows down those who try something again and again: a few times for
// one e-mail, or many from one address, and both have to wait.
type tries struct {
	perName int
	perHost int // whoever they try to be
	wait    time.Duration

	mu     sync.Mutex
	counts map[string]*count // guarded by mu
}

type count struct {
	n    int
	last time.Time
}

func hostKey(address string) string { return "@" + address }

// allowed reports whether another try may be made now.
func (t *tries) allowed(name, address string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	waits := func(key string, most int) bool {
		c := t.counts[key]
		return c != nil && c.n >= most && now.Sub(c.last) < t.wait
	}
	return !waits(name, t.perName) && !waits(hostKey(address), t.perHost)
}

// made counts a try; of passwords, those that were wrong.
func (t *tries) made(name, address string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[string]*count)
	}
	if len(t.counts) >= maxTracked {
		clear(t.counts) // better to forget than to run out of memory
	}
	for _, key := range []string{name, hostKey(address)} {
		c := t.counts[key]
		if c == nil || now.Sub(c.last) > max(forgetAfter, t.wait) {
			c = &count{}
			t.counts[key] = c
		}
		c.n++
		c.last = now
	}
}

func (t *tries) forget(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.counts, name)
}
