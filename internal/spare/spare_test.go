package spare_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/spare"
)

// TestList: what was put is handed out once, the last of it first, and no more
// is kept than asked for.
func TestList(t *testing.T) {
	t.Parallel()
	l := spare.NewList[int](2)
	if v := l.Get(); v != nil {
		t.Errorf("got %v of an empty list", *v)
	}
	for i := range 5 {
		l.Put(&i)
	}
	if l.Len() != 2 {
		t.Errorf("%d are kept, want 2", l.Len())
	}
	a, b, c := l.Get(), l.Get(), l.Get()
	if a == nil || b == nil || *a != 1 || *b != 0 || c != nil || l.Len() != 0 {
		t.Errorf("got %v, %v and %v", a, b, c)
	}
}
