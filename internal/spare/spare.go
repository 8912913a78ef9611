// Package spare keeps memory that was used, for whoever needs some next. A
// sync.Pool would drop it with every collection of garbage, of which there are
// many a second when little else is in memory.
package spare

import "sync"

// List keeps up to so many values. It may be used by several goroutines.
type List[T any] struct {
	mu   sync.Mutex
	free []*T // its capacity is how many are kept
}

// NewList returns a List of at most n values.
func NewList[T any](n int) *List[T] { return &List[T]{free: make([]*T, 0, n)} }

// Get returns a value that was kept, or nil: the one that was put last, of which
// most is still in the caches of a processor.
func (l *List[T]) Get() *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.free)
	if n == 0 {
		return nil
	}
	v := l.free[n-1]
	l.free[n-1] = nil
	l.free = l.free[:n-1]
	return v
}

// Put keeps a value, unless there are enough.
func (l *List[T]) Put(v *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.free) < cap(l.free) {
		l.free = append(l.free, v)
	}
}

// Len returns how many are kept.
func (l *List[T]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.free)
}
