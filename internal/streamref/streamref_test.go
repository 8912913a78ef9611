package streamref_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/streamref"
)

// TestRef: a Ref has the number it was given last, and none before; a nil one
// never has any.
func TestRef(t *testing.T) {
	t.Parallel()
	var r streamref.Ref
	if n, ok := r.Get(); ok {
		t.Errorf("a new Ref has %d", n)
	}
	for _, want := range []uint32{0, 7, 1<<32 - 2} {
		r.Set(want)
		if n, ok := r.Get(); !ok || n != want {
			t.Errorf("got %d, %v, want %d", n, ok, want)
		}
	}
	var none *streamref.Ref
	none.Set(3)
	if n, ok := none.Get(); ok {
		t.Errorf("nil has %d", n)
	}
}
