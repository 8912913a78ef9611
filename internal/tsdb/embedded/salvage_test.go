package embedded

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// change rewrites a file.
func change(t *testing.T, fs vfs.FS, path string, do func([]byte) []byte) {
	t.Helper()
	in, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Write(do(b)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
}

// spoil turns bits in the middle of a table, in the first block of it.
func spoil(b []byte) []byte {
	for i := 10; i < 20; i++ {
		b[i] ^= 0x55
	}
	return b
}

// chunkTables returns the paths of tables that have chunks.
func (b *bench) chunkTables() (paths []string) {
	b.t.Helper()
	all, err := tables.List(b.o.FS, b.o.Dir)
	b.check(err)
	for i := range all {
		if all[i].Overlaps(tables.Span{From: []byte{keyChunk}, To: []byte{keyChunk + 1}}) {
			paths = append(paths, "data/db/"+all[i].Name)
		}
	}
	return paths
}

// damagedData is a directory of which one of two tables with chunks is damaged.
func damagedData(t *testing.T, fs vfs.FS) *bench {
	t.Helper()
	b := newBench(t, Options{FS: fs})
	for range 2 {
		b.fill("cpu", 3, 10)
		b.check(b.Seal(t.Context()))
		b.now += 600
	}
	paths := b.chunkTables()
	b.check(b.Close())
	if len(paths) < 2 {
		t.Fatalf("tables %q", paths)
	}
	slices.Sort(paths)
	change(t, fs, paths[len(paths)-1], spoil) // the first has the names of the streams
	return b
}

func findings(t *testing.T, do func(report func(Finding)) error) (found []Finding) {
	t.Helper()
	if err := do(func(f Finding) { found = append(found, f) }); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSalvage: of damaged tables a repair keeps what can be read and the tables
// themselves; a check changes nothing and finds the same each time; what is
// written later gets numbers of its own.
func TestSalvage(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := damagedData(t, fs)
	o := Options{Dir: "data", FS: fs}
	for range 2 {
		found := findings(t, func(report func(Finding)) error { return Check(t.Context(), o, report) })
		if len(found) != 1 || found[0].Kind != "table" || found[0].Lost == 0 || found[0].Repaired || !strings.HasSuffix(found[0].What, ".sst") {
			t.Fatalf("check finds %+v", found)
		}
	}
	found := findings(t, func(report func(Finding)) error { return Repair(t.Context(), o, report) })
	if len(found) == 0 || !found[0].Repaired {
		t.Errorf("repair finds %+v", found)
	}
	if found := findings(t, func(report func(Finding)) error { return Check(t.Context(), o, report) }); len(found) != 0 {
		t.Errorf("after the repair there is %+v", found)
	}
	names, err := fs.List("data")
	if err != nil || !slices.Contains(names, damagedDir) || slices.Contains(names, salvagedDir) {
		t.Errorf("the directory has %q, %v", names, err)
	}
	c := b.reopen(fs)
	if got := c.points("cpu", 1); got != 30 {
		t.Errorf("%d records, want the 30 of the table that is whole", got)
	}
	c.fill("mem", 2, 5)
	c.check(c.Seal(t.Context()))
	if got, old := c.points("mem", 1), c.points("cpu", 1); got != 10 || old != 30 {
		t.Errorf("%d new and %d old records, want 10 and 30", got, old)
	}
}

// interrupted is a file system on which only so many renames succeed.
type interrupted struct {
	vfs.FS
	left int
}

var errPower = errors.New("power failure")

func (f *interrupted) Rename(from, to string) error {
	if strings.Contains(from, tables.Dir) && !strings.Contains(from, ".") {
		if f.left == 0 {
			return errPower
		}
		f.left--
	}
	return f.FS.Rename(from, to)
}

// TestInterruptedSalvage: a repair that ends in the middle, wherever, loses
// nothing: the next one, or the next start, goes on.
func TestInterruptedSalvage(t *testing.T) {
	t.Parallel()
	for renames := range 3 {
		for _, how := range []string{"repair", "start"} {
			t.Run(fmt.Sprint(how, " after ", renames), func(t *testing.T) {
				t.Parallel()
				fs := vfs.NewMem()
				b := damagedData(t, fs)
				err := Repair(t.Context(), Options{Dir: "data", FS: &interrupted{fs, renames}}, func(Finding) {})
				if renames < 2 && !errors.Is(err, errPower) || renames == 2 && err != nil {
					t.Fatalf("got %v", err)
				}
				if renames == 1 {
					found := findings(t, func(report func(Finding)) error { return Check(t.Context(), Options{Dir: "data", FS: fs}, report) })
					if len(found) != 1 || found[0].Detail != "a repair was interrupted; the next start or repair finishes it" {
						t.Errorf("check finds %+v", found)
					}
				}
				if how == "repair" || renames == 0 { // before the first nothing is repaired
					b.check(Repair(t.Context(), Options{Dir: "data", FS: fs}, func(Finding) {}))
				}
				c := b.reopen(fs)
				if got := c.points("cpu", 1); got != 30 {
					t.Errorf("%d records, want 30", got)
				}
			})
		}
	}
}

// TestNoListOfTables: without the list there is nothing to be done but to
// restore a backup, and both say so rather than guess.
func TestNoListOfTables(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := newBench(t, Options{FS: fs})
	b.fill("cpu", 1, 10)
	b.check(b.Seal(t.Context()))
	b.check(b.Close())
	names, err := fs.List("data/db")
	b.check(err)
	for _, name := range names {
		if strings.HasPrefix(name, "MANIFEST") {
			change(t, fs, "data/db/"+name, spoil)
		}
	}
	for name, do := range map[string]func(report func(Finding)) error{
		"check":  func(report func(Finding)) error { return Check(t.Context(), Options{Dir: "data", FS: fs}, report) },
		"repair": func(report func(Finding)) error { return Repair(t.Context(), Options{Dir: "data", FS: fs}, report) },
	} {
		found := findings(t, do)
		if len(found) != 1 || found[0].What != "the list of tables" || found[0].Repaired || !strings.HasPrefix(found[0].Detail, "it cannot be read, and without it the valid tables are unknown: restore a backup (") {
			t.Errorf("%s finds %+v", name, found)
		}
	}
}

// TestCheckLog: the end of a log that a crash tore is told from damage, and
// entries that make no sense are counted; without a directory there is nothing
// to look at.
func TestCheckLog(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	if err := Check(t.Context(), Options{Dir: "data", FS: fs}, nil); tidemark.KindOf(err) != tidemark.NotFound || !strings.HasPrefix(err.Error(), "there is no data directory") {
		t.Errorf("got %v", err)
	}
	b := newBench(t, Options{FS: fs})
	b.fill("cpu", 1, 10)
	check := func() []Finding {
		return findings(t, func(report func(Finding)) error { return Check(t.Context(), Options{Dir: "copy", FS: fs}, report) })
	}
	b.check(tables.MakeDir(fs, "copy"))
	const name = "wal-0000000001-0000.log"
	b.check(vfs.Copy(fs, "data/"+name, "copy/"+name)) // as a crash leaves it
	if found := check(); len(found) != 0 {
		t.Errorf("a whole log: %+v", found)
	}
	change(t, fs, "copy/"+name, func(b []byte) []byte { return b[:len(b)-3] })
	found := check()
	if len(found) != 1 || found[0].Kind != "log" || found[0].What != name || !strings.HasSuffix(found[0].Detail, "are not used; a crash leaves such an end, of writes that were not acknowledged") {
		t.Errorf("a torn log: %+v", found)
	}
}
