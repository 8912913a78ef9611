package tables

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestClosedStoreSaysSo: nothing works any longer, and nothing panics.
func TestClosedStoreSaysSo(t *testing.T) {
	t.Parallel()
	s, _ := openOn(t, vfs.NewMem())
	check(t, set(t, s, "a", "1"))
	size := s.Bytes()
	check(t, s.Close())
	_, err := s.Get([]byte("a"))
	_, ierr := s.Iter([]byte("a"), []byte("b"))
	for what, err := range map[string]error{
		"Get": err, "Iter": ierr, "Apply": set(t, s, "b", "2"), "Snapshot": s.Snapshot("data/" + SnapshotDir),
		"Each": s.Each('a', nil), "Excise": s.Excise(t.Context(), Span{From: []byte("a"), To: []byte("b")}),
	} {
		if !errors.Is(err, errNoTables) {
			t.Errorf("%s: got %v, want %v", what, err, errNoTables)
		}
	}
	if size == 0 || s.Bytes() != size {
		t.Errorf("it took %d bytes, and now %d", size, s.Bytes())
	}
}

// TestLeftoversAreRemoved: a start removes half-written tables and an old
// snapshot, and nothing else.
func TestLeftoversAreRemoved(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	for _, name := range []string{tablePrefix + "7.sst", SnapshotDir + "/000001.sst", "other"} {
		path := mem.PathJoin("data", name)
		check(t, MakeDir(mem, mem.PathDir(path)))
		writeFile(t, mem, path, "x")
	}
	s, _ := openOn(t, mem)
	names, err := mem.List("data")
	check(t, err)
	if got := strings.Join(names, " "); got != "db other" && got != "other db" {
		t.Errorf("left are %v", names)
	}
	check(t, s.Close())
}

func writeFile(t *testing.T, fs FS, path, text string) {
	t.Helper()
	f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	check(t, err)
	_, err = f.Write([]byte(text))
	check(t, errors.Join(err, f.Sync(), f.Close()))
}

// TestSnapshotIsAStore: a copy of a snapshot has what was there when it was
// made, whatever happened since.
func TestSnapshotIsAStore(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	s, _ := openOn(t, mem)
	check(t, set(t, s, "a1", "1"))
	for range 2 { // the second replaces the first
		check(t, s.Snapshot("data/"+SnapshotDir))
	}
	check(t, s.Apply(t.Context(), true, func(w *Writer) error {
		w.Excise(Span{From: []byte("a"), To: []byte("b")})
		return w.Set([]byte("a2"), []byte("2"))
	}))
	check(t, MakeDir(mem, "copy"))
	check(t, CopyDir(t.Context(), mem, "data/"+SnapshotDir, "copy/"+Dir, nil))
	copied, err := Open(Options{FS: mem, Dir: "copy", CacheBytes: 1 << 20, Failed: func(string, error) {}, Corrupt: func(error) {}})
	check(t, err)
	if got := keys(t, copied, 'a'); got != "a1=1 " {
		t.Errorf("the copy has %s", got)
	}
	if got := keys(t, s, 'a'); got != "a2=2 " {
		t.Errorf("the original has %s", got)
	}
	check(t, errors.Join(copied.Close(), s.Close()))
}

// TestWriterCutsAndDeletes: a step may be several tables, and delete single
// keys.
func TestWriterCutsAndDeletes(t *testing.T) {
	t.Parallel()
	s := open(t)
	check(t, s.Apply(t.Context(), false, func(w *Writer) error {
		for i := range 6 {
			check(t, w.Set(fmt.Appendf(nil, "a%d", i), []byte("x")))
			if w.Pending() != 3*(i%2+1) {
				t.Errorf("after key %d %d bytes are pending", i, w.Pending())
			}
			if i%2 == 1 {
				check(t, w.Cut())
			}
		}
		return nil
	}))
	files, err := List(s.fs, "data")
	check(t, err)
	if len(files) != 3 {
		t.Errorf("%d tables, want 3", len(files))
	}
	check(t, s.Apply(t.Context(), true, func(w *Writer) error {
		return w.Write([]Change{{Key: []byte("a4")}, {Key: []byte("a1")}, {Key: []byte("a9")}, {Key: []byte("a2"), Value: []byte{}}})
	}))
	if got := keys(t, s, 'a'); got != "a0=x a2= a3=x a5=x " {
		t.Errorf("got %s", got)
	}
	if v, err := s.Get([]byte("a2")); v == nil || len(v) != 0 || err != nil {
		t.Errorf("an empty value comes back as %v, %v", v, err)
	}
}

// TestKeysOutOfOrder: a step whose keys do not ascend fails as a whole.
func TestKeysOutOfOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	err := s.Apply(t.Context(), true, func(w *Writer) error {
		check(t, w.Set([]byte("a2"), nil))
		return w.Set([]byte("a1"), nil)
	})
	if err == nil {
		t.Error("keys out of order were taken")
	}
	if got := keys(t, s, 'a'); got != "" {
		t.Errorf("got %s", got)
	}
}

// TestStepsOfNothing: a step without changes, and one with a context that
// ended, leave everything as it is.
func TestStepsOfNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	check(t, set(t, s, "a", "1"))
	check(t, s.Apply(t.Context(), true, func(*Writer) error { return nil }))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = s.Apply(ctx, true, func(w *Writer) error { return w.Set([]byte("b"), []byte("2")) })
	if got := keys(t, s, 'a'); got != "a=1 " {
		t.Errorf("got %s", got)
	}
}

// TestExciseTakesASpan: keys from the first on go, the one at its end stays.
func TestExciseTakesASpan(t *testing.T) {
	t.Parallel()
	s := open(t)
	check(t, s.Apply(t.Context(), true, func(w *Writer) error {
		for i := range 9 {
			check(t, w.Set(fmt.Appendf(nil, "a%d", i), []byte("x")))
		}
		return nil
	}))
	check(t, s.Excise(t.Context(), Span{From: []byte("a2"), To: []byte("a6")}))
	if got := keys(t, s, 'a'); got != "a0=x a1=x a6=x a7=x a8=x " {
		t.Errorf("got %s", got)
	}
}

// TestReadersKeepWhatTheySee: an iterator shows what was there when it was
// made.
func TestReadersKeepWhatTheySee(t *testing.T) {
	t.Parallel()
	s := open(t)
	check(t, set(t, s, "a1", "1"))
	it, err := s.Iter([]byte("a"), []byte("b"))
	check(t, err)
	check(t, s.Apply(t.Context(), true, func(w *Writer) error {
		w.Excise(Span{From: []byte("a"), To: []byte("b")})
		return w.Set([]byte("a2"), []byte("2"))
	}))
	got := ""
	for ok := it.Seek([]byte("a")); ok; ok = it.Next() {
		v, err := it.Value()
		check(t, err)
		got += fmt.Sprintf("%s=%s ", it.Key(), v)
	}
	check(t, errors.Join(it.Err(), it.Close()))
	if got != "a1=1 " {
		t.Errorf("the iterator shows %s", got)
	}
}

// TestEachStops: an error of the caller ends the walk and comes back.
func TestEachStops(t *testing.T) {
	t.Parallel()
	s := open(t)
	check(t, set(t, s, "a1", "1"))
	check(t, set(t, s, "a2", "2"))
	enough, n := errors.New("enough"), 0
	if err := s.Each('a', func(_, _ []byte) error { n++; return enough }); !errors.Is(err, enough) || n != 1 {
		t.Errorf("got %v after %d keys", err, n)
	}
	check(t, s.Close())
	check(t, s.Close()) // a second time is nothing
}
