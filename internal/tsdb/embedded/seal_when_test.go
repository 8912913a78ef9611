package embedded

import (
	"strconv"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// looks lets time pass with upkeep every ten seconds, and calls also each time.
func (b *bench) looks(n int, also func()) {
	b.t.Helper()
	for range n {
		b.now += 10
		also()
		b.check(b.Maintain(b.t.Context()))
	}
}

func TestSealAtRest(t *testing.T) {
	t.Parallel()
	nothing := func(*bench) {}
	for _, c := range []struct {
		name    string
		each    int // records of each of ten streams
		growing func(*bench)
		want    bool
	}{
		{"many records and then none", 100, nothing, true},
		{"few records and then none", 10, nothing, false},
		{"many records and then few", 200, func(b *bench) { b.fill("self", 1, 1) }, true},
		{"many records and more of them", 100, func(b *bench) { b.fill("cpu", 10, 1) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sealed := 0
			b := newBench(t, Options{GenerationAge: 24 * time.Hour, Hooks: Hooks{Sealed: func(SealInfo) { sealed++ }}})
			b.fill("cpu", 10, c.each)
			b.looks(5, func() { c.growing(b) })
			if got := sealed > 0; got != c.want {
				t.Errorf("sealed: %v, want %v", got, c.want)
			}
		})
	}
}

func TestRest(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.fill("cpu", 3, 10)
	b.check(b.Rest(t.Context()))
	if n := b.chunks(raw, fresh); n != 0 {
		t.Errorf("%d chunks of ten records a stream were sealed at the end", n)
	}
	b.fill("cpu", 3, 100)
	b.check(b.Rest(t.Context()))
	if n := b.chunks(raw, fresh); n == 0 {
		t.Error("a hundred records a stream stay in the log at the end")
	}
}

// A history that came over the API is tidied up within a minute of its last
// record, with nobody to say that it was the last.
func TestHistoryAtRest(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.fill("other", 1, 1)
	b.check(b.Seal(t.Context()))
	b.check(b.Maintain(t.Context())) // the tiers reach to now
	b.importDays(5)
	b.looks(6, func() {})
	if b.chunks(raw, merged) == 0 {
		t.Error("it is not merged")
	}
	if n := b.keys(keyDirty); n != 0 {
		t.Errorf("%d blocks of tiers are still to be made", n)
	}
}

// Much of today that came at once is one chunk a stream soon after.
func TestTodayAtRest(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	for range lullGenerations - 1 {
		b.now += 1000
		b.fill("cpu", 3, 100)
		b.check(b.Seal(t.Context()))
	}
	b.now += 1000
	b.fill("cpu", 3, 100)
	before := b.points("cpu", 1)
	b.check(b.Maintain(t.Context()))
	if n := b.chunks(raw, merged); n != 0 {
		t.Fatalf("%d merged chunks before writing has come to rest", n)
	}
	b.looks(6, func() {})
	if f, m := b.chunks(raw, fresh), b.chunks(raw, merged); f != 0 || m != 3 {
		t.Errorf("%d fresh and %d merged chunks, want 0 and 3", f, m)
	}
	if n := b.points("cpu", 1); n != before {
		t.Errorf("%d points, want %d", n, before)
	}
}

// TestHistoryIsSealed: a history of few streams is sealed while it comes, so
// that little of it is read from memory; one of many streams is not, which would
// make short chunks of it, nor is what comes in time.
func TestHistoryIsSealed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		streams int
		ago     int64 // days
		want    bool
	}{
		{"a history of few streams", 10, 30, true},
		{"and of what raw records are kept of", 10, 6, true},
		{"a history of many streams", 1000, 30, false},
		{"what comes in time", 10, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sealed := 0
			b := newBench(t, Options{Hooks: Hooks{Sealed: func(SealInfo) { sealed++ }}})
			b.fill("other", 1, 1)
			b.check(b.Seal(t.Context()))
			b.check(b.Maintain(t.Context())) // the tiers reach to now
			sealed = 0
			var batch tsdb.Batch
			for at, n := b.now-c.ago*86400, 0; n < historyRecords+2*c.streams; at++ {
				batch.Reset()
				for s := range c.streams {
					batch.Add("cpu", tidemark.Tags{{Name: "s", Value: strconv.Itoa(s)}}, at, 1)
					n++
				}
				b.check(b.Write(t.Context(), 1, &batch))
			}
			if got := sealed > 0; got != c.want {
				t.Errorf("sealed: %v, want %v", got, c.want)
			}
		})
	}
}
