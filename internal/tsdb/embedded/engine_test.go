package embedded

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// bench is an engine in memory whose clock the test moves.
type bench struct {
	*Engine
	t   *testing.T
	now int64
}

const midnight = 20_000 * 86400

func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	b := &bench{t: t, now: midnight + 7200}
	o.Dir, o.Now = "data", func() time.Time { return time.Unix(b.now, 0) }
	def(&o.FS, vfs.FS(vfs.NewMem()))
	e, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	b.Engine = e
	t.Cleanup(func() { b.check(e.Close()) })
	return b
}

func (b *bench) check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// fill writes n records of each of the streams of a metric, 10 s apart, up to now.
func (b *bench) fill(metric string, streams, n int) {
	b.t.Helper()
	for i := n - 1; i >= 0; i-- {
		var batch tsdb.Batch
		for s := range streams {
			batch.Add(metric, tidemark.Tags{{Name: "s", Value: fmt.Sprint(s)}}, b.now-10*int64(i), float64(i))
		}
		b.check(b.Write(b.t.Context(), 1, &batch))
	}
}

// points counts what a metric has, by steps.
func (b *bench) points(metric string, step int64) int {
	b.t.Helper()
	n := 0
	for s, err := range b.Select(b.t.Context(), 1, &tsdb.Query{Metric: metric, End: tsdb.MaxTime, Step: step}) {
		b.check(err)
		n += len(s.Times)
	}
	return n
}

// chunks counts the chunks of a tier and level.
func (b *bench) chunks(tier, level byte) (n int) {
	b.t.Helper()
	b.check(b.tables.Each(keyChunk, func(k, _ []byte) error {
		if c, ok := parseChunkKey(k); ok && c.tier == tier && c.level == level {
			n++
		}
		return nil
	}))
	return n
}

func (b *bench) keys(letter byte) (n int) {
	b.t.Helper()
	b.check(b.tables.Each(letter, func(_, _ []byte) error { n++; return nil }))
	return n
}

// After a start only levels that have chunks are looked into.
func TestLevelsAfterAStart(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := newBench(t, Options{FS: fs})
	today := uint32(b.now / int64(bucketLen[raw]))
	for _, c := range []struct {
		name  string
		seals int
		want  levels
	}{
		{"sealed once", 1, hasFresh},
		{"merged", mergeGenerations - 1, hasMerged},
		{"and sealed again", 1, hasMerged | hasFresh},
	} {
		for range c.seals {
			b.now += 600
			b.fill("cpu", 3, 60)
			b.check(b.Seal(t.Context()))
		}
		b.check(b.Maintain(t.Context()))
		before := b.points("cpu", 1)
		b.check(b.Close())
		b = b.reopen(fs)
		if got := b.state.Load().levels[today]; got != c.want {
			t.Errorf("%s: levels %b, want %b", c.name, got, c.want)
		}
		if got := b.points("cpu", 1); got != before {
			t.Errorf("%s: %d points after a start, %d before", c.name, got, before)
		}
	}
}

// A merge that was interrupted left some merged chunks and did not say so.
func TestLevelsAfterHalfAMerge(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := newBench(t, Options{FS: fs})
	b.fill("cpu", 3, 60)
	b.check(b.Seal(t.Context()))
	today := uint32(b.now / int64(bucketLen[raw]))
	m := &merger{e: b.Engine, bucket: today, next: make([]byte, 8), owners: make(Owners)}
	b.check(b.mergePiece(t.Context(), m))
	b.check(b.Close())
	c := b.reopen(fs)
	if got := c.state.Load().levels[today]; got&hasMerged == 0 {
		t.Errorf("levels %b: merged chunks are not seen", got)
	}
	if got := c.points("cpu", 1); got != 3*60 {
		t.Errorf("%d points, want %d", got, 3*60)
	}
}

func TestMergeLevels(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	for range mergeGenerations {
		b.now += 600
		b.fill("cpu", 3, 60)
		b.check(b.Seal(t.Context()))
	}
	if got := b.chunks(raw, fresh); got != 3*mergeGenerations {
		t.Fatalf("%d fresh chunks, want %d", got, 3*mergeGenerations)
	}
	b.check(b.Maintain(t.Context()))
	if f, m := b.chunks(raw, fresh), b.chunks(raw, merged); f != 0 || m != 3 {
		t.Errorf("%d fresh and %d merged chunks, want 0 and 3", f, m)
	}
	b.now += 600
	b.fill("cpu", 3, 60)
	b.check(b.Seal(t.Context()))
	b.check(b.Maintain(t.Context()))
	if f := b.chunks(raw, fresh); f != 3 {
		t.Errorf("%d fresh chunks on the same day, want 3: too few to merge", f)
	}
	b.now = midnight + 86400 + 2*margin
	b.check(b.Maintain(t.Context()))
	if f, m := b.chunks(raw, fresh), b.chunks(raw, merged); f != 0 || m > 6 {
		t.Errorf("%d fresh and %d merged chunks after the day, want 0 and at most 6", f, m)
	}
	if got := b.points("cpu", 1); got != 3*60*(mergeGenerations+1) {
		t.Errorf("%d records, want %d", got, 3*60*(mergeGenerations+1))
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{RawRetention: 2 * day, MinuteRetention: 10 * day, HourRetention: 200 * day, MinuteLag: day})
	b.fill("cpu", 2, 100)
	b.check(b.Seal(t.Context()))
	for _, step := range []struct {
		days                     int64
		raw, byMinute, byHour    int
		rawChunks, minutes, hour bool
	}{
		{0, 200, 36, 4, true, false, false},
		{2, 0, 36, 4, true, true, true},
		{4, 0, 36, 4, false, true, true},
		{12, 0, 0, 4, false, true, true},
		{20, 0, 0, 4, false, false, true},
		{400, 0, 0, 0, false, false, false},
	} {
		b.now = midnight + 9000 + step.days*86400
		b.check(b.Maintain(t.Context()))
		if r, m, h := b.points("cpu", 1), b.points("cpu", 60), b.points("cpu", 3600); r != step.raw || m != step.byMinute || h != step.byHour {
			t.Errorf("after %d days: %d records, %d minutes, %d hours, want %d, %d, %d", step.days, r, m, h, step.raw, step.byMinute, step.byHour)
		}
		if r, m, h := b.chunks(raw, merged)+b.chunks(raw, fresh) > 0, b.chunks(minutes, merged) > 0, b.chunks(hours, merged) > 0; r != step.rawChunks || m != step.minutes || h != step.hour {
			t.Errorf("after %d days on disk: records %v, minutes %v, hours %v, want %v, %v, %v", step.days, r, m, h, step.rawChunks, step.minutes, step.hour)
		}
	}
}

func TestDeletePurges(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.fill("cpu", 3, 10)
	b.fill("mem", 2, 10)
	b.check(b.Seal(t.Context()))
	b.check(b.Delete(t.Context(), 1, "cpu"))
	if got := b.points("*", 1); got != 20 {
		t.Errorf("%d records right after the deletion, want 20", got)
	}
	b.check(b.Seal(t.Context()))
	b.check(b.Maintain(t.Context()))
	if c, n, m, x := b.chunks(raw, fresh), b.keys(keyStream), b.keys(keyMetric), b.keys(keyDropped); c != 2 || n != 2 || m != 1 || x != 0 {
		t.Errorf("%d chunks, %d streams, %d metrics, %d deleted metrics are left, want 2, 2, 1, 0", c, n, m, x)
	}
}

func TestQuarantine(t *testing.T) {
	t.Parallel()
	damaged := 0
	b := newBench(t, Options{Hooks: Hooks{Damaged: func(string, error) { damaged++ }}})
	b.fill("cpu", 3, 10)
	b.check(b.Seal(t.Context()))
	var key []byte
	b.check(b.tables.Each(keyChunk, func(k, _ []byte) error {
		if key == nil {
			key = append(key, k...)
		}
		return nil
	}))
	b.check(b.tables.Apply(t.Context(), false, func(w *tables.Writer) error { return w.Set(key, []byte{1, 200, 1, 7, 7}) }))
	for range 2 { // the same damage is reported once
		if got := b.points("cpu", 1); got != 20 {
			t.Errorf("%d records, want the 20 of the other streams", got)
		}
	}
	s, err := b.Stats(t.Context())
	b.check(err)
	if s.Lost != 1 || damaged != 1 {
		t.Errorf("lost %d, reported %d, want 1 and 1", s.Lost, damaged)
	}
	b.check(b.Maintain(t.Context()))
	if q, c := b.keys(keyQuarantine), b.chunks(raw, fresh); q != 1 || c != 2 {
		t.Errorf("%d chunks in quarantine and %d outside, want 1 and 2", q, c)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{MaxStreams: 5, MaxStreamsPerOrg: 3})
	b.fill("cpu", 3, 1)
	write := func(org tidemark.OrgID, streams int) error {
		var batch tsdb.Batch
		for s := range streams {
			batch.Add("mem", tidemark.Tags{{Name: "s", Value: fmt.Sprint(s)}}, b.now, 1)
		}
		return b.Write(t.Context(), org, &batch)
	}
	if err := write(1, 1); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Errorf("a fourth stream: %v, want TooLarge", err)
	}
	b.check(write(2, 2))
	if err := write(3, 1); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Errorf("a sixth stream of all: %v, want TooLarge", err)
	}
	b.fill("cpu", 3, 1) // those that are known go on
	b.check(b.Delete(t.Context(), 1, "cpu"))
	b.check(write(1, 3))
}

// TestWriteAllocates checks that writing to known streams costs no memory a
// record.
func TestWriteAllocates(t *testing.T) {
	b := newBench(t, Options{})
	var batch tsdb.Batch
	next := b.now
	write := func() {
		batch.Reset()
		next++
		for s := range 1000 {
			batch.AddKey(fmt.Appendf(nil, "cpu\x00s\x01%d", s), next, tsdb.Single(1))
		}
	}
	write()
	b.check(b.Write(context.Background(), 1, &batch))
	fill := testing.AllocsPerRun(20, write)
	both := testing.AllocsPerRun(20, func() { write(); b.check(b.Write(context.Background(), 1, &batch)) })
	if both-fill > 50 {
		t.Errorf("%v allocations for a batch of 1000", both-fill)
	}
}

func TestCheckAndRepair(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := newBench(t, Options{FS: fs})
	b.fill("cpu", 2, 10)
	b.check(b.Seal(t.Context()))
	b.check(b.tables.Apply(t.Context(), false, func(w *tables.Writer) error { return w.Set([]byte("cbroken"), nil) }))
	if err := Check(t.Context(), Options{Dir: "data", FS: fs}, func(Finding) {}); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("check of an open engine: %v, want Unavailable", err)
	}
	b.check(b.Close())
	for _, round := range []struct {
		name string
		do   func(context.Context, Options, func(Finding)) error
		want int
	}{{"check", Check, 1}, {"repair", Repair, 1}, {"check again", Check, 0}} {
		var found []Finding
		b.check(round.do(t.Context(), Options{Dir: "data", FS: fs}, func(f Finding) { found = append(found, f) }))
		if len(found) != round.want {
			t.Errorf("%s finds %v, want %d", round.name, found, round.want)
		}
	}
}
