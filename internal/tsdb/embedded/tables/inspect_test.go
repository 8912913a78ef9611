package tables

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// rebuilt is what putting the tables over each other gives.
func rebuilt(t *testing.T, fs FS) map[string]string {
	t.Helper()
	files, err := List(fs, "data")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for i := range files {
		changes, deleted, complete, err := files[i].Read()
		if err != nil || !complete {
			t.Fatalf("%s: complete %v, %v", files[i].Name, complete, err)
		}
		for _, x := range deleted {
			deleteSpan(all, x)
		}
		for _, c := range changes {
			if delete(all, string(c.Key)); c.Value != nil {
				all[string(c.Key)] = string(c.Value)
			}
		}
	}
	return all
}

// TestTablesGiveTheDatabase makes random changes: the store has what a map has,
// and so have its tables, read one by one and put over each other.
func TestTablesGiveTheDatabase(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		mem := vfs.NewMem()
		s, _ := openOn(t, mem)
		want := make(map[string]string)
		r := rand.New(rand.NewPCG(seed, 1))
		for step := range 1 + r.IntN(12) {
			check(t, s.Apply(t.Context(), true, func(w *Writer) error { return randomChanges(r, w, fmt.Sprint(step), want) }))
		}
		got := make(map[string]string)
		check(t, s.Each('a', func(k, v []byte) error { got[string(k)] = string(v); return nil }))
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: the store has %v, want %v", seed, got, want)
		}
		check(t, s.Close())
		if again := rebuilt(t, mem); !maps.Equal(again, want) {
			t.Fatalf("seed %d: the tables have %v, want %v", seed, again, want)
		}
	}
}

// randomChanges sets and deletes keys, over a range that it deletes, or in
// place of one that it excises, and in want.
func randomChanges(r *rand.Rand, w *Writer, value string, want map[string]string) error {
	key := func() string { return fmt.Sprintf("a%02d", r.IntN(30)) }
	from, to := key(), key()
	if from < to {
		x := Span{[]byte(from), []byte(to)}
		switch r.IntN(3) {
		case 0:
			if err := w.DeleteRange(x); err != nil {
				return err
			}
			deleteSpan(want, x)
		case 1:
			w.Excise(x)
			deleteSpan(want, x)
		}
	}
	var changes []Change
	for i := range 1 + r.IntN(6) {
		k := fmt.Sprintf("a%02d", r.IntN(5)*6+i) // no two alike
		if delete(want, k); r.IntN(3) > 0 {
			want[k] = value
			changes = append(changes, Change{[]byte(k), []byte(value)})
			continue
		}
		changes = append(changes, Change{Key: []byte(k)})
	}
	return w.Write(changes)
}

func deleteSpan(all map[string]string, x Span) {
	maps.DeleteFunc(all, func(k, _ string) bool { return k >= string(x.From) && k < string(x.To) })
}

// filled returns a disk with one table of n keys in several blocks, and the path
// of the table.
func filled(t *testing.T, n int) (fs *vfs.MemFS, path string) {
	t.Helper()
	mem := vfs.NewMem()
	s, _ := openOn(t, mem)
	check(t, s.Apply(t.Context(), true, func(w *Writer) error {
		for i := range n {
			check(t, w.Set(fmt.Appendf(nil, "a%04d", i), []byte(valueOf(i))))
		}
		return nil
	}))
	check(t, s.Close())
	files, err := List(mem, "data")
	check(t, err)
	if len(files) != 1 {
		t.Fatalf("%d tables", len(files))
	}
	return mem, files[0].path
}

// valueOf is a kilobyte that follows from i. It compresses well: of a block
// that is damaged Pebble tries to find the bit that changed, one by one.
func valueOf(i int) string { return strings.Repeat(fmt.Sprintf("%08d", i*i), 128) }

// TestDamagedTable flips bytes all over a table: that is noticed, and what can
// be read of it is what was written.
func TestDamagedTable(t *testing.T) {
	t.Parallel()
	const n = 200
	mem, path := filled(t, n)
	sound := readFile(t, mem, path)
	files, err := List(mem, "data")
	check(t, err)
	f, most := &files[0], 0
	for at := 0; at < len(sound); at += len(sound)/40 + 1 {
		b := []byte(sound)
		b[at] ^= 0x10
		writeFile(t, mem, path, string(b))
		if err := f.Check(); err == nil {
			t.Errorf("a change at %d of %d is not noticed", at, len(sound))
		}
		changes, _, complete, err := f.Read()
		if complete && err == nil && len(changes) != n {
			t.Errorf("a change at %d: said to be complete with %d keys", at, len(changes))
		}
		for _, c := range changes {
			var i int
			if _, err := fmt.Sscanf(string(c.Key), "a%04d", &i); err != nil || string(c.Value) != valueOf(i) {
				t.Fatalf("a change at %d: %q has another value", at, c.Key)
			}
		}
		if !complete {
			most = max(most, len(changes))
		}
	}
	if most < n/2 {
		t.Errorf("of a table with one block damaged at most %d of %d keys were read", most, n)
	}
	writeFile(t, mem, path, sound)
	check(t, f.Check())
}

// TestShortTable: a table that lost its end, or is gone, is reported with what
// it should have.
func TestShortTable(t *testing.T) {
	t.Parallel()
	mem, path := filled(t, 50)
	files, err := List(mem, "data")
	check(t, err)
	sound := readFile(t, mem, path)
	writeFile(t, mem, path, sound[:len(sound)-7])
	want := fmt.Sprintf("it has %d bytes and should have %d", len(sound)-7, len(sound))
	if err := files[0].Check(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	if _, _, _, err := files[0].Read(); err == nil {
		t.Error("it is read")
	}
	check(t, mem.Remove(path))
	if err := files[0].Check(); err == nil {
		t.Error("a table that is gone is sound")
	}
}

// TestDamageWhileReading: a damaged block is an error of the walk and reported,
// never other values.
func TestDamageWhileReading(t *testing.T) {
	t.Parallel()
	mem, path := filled(t, 100)
	b := []byte(readFile(t, mem, path))
	b[len(b)/2] ^= 1
	writeFile(t, mem, path, string(b))
	damage := make(chan error, 100)
	s, err := Open(Options{FS: mem, Dir: "data", CacheBytes: 1 << 20, Failed: func(string, error) {}, Corrupt: func(err error) { damage <- err }})
	check(t, err)
	n := 0
	err = s.Each('a', func(_, v []byte) error {
		if string(v) != valueOf(n) {
			t.Errorf("key %d has another value", n)
		}
		n++
		return nil
	})
	if !IsDamage(err) || n == 0 || n == 100 {
		t.Errorf("%d keys were read, then %v", n, err)
	}
	if len(damage) == 0 {
		t.Error("the damage was not reported")
	}
	if v, err := s.Get([]byte("a0099")); err != nil || string(v) != valueOf(99) {
		t.Errorf("what is sound cannot be read: %v", err)
	}
	if IsDamage(errNoTables) || IsDamage(nil) {
		t.Error("other errors are taken for damage")
	}
	check(t, s.Close())
}

// TestExcisedPartsDoNotCount: of a table whose middle was excised only the rest
// is read.
func TestExcisedPartsDoNotCount(t *testing.T) {
	t.Parallel()
	mem, _ := filled(t, 9)
	s, _ := openOn(t, mem)
	check(t, s.Excise(t.Context(), Span{From: []byte("a0002"), To: []byte("a0007")}))
	check(t, s.Close())
	files, err := List(mem, "data")
	check(t, err)
	got := ""
	for i := range files {
		changes, _, complete, err := files[i].Read()
		check(t, err)
		if !complete {
			t.Errorf("%s is read in part", files[i].Name)
		}
		for _, c := range changes {
			got += string(c.Key) + " "
		}
		if files[i].Overlaps(Span{From: []byte("a0002"), To: []byte("a0007")}) {
			t.Errorf("%s overlaps what was excised", files[i].Name)
		}
	}
	if got != "a0000 a0001 a0007 a0008 " {
		t.Errorf("got %s", got)
	}
}
