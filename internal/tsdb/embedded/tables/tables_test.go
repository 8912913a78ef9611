package tables

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func open(t *testing.T) *Store {
	t.Helper()
	fs := vfs.NewMem()
	check(t, MakeDir(fs, "data"))
	s, err := Open(Options{
		FS: fs, Dir: "data", CacheBytes: 1 << 20,
		Failed:  func(doing string, err error) { t.Errorf("%s: %v", doing, err) },
		Corrupt: func(err error) { t.Error(err) },
	})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keys returns what the store has under a letter.
func keys(t *testing.T, s *Store, letter byte) string {
	t.Helper()
	found := ""
	check(t, s.Each(letter, func(k, v []byte) error { found += fmt.Sprintf("%s=%s ", k, v); return nil }))
	return found
}

// TestStepsAreAtomic makes changes in steps: each is there whole, or not at all.
func TestStepsAreAtomic(t *testing.T) {
	t.Parallel()
	s := open(t)
	apply := func(fill func(w *Writer) error) error { return s.Apply(context.Background(), true, fill) }
	check(t, apply(func(w *Writer) error {
		return w.Write([]Change{{[]byte("b2"), []byte("2")}, {[]byte("b1"), []byte("1")}, {[]byte("b3"), []byte("3")}, {[]byte("c1"), []byte("x")}})
	}))
	failed := fmt.Errorf("changed my mind")
	err := apply(func(w *Writer) error {
		check(t, w.Set([]byte("b4"), []byte("4")))
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
	if got := keys(t, s, 'b'); got != "b1=1 b2=2 b3=3 " {
		t.Errorf("after a step that failed: %s", got)
	}
	check(t, apply(func(w *Writer) error { // what a step sets stays, whatever range it deletes
		check(t, w.Set([]byte("b2"), []byte("new")))
		return w.DeleteRange(Span{From: []byte("b2"), To: []byte("b9")})
	}))
	if got := keys(t, s, 'b'); got != "b1=1 b2=new " {
		t.Errorf("after a range was deleted: %s", got)
	}
	check(t, apply(func(w *Writer) error {
		w.Excise(Span{From: []byte("b"), To: []byte("c")})
		return w.Set([]byte("b7"), []byte("7"))
	}))
	if got := keys(t, s, 'b') + keys(t, s, 'c'); got != "b7=7 c1=x " {
		t.Errorf("after a span was excised: %s", got)
	}
	if v, err := s.Get([]byte("b1")); v != nil || err != nil {
		t.Errorf("got %s, %v of a key that is gone", v, err)
	}
}

// TestIteratorWithin stops at the limit and keeps to its bounds.
func TestIteratorWithin(t *testing.T) {
	t.Parallel()
	s := open(t)
	check(t, s.Apply(context.Background(), false, func(w *Writer) error {
		for i := range 9 {
			check(t, w.Set(fmt.Appendf(nil, "a%d", i), nil))
		}
		return nil
	}))
	it, err := s.Iter([]byte("a2"), []byte("a8"))
	check(t, err)
	got := ""
	for ok := it.SeekWithin([]byte("a0"), []byte("a5")); ok; ok = it.NextWithin([]byte("a5")) {
		got += string(it.Key()) + " "
	}
	check(t, it.Err())
	check(t, it.Close())
	if got != "a2 a3 a4 " {
		t.Errorf("got %s", got)
	}
}
