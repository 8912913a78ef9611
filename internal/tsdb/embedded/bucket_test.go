package embedded

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func TestPlanMerge(t *testing.T) {
	t.Parallel()
	good := bucketState{records: 10_000, chunks: 10}
	with := func(edit func(b *bucketState)) bucketState {
		b := good
		edit(&b)
		return b
	}
	for _, tt := range []struct {
		name           string
		b              bucketState
		closed, rested bool
		want           mergeKind
		lull           bool
	}{
		{"a day that goes on, few generations", bucketState{freshGens: 7, freshRecords: 70}, false, true, mergeNone, false},
		{"a day that goes on, many generations", bucketState{freshGens: 8, freshRecords: 80}, false, false, mergeFresh, false},
		{"a day that goes on, many layers", bucketState{layers: 9, layerRecords: 90, records: 90}, false, true, mergeNone, false},
		{"late data alone, still coming", bucketState{freshGens: 2, freshRecords: 9}, true, false, mergeNone, false},
		{"late data alone, stopped", bucketState{freshGens: 2, freshRecords: 9}, true, true, mergeAll, false},
		{"late data alone, many generations", bucketState{freshGens: 8, freshRecords: 9}, true, false, mergeAll, false},
		{"the day is over, all is merged well", good, true, false, mergeAll, false},
		{"the day is over, good chunks and fresh ones", with(func(b *bucketState) { b.freshGens = 1 }), true, false, mergeFresh, false},
		{"the day is over, small chunks", with(func(b *bucketState) { b.freshGens, b.chunks = 1, 100 }), true, false, mergeAll, false},
		{"the day is over, chunks overlap", with(func(b *bucketState) { b.freshGens, b.overlaps = 1, 5000 }), true, false, mergeAll, false},
		{"settled, nothing new", with(func(b *bucketState) { b.settled = true }), true, true, mergeNone, false},
		{"settled, a little late data", with(func(b *bucketState) { b.settled, b.freshGens = true, 7 }), true, true, mergeNone, false},
		{"settled, much late data", with(func(b *bucketState) { b.settled, b.freshGens = true, 8 }), true, false, mergeFresh, false},
		{"settled, a quarter is late", with(func(b *bucketState) { b.settled, b.freshGens, b.freshRecords = true, 8, 5000 }), true, false, mergeAll, false},
		{"settled, the sixth layer", with(func(b *bucketState) { b.settled, b.freshGens, b.layers = true, 8, 5 }), true, false, mergeAll, false},
		{"settled, six layers", with(func(b *bucketState) { b.settled, b.layers = true, 6 }), true, false, mergeAll, false},
		{"settled, five layers", with(func(b *bucketState) { b.settled, b.layers = true, 5 }), true, false, mergeNone, false},
		{"a day that goes on, written at once", bucketState{freshGens: 2, freshRecords: 20}, false, true, mergeFresh, true},
		{"a day that goes on, sealed once", bucketState{freshGens: 1, freshRecords: 20}, false, true, mergeNone, true},
		{"late data alone, in a lull but sealed just now", bucketState{freshGens: 2, freshRecords: 9}, true, false, mergeNone, true},
		{"settled, a little late data in a lull", with(func(b *bucketState) { b.settled, b.freshGens = true, 7 }), true, true, mergeNone, true},
	} {
		if got := tt.b.planMerge(tt.closed, tt.rested, tt.lull); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestMergeGoesOnAfterFullDisk fills the disk during a merge. With room again
// the day is merged, without a restart; until then it is not tried all the time.
func TestMergeGoesOnAfterFullDisk(t *testing.T) {
	t.Parallel()
	fs := &smallDisk{FS: vfs.NewMem()}
	b := newBench(t, Options{FS: fs})
	for range mergeGenerations {
		b.now += 600
		b.fill("cpu", 3, 60)
		b.check(b.Seal(t.Context()))
	}
	fs.full.Store(true)
	if err := b.mergeDue(t.Context()); err == nil {
		t.Fatal("a merge on a full disk did not fail")
	}
	if err := b.mergeDue(t.Context()); err != nil {
		t.Errorf("the merge is tried again at once: %v", err)
	}
	b.now += int64(minMergePause / time.Second)
	if err := b.mergeDue(t.Context()); err == nil {
		t.Error("the merge is not tried again")
	}
	fs.full.Store(false)
	b.now += int64(maxMergePause / time.Second)
	b.check(b.mergeDue(t.Context()))
	if f, m := b.chunks(raw, fresh), b.chunks(raw, merged); f != 0 || m != 3 {
		t.Errorf("%d fresh and %d merged chunks with room again, want 0 and 3", f, m)
	}
	if len(b.upkeep.mergeHolds) != 0 {
		t.Errorf("merges are still held back: %+v", b.upkeep.mergeHolds)
	}
}

// TestMergeHold backs off after an error, and gives up on damaged tables.
func TestMergeHold(t *testing.T) {
	t.Parallel()
	now := time.Unix(midnight, 0)
	var h mergeHold
	for _, want := range []time.Duration{5, 10, 20, 40, 80, 160, 300, 300} {
		h = h.after(syscall.ENOSPC, now)
		if end := now.Add(want * time.Second); h.holds(end) || !h.holds(end.Add(-1)) {
			t.Errorf("held until %v, want %v", h.until, end)
		}
	}
	if h = h.after(fmt.Errorf("read: %w", pebble.ErrCorruption), now); !h.holds(now.Add(1000 * time.Hour)) {
		t.Error("a merge of damaged tables is tried again")
	}
}
