// Package spare keeps memory that was used, for whoever needs some next. A
// sync.Pool would drop it with every collection of garbage, of which there are
// many a second when little else is in memory.
package spare

// List keeps up to so many values. It may be used by several goroutines.
type List[T any] struct{ free chan *T }

// NewList returns a List of at most n values.
func NewList[T any](n int) List[T] { return List[T]{make(chan *T, n)} }

// Get returns a value that was kept, or nil.
func (l List[T]) Get() *T {
	select {
	case v := <-l.free:
		return v
	default:
		return nil
	}
}

// Put keeps a value, unless there are enough.
func (l List[T]) Put(v *T) {
	select {
	case l.free <- v:
	default:
	}
}

// Len returns how many are kept.
func (l List[T]) Len() int { return len(l.free) }
