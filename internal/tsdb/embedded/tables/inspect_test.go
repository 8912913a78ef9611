package tables

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"
)

// rebuilt is what putting the tables over each other gives.
func rebuilt(t rapid.TB, fs FS) map[string]string {
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
			maps.DeleteFunc(all, func(k, _ string) bool { return k >= string(x.From) && k < string(x.To) })
		}
		for _, c := range changes {
			if delete(all, string(c.Key)); c.Value != nil {
				all[string(c.Key)] = string(c.Value)
			}
		}
	}
	return all
}

// TestTablesGiveTheDatabase makes drawn changes: the store has what a map has,
// and so have its tables, read one by one and put over each other.
func TestTablesGiveTheDatabase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		mem := vfs.NewMem()
		must(t, MakeDir(mem, "data"))
		s, err := Open(Options{FS: mem, Dir: "data", CacheBytes: 1 << 16, Failed: func(string, error) {}, Corrupt: func(error) {}})
		must(t, err)
		want := make(map[string]string)
		key := rapid.Custom(func(t *rapid.T) string { return fmt.Sprintf("a%02d", rapid.IntRange(0, 30).Draw(t, "key")) })
		for step := range rapid.IntRange(1, 8).Draw(t, "steps") {
			from, to := key.Draw(t, "from"), key.Draw(t, "to")
			kind := rapid.IntRange(0, 2).Draw(t, "kind") // changes alone, over a range deleted, in place of what was excised
			if kind > 0 && from < to {
				maps.DeleteFunc(want, func(k, _ string) bool { return k >= from && k < to })
			}
			set := rapid.MapOfN(key, rapid.Bool(), 1, 6).Draw(t, "set")
			must(t, s.Apply(t.Context(), true, func(w *Writer) error {
				if kind == 1 && from < to {
					must(t, w.DeleteRange(Span{[]byte(from), []byte(to)}))
				}
				if kind == 2 && from < to {
					w.Excise(Span{[]byte(from), []byte(to)})
				}
				var changes []Change
				for k, there := range set {
					delete(want, k)
					c := Change{Key: []byte(k)}
					if there {
						c.Value = fmt.Append(nil, step)
						want[k] = fmt.Sprint(step)
					}
					changes = append(changes, c)
				}
				return w.Write(changes)
			}))
		}
		got := make(map[string]string)
		must(t, s.Each('a', func(k, v []byte) error { got[string(k)] = string(v); return nil }))
		if !maps.Equal(got, want) {
			t.Fatalf("the store has %v, want %v", got, want)
		}
		must(t, s.Close())
		if again := rebuilt(t, mem); !maps.Equal(again, want) {
			t.Fatalf("the tables have %v, want %v", again, want)
		}
	})
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
	most := 0
	for at := 0; at < len(sound); at += len(sound)/40 + 1 {
		b := []byte(sound)
		b[at] ^= 0x10
		writeFile(t, mem, path, string(b))
		files, err := List(mem, "data")
		check(t, err)
		f := &files[0]
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
	files, err := List(mem, "data")
	check(t, err)
	check(t, files[0].Check())
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
