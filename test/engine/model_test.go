package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"pgregory.net/rapid"
)

const (
	minute = 60
	hour   = 3600
	day    = 86400
	epoch  = 20_000 * day // when the model's clock starts
)

// Retention is short, so that a run of a few dozen steps sees data pass
// through all tiers and out of the last.
const (
	rawRetention    = 4 * day
	minuteLag       = 1 * day
	minuteRetention = 10 * day
	hourRetention   = 30 * day
)

// world is an embedded engine and its model, which get the same orders.
type world struct {
	fs    *disk
	now   int64
	e     *embedded.Engine
	model *memory.Engine
	tiers []tsdb.Tier
	gen   int // records of a generation
	// stale has the streams and hours in which a record came after the raw
	// ones were gone: summaries then do not know which value was the last.
	stale map[string]map[int64]bool
	stats counts
}

// counts says what a run has done, for those who wonder whether it did.
type counts struct {
	records, points, selects, crashes, stale    int
	seals, merges, tiers, repairs, expired, all int // all: merges of a whole day
}

func (c *counts) add(o counts) {
	c.records += o.records
	c.points += o.points
	c.selects += o.selects
	c.crashes += o.crashes
	c.stale += o.stale
	c.seals += o.seals
	c.merges += o.merges
	c.tiers += o.tiers
	c.repairs += o.repairs
	c.expired += o.expired
	c.all += o.all
}

// didEverything reports whether a run was worth something.
func (c *counts) didEverything() bool {
	return min(c.points, c.crashes, c.stale, c.seals, c.merges, c.tiers, c.repairs, c.expired, c.all) > 0
}

func newWorld(t *rapid.T) *world {
	w := &world{
		fs: newDisk(), now: epoch, stale: make(map[string]map[int64]bool),
		gen: rapid.SampledFrom([]int{0, 50, 500}).Draw(t, "generation"),
	}
	w.tiers = []tsdb.Tier{
		{Window: 1, Retention: rawRetention}, {Window: minute, Retention: minuteRetention}, {Window: hour, Retention: hourRetention},
	}
	w.model = memory.New(memory.Options{Tiers: w.tiers, Now: func() int64 { return w.now }, Overdue: w.overdue})
	w.open(t)
	return w
}

// overdue is the time before which raw records may be gone: they go a day at
// a time, an hour late.
func (w *world) overdue() int64 { return (w.now - rawRetention - hour) / day * day }

func (w *world) open(t *rapid.T) {
	e, err := embedded.Open(t.Context(), embedded.Options{
		Dir: "data", FS: w.fs, Shards: 2, MemoryBytes: 64 << 20, CacheBytes: 4 << 20,
		RawRetention: rawRetention * time.Second, MinuteRetention: minuteRetention * time.Second,
		HourRetention: hourRetention * time.Second, MinuteLag: minuteLag * time.Second,
		GenerationRecords: w.gen,
		Now:               func() time.Time { return time.Unix(w.now, 0) },
		Hooks: embedded.Hooks{
			Sealed: func(embedded.SealInfo) { w.stats.seals++ },
			Merged: func(m embedded.MergeInfo) {
				w.stats.merges++
				if m.Full {
					w.stats.all++
				}
			},
			TierBuilt:       func(i embedded.TierInfo) { w.stats.tiers += int(i.Blocks) },
			Repaired:        func(n int) { w.stats.repairs += n },
			Expired:         func(int64, time.Time) { w.stats.expired++ },
			Damaged:         func(what string, err error) { t.Errorf("damaged %s: %v", what, err) },
			BackgroundError: func(doing string, err error) { t.Errorf("%s: %v", doing, err) },
		},
	})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	w.e = e
}

func (w *world) close(t *rapid.T) {
	if err := w.e.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
}

// subject is one stream that is written to.
type subject struct {
	org    tidemark.OrgID
	metric string
	tags   tidemark.Tags
}

func (s subject) key() string { return fmt.Sprint(s.org, " ", s.metric, " ", s.tags) }

var subjects = []subject{
	{1, "cpu", nil},
	{1, "cpu", tidemark.Tags{{Name: "host", Value: "a"}}},
	{1, "cpu", tidemark.Tags{{Name: "host", Value: "b"}}},
	{1, "cpu", tidemark.Tags{{Name: "dc", Value: "eu"}, {Name: "host", Value: "b"}}},
	{1, "hits", tidemark.Tags{{Name: "host", Value: "a"}}},
	{1, "hits", tidemark.Tags{{Name: "dc", Value: "us"}, {Name: "host", Value: "a"}}},
	{1, "lat", tidemark.Tags{{Name: "dc", Value: "eu"}}},
	{2, "cpu", tidemark.Tags{{Name: "host", Value: "a"}}},
}

// genTime draws a time: mostly on a coarse grid before now, so that records
// meet in one second, and sometimes anywhere.
func (w *world) genTime(t *rapid.T) int64 {
	unit := rapid.SampledFrom([]int64{1, 1, 7, minute, minute, hour, hour, day}).Draw(t, "unit")
	at := w.now/unit*unit - unit*rapid.Int64Range(-1, 12).Draw(t, "back")
	return min(at, w.now+hour)
}

func genSummary(t *rapid.T) tsdb.Summary {
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		n := float64(rapid.IntRange(1, 9).Draw(t, "n"))
		low, high := rapid.Float64Range(-100, 0).Draw(t, "low"), rapid.Float64Range(0, 100).Draw(t, "high")
		return tsdb.Summary{Count: n, Sum: n * (low + high) / 2, Min: low, Max: high, Last: high / 2, M2: n * (high - low)}
	case 1:
		return tsdb.Single(rapid.Float64Range(-1e4, 1e4).Draw(t, "float"))
	case 2, 3, 4:
		return tsdb.Single(float64(rapid.IntRange(0, 1000).Draw(t, "integer")))
	}
	return tsdb.Single(float64(rapid.IntRange(-9999, 9999).Draw(t, "decimal")) / 100)
}

// write sends a small batch with everything in it.
func (w *world) write(t *rapid.T) {
	org := tidemark.OrgID(rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "org"))
	var b tsdb.Batch
	for range rapid.IntRange(1, 12).Draw(t, "records") {
		s := rapid.SampledFrom(subjects).Draw(t, "stream")
		s.org = org
		at := w.genTime(t)
		b.AddKey(tsdb.AppendKey(nil, s.metric, s.tags), at, genSummary(t))
		w.markStale(s, at)
	}
	w.send(t, org, &b)
}

// bulk sends a regular run of records of some streams, enough to make chunks
// of many blocks and windows of many records.
func (w *world) bulk(t *rapid.T) {
	step := rapid.SampledFrom([]int64{1, 10, 60, 300}).Draw(t, "step")
	n := rapid.Int64Range(100, 400).Draw(t, "length")
	start := w.now - rapid.SampledFrom([]int64{0, hour, day, 3 * day}).Draw(t, "late") - n*step
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	scale := rapid.SampledFrom([]float64{1, 100, 3}).Draw(t, "scale")
	var b tsdb.Batch
	for _, s := range subjects[:rapid.IntRange(1, 7).Draw(t, "streams")] {
		v := 0.0
		for i := range n {
			v += float64(r.IntN(401) - 200)
			at := start + i*step
			b.AddKey(tsdb.AppendKey(nil, s.metric, s.tags), at, tsdb.Single(v/scale))
			w.markStale(s, at)
		}
	}
	w.send(t, 1, &b)
}

func (w *world) send(t *rapid.T, org tidemark.OrgID, b *tsdb.Batch) {
	if err := w.model.Write(t.Context(), org, b); err != nil {
		t.Fatalf("model: %v", err)
	}
	if err := w.e.Write(t.Context(), org, b); err != nil {
		t.Fatalf("write: %v", err)
	}
	w.stats.records += b.Len()
}

// markStale notes a record that cannot be kept raw any more. The margin is
// for folding, which moves a record back by less than an hour.
func (w *world) markStale(s subject, at int64) {
	if at >= w.overdue()+hour {
		return
	}
	hours := w.stale[s.key()]
	if hours == nil {
		hours = make(map[int64]bool)
		w.stale[s.key()] = hours
	}
	hours[at/hour], hours[at/hour-1] = true, true
	w.stats.stale++
}

func (w *world) mode(t *rapid.T) {
	metric := rapid.SampledFrom([]string{"cpu", "hits", "hits", "lat", "unheard"}).Draw(t, "metric")
	m := tsdb.Mode{Fold: rapid.Bool().Draw(t, "fold"), Period: rapid.SampledFrom([]int64{10, 60, 600, 7}).Draw(t, "period")}
	if err := w.model.SetMode(t.Context(), 1, metric, m); err != nil {
		t.Fatal(err)
	}
	if err := w.e.SetMode(t.Context(), 1, metric, m); err != nil {
		t.Fatalf("mode: %v", err)
	}
}

func (w *world) delete(t *rapid.T) {
	org := tidemark.OrgID(rapid.IntRange(1, 2).Draw(t, "org"))
	metric := rapid.SampledFrom([]string{"cpu", "hits", "lat", "unheard"}).Draw(t, "metric")
	if err := w.model.Delete(t.Context(), org, metric); err != nil {
		t.Fatal(err)
	}
	if err := w.e.Delete(t.Context(), org, metric); err != nil {
		t.Fatalf("delete: %v", err)
	}
	for _, s := range subjects {
		if s.org = org; s.metric == metric {
			delete(w.stale, s.key())
		}
	}
}

func (w *world) seal(t *rapid.T) {
	if err := w.e.Seal(t.Context()); err != nil {
		t.Fatalf("seal: %v", err)
	}
}

func (w *world) maintain(t *rapid.T) {
	if err := w.e.Maintain(t.Context()); err != nil {
		t.Fatalf("maintain: %v", err)
	}
}

func (w *world) tick(t *rapid.T) {
	unit := rapid.SampledFrom([]int64{1, minute, hour, 6 * hour, day}).Draw(t, "unit")
	w.now += unit * rapid.Int64Range(1, 3).Draw(t, "ticks")
}

func (w *world) reopen(t *rapid.T) {
	w.close(t)
	w.open(t)
}

// crash loses power: of what was not synced, some or nothing is on disk.
func (w *world) crash(t *rapid.T) {
	percent := rapid.SampledFrom([]int{0, 50, 100}).Draw(t, "unsynced")
	clone := w.fs.crash(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))})
	w.close(t) // the engine that died; its files are not looked at again
	w.fs = clone
	w.open(t)
	w.stats.crashes++
}

// TestModel holds the embedded engine against the engine in memory: the same
// random writes, late writes, replacements, folds, changes of mode, deletes,
// seals, merges, tiers, expiry, restarts and power failures must give the
// same answers.
func TestModel(t *testing.T) {
	var total counts
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		defer func() {
			w.e.Close()
			total.add(w.stats)
		}()
		t.Repeat(map[string]func(*rapid.T){
			"write":    w.write,
			"write2":   w.write,
			"write3":   w.write,
			"bulk":     w.bulk,
			"mode":     w.mode,
			"delete":   w.delete,
			"seal":     w.seal,
			"maintain": w.maintain,
			"tick":     w.tick,
			"tick2":    w.tick,
			"reopen":   w.reopen,
			"crash":    w.crash,
			"":         w.check,
		})
	})
	t.Logf("%+v", total)
	if !total.didEverything() && !t.Failed() {
		t.Error("something was never done, or never compared")
	}
}
