package embedded

import (
	"errors"
	"maps"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// tablesIn returns how many tables have keys in a span.
func (b *bench) tablesIn(x tables.Span) int {
	b.t.Helper()
	all, err := tables.List(b.o.FS, b.o.Dir)
	for errors.Is(err, os.ErrNotExist) { // Pebble removed a table while the list was read
		all, err = tables.List(b.o.FS, b.o.Dir)
	}
	b.check(err)
	n := 0
	for i := range all {
		if all[i].Overlaps(x) {
			n++
		}
	}
	return n
}

// TestMergeGivesSpaceBack seals and merges: what was merged leaves no table
// behind, whatever Pebble does or does not compact.
func TestMergeGivesSpaceBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	const gens, streams, each = 9, 50, 60
	for range gens {
		b.now += 10 * each
		b.fill("m", streams, each)
		b.check(b.Seal(t.Context()))
	}
	all := tables.Span{From: bucketKey(raw, fresh, 0), To: bucketKey(raw, fresh, 1<<32-1)}
	if n := b.tablesIn(all); n < gens {
		t.Fatalf("%d tables of what was sealed, want %d or more", n, gens)
	}
	want := b.points("m", 1)
	b.check(b.Maintain(t.Context()))
	if n := b.tablesIn(all); n != 0 {
		t.Errorf("%d tables are left of what was merged", n)
	}
	b.now += 2 * 86400
	b.check(b.merge(t.Context(), uint32(midnight/86400), true)) // all of the day
	if got := b.points("m", 1); got != want || got != streams*gens*each {
		t.Errorf("%d points, before the merge %d, want %d", got, want, streams*gens*each)
	}
	b.now += 9 * 86400
	b.check(b.Maintain(t.Context()))
	if n := b.tablesIn(tables.Span{From: bucketKey(raw, merged, 0), To: bucketKey(raw, fresh, 1<<32-1)}); n != 0 {
		t.Errorf("%d tables are left of what expired", n)
	}
}

// smallDisk is a file system on which no table can be made while it is full.
type smallDisk struct {
	vfs.FS
	full atomic.Bool
}

func (d *smallDisk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if d.full.Load() && strings.HasSuffix(name, ".sst") {
		return nil, syscall.ENOSPC
	}
	return d.FS.Create(name, c)
}

// TestLittleIsWritten: while sealing is behind, those who wrote most wait, and
// one who wrote little does not, as long as there is memory.
func TestLittleIsWritten(t *testing.T) {
	t.Parallel()
	fs := &smallDisk{FS: vfs.NewMem()}
	fs.full.Store(true)
	b := newBench(t, Options{FS: fs, GenerationRecords: 10, WriteWait: time.Nanosecond})
	b.upkeep.running.Add(1) // as if somebody else sealed
	write := func(org tidemark.OrgID) error {
		b.now += 10
		var batch tsdb.Batch
		batch.Add("m", nil, b.now, 1)
		return b.Write(t.Context(), org, &batch)
	}
	for len(b.state.Load().gens) < maxGenerations {
		b.check(write(1))
	}
	if err := write(1); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("who wrote everything goes on: %v", err)
	}
	for i := range 10 {
		if err := write(2); err != nil {
			t.Fatalf("one who wrote little is refused record %d: %v", i, err)
		}
	}
	if err := write(2); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("more is written than there is memory for: %v", err)
	}
}

// TestWhoseWork: seals and merges say whose measurements they were about.
func TestWhoseWork(t *testing.T) {
	t.Parallel()
	sealed, merged := make(Owners), make(Owners)
	b := newBench(t, Options{Hooks: Hooks{
		Sealed: func(i SealInfo) { addOwners(sealed, i.Owners) },
		Merged: func(i MergeInfo) { addOwners(merged, i.Owners) },
	}})
	for range 9 {
		for org := range tidemark.OrgID(2) {
			var batch tsdb.Batch
			for i := range int64(org + 1) {
				batch.Add("m", nil, b.now+i, 1)
			}
			b.check(b.Write(t.Context(), org+1, &batch))
		}
		b.now += 10
		b.check(b.Seal(t.Context()))
	}
	b.check(b.Maintain(t.Context()))
	want := Owners{1: 9, 2: 18}
	if !maps.Equal(sealed, want) || !maps.Equal(merged, want) {
		t.Errorf("sealed %v, merged %v, want %v", sealed, merged, want)
	}
}

func addOwners(to, from Owners) {
	for org, n := range from {
		to[org] += n
	}
}

// TestCloseWakesWriters closes an engine while a write waits for memory that
// nobody will make free: it is refused at once.
func TestCloseWakesWriters(t *testing.T) {
	t.Parallel()
	fs := &smallDisk{FS: vfs.NewMem()}
	fs.full.Store(true)
	b := newBench(t, Options{FS: fs, GenerationRecords: 10, WriteWait: time.Hour})
	b.upkeep.running.Add(1) // as if somebody else sealed
	for len(b.state.Load().gens) < maxGenerations {
		b.fill("m", 1, 1)
		b.now += 10
	}
	done := make(chan error)
	go func() {
		var batch tsdb.Batch
		batch.Add("m", nil, b.now, 1)
		done <- b.Write(t.Context(), 1, &batch)
	}()
	for waiting := false; !waiting; runtime.Gosched() {
		b.life.mu.Lock()
		waiting = b.life.calls > 0
		b.life.mu.Unlock()
	}
	b.check(b.Close())
	if err := <-done; !errors.Is(err, errClosed) {
		t.Errorf("got %v, want %v", err, errClosed)
	}
}
