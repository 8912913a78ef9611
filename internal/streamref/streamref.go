// Package streamref remembers which stream an engine found, between the names
// of streams that senders repeat with every request and the engine that would
// look each of them up again.
package streamref

import "sync/atomic"

// Ref is the number of a stream in an engine. It belongs to one name of a stream
// and to one engine, which trusts it no further than it can check. The zero Ref
// remembers nothing. It is safe for concurrent use.
type Ref struct{ next atomic.Uint32 } // the number + 1; 0 is none

// Get returns the number, if there is one. It may be asked of nil.
func (r *Ref) Get() (stream uint32, ok bool) {
	if r == nil {
		return 0, false
	}
	n := r.next.Load()
	return n - 1, n != 0
}

// Set remembers a number. Nil does not.
func (r *Ref) Set(stream uint32) {
	if r != nil {
		r.next.Store(stream + 1)
	}
}
