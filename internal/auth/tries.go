package auth

import (
	"sync"
	"time"
)

const (
	maxTries    = 5
	lockFor     = 2 * time.Minute
	maxPerHost  = 50 // failures from one address before it must wait, whoever it tries to be
	maxTracked  = 50_000
	forgetAfter = 15 * time.Minute
)

// tries slows down those who guess passwords: a few failures for one e-mail,
// or many from one address, and both have to wait.
type tries struct {
	mu     sync.Mutex
	counts map[string]*count
}

type count struct {
	n    int
	last time.Time
}

func hostKey(address string) string { return "@" + address }

// allowed reports whether another try may be made now.
func (t *tries) allowed(email, address string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	locked := func(key string, most int) bool {
		c := t.counts[key]
		return c != nil && c.n >= most && now.Sub(c.last) < lockFor
	}
	return !locked(email, maxTries) && !locked(hostKey(address), maxPerHost)
}

func (t *tries) failed(email, address string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = make(map[string]*count)
	}
	if len(t.counts) >= maxTracked {
		clear(t.counts) // better to forget failures than to run out of memory
	}
	for _, key := range []string{email, hostKey(address)} {
		c := t.counts[key]
		if c == nil || now.Sub(c.last) > forgetAfter {
			c = &count{}
			t.counts[key] = c
		}
		c.n++
		c.last = now
	}
}

func (t *tries) succeeded(email string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.counts, email)
}
