package embedded_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// world is an engine and its model, on a clock that the test moves.
type world struct {
	t     *testing.T
	rnd   *rand.Rand
	now   int64
	o     embedded.Options
	e     *embedded.Engine
	model *memory.Engine
	log   []string
}

const aDay = 24 * time.Hour

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, rnd: rand.New(rand.NewPCG(seed, 7)), now: 1_760_000_000 + int64(seed%86400)}
	w.o = embedded.Options{
		Dir: t.TempDir(), Shards: 2, GenerationRecords: 50 + int(seed%500),
		RawRetention: 3 * aDay, MinuteRetention: 8 * aDay, HourRetention: 20 * aDay, MinuteLag: aDay,
		Now: func() time.Time { return time.Unix(w.now, 0) },
		Hooks: embedded.Hooks{
			BackgroundError: func(doing string, err error) { t.Errorf("%s: %v", doing, err) },
			Damaged:         func(what string, err error) { t.Errorf("%s damaged: %v", what, err) },
		},
	}
	w.open()
	t.Cleanup(func() { w.check(w.e.Close()) })
	w.model = memory.New(memory.Options{
		Tiers: w.e.Tiers(), Now: func() int64 { return w.now },
		// Raw records go a day at a time, an hour late.
		Overdue: func() int64 { return (w.now - 3*86400 - 3600) / 86400 * 86400 },
	})
	return w
}

func (w *world) open() {
	w.t.Helper()
	e, err := embedded.Open(w.t.Context(), w.o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.e = e
}

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf("%d: ", w.now)+fmt.Sprintf(format, args...))
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) metric() string { return fmt.Sprintf("m%d", w.rnd.IntN(3)) }

// age draws how old a record is: mostly fresh, some late, some overdue.
func (w *world) age() int64 {
	switch w.rnd.IntN(12) {
	case 0:
		return w.rnd.Int64N(2 * 86400)
	case 1:
		return w.rnd.Int64N(86400 / 4)
	case 2:
		if w.rnd.IntN(3) == 0 {
			return w.rnd.Int64N(25 * 86400)
		}
	}
	return w.rnd.Int64N(600)
}

func (w *world) summary() tsdb.Summary {
	s := tsdb.Single(float64(w.rnd.IntN(10000)) / 100)
	if w.rnd.IntN(8) == 0 {
		for range w.rnd.IntN(4) {
			o := tsdb.Single(float64(w.rnd.IntN(100)))
			s.Merge(&o)
		}
	}
	return s
}

func (w *world) write() {
	var b tsdb.Batch
	n := 1 + w.rnd.IntN(120)
	for range n {
		metric := w.metric()
		tags := tidemark.Tags{{Name: "host", Value: strconv.Itoa(w.rnd.IntN(4))}}
		if w.rnd.IntN(3) == 0 {
			tags = append(tags, tidemark.Tag{Name: "zone", Value: "z"})
		}
		if w.rnd.IntN(3) == 0 {
			sum, encoded := w.distribution()
			b.AddDistribution(tsdb.AppendKey(nil, distMetric, tags), w.now-w.age(), sum, encoded)
			continue
		}
		b.AddKey(tsdb.AppendKey(nil, metric, tags), w.now-w.age(), w.summary())
	}
	w.note("write %d", n)
	w.check(w.e.Write(w.t.Context(), 1, &b))
	w.check(w.model.Write(w.t.Context(), 1, &b))
}

func (w *world) step() {
	ctx := w.t.Context()
	switch w.rnd.IntN(40) {
	case 0:
		w.note("reopen")
		w.check(w.e.Close())
		w.open()
	case 1, 2:
		w.note("seal")
		w.check(w.e.Seal(ctx))
	case 3, 4:
		w.note("maintain")
		w.check(w.e.Maintain(ctx))
	case 5:
		m := w.metric()
		if w.rnd.IntN(4) == 0 {
			m = distMetric
		}
		mode := tsdb.Mode{Fold: w.rnd.IntN(2) == 0, Period: 60}
		w.note("mode %s %v", m, mode)
		w.check(w.e.SetMode(ctx, 1, m, mode))
		w.check(w.model.SetMode(ctx, 1, m, mode))
	case 6:
		if w.rnd.IntN(4) == 0 {
			m := w.metric()
			w.note("delete %s", m)
			w.check(w.e.Delete(ctx, 1, m))
			w.check(w.model.Delete(ctx, 1, m))
		}
	case 7:
		w.now += w.rnd.Int64N(2 * 86400)
	case 8, 9, 10, 11, 12:
		w.now += w.rnd.Int64N(3600)
	default:
		w.write()
		w.now += w.rnd.Int64N(120)
	}
	w.compare()
}

// distMetric is the metric all records of which have sketches: what is known
// of it does not depend on when an engine made summaries.
const distMetric = "dist"

// distribution draws a record of a few values.
func (w *world) distribution() (sum tsdb.Summary, encoded []byte) {
	var s sketch.Sketch
	for range 1 + w.rnd.IntN(6) {
		one := tsdb.Single(float64(w.rnd.IntN(4000)-1000) / 8)
		sum.Merge(&one)
		s.Add(one.Sum, 1)
	}
	return sum, s.AppendBinary(nil)
}

// askDistribution makes q one of distributions.
func (w *world) askDistribution(q *tsdb.Query) {
	q.Metric, q.Function = distMetric, tsdb.Distributions
	if w.rnd.IntN(3) == 0 {
		q.Function, q.Quantile = tsdb.Percentile, w.rnd.Float64()
	}
	if w.rnd.IntN(2) == 0 {
		q.Group, q.GroupBy, q.GroupFunction = true, [][]string{nil, {"host"}, {"zone"}}[w.rnd.IntN(3)], tsdb.GroupMerge
	}
}

// query draws a question that the tiers may answer in part.
func (w *world) query() *tsdb.Query {
	q := &tsdb.Query{
		Metric: []string{"*", w.metric()}[w.rnd.IntN(2)],
		Step:   []int64{1, 7, 60, 300, 3600, 7200, 86400}[w.rnd.IntN(7)],
		// Last of overdue records may depend on when they were folded.
		Function: []tsdb.Function{tsdb.Mean, tsdb.Sum, tsdb.Count, tsdb.Min, tsdb.Max, tsdb.StdDev, tsdb.All}[w.rnd.IntN(7)],
	}
	q.End = w.now + 3600 - w.rnd.Int64N(5*86400)
	q.Start = q.End - w.rnd.Int64N(24*86400)
	if w.rnd.IntN(2) == 0 {
		q.Start, q.End = q.Start/86400*86400, q.End/3600*3600
	}
	if w.rnd.IntN(3) == 0 {
		w.askDistribution(q)
		return q
	}
	if q.Function != tsdb.All && w.rnd.IntN(3) == 0 {
		q.Group, q.GroupBy, q.GroupFunction = true, [][]string{nil, {"host"}, {"zone"}}[w.rnd.IntN(3)], tsdb.GroupFunction(w.rnd.IntN(4))
	}
	return q
}

func (w *world) compare() {
	w.t.Helper()
	q := w.query()
	got, want := w.ask(w.e, q), w.ask(w.model, q)
	if len(got) != len(want) {
		w.fail(q, fmt.Sprintf("%d series, want %d", len(got), len(want)))
	}
	for i := range got {
		if d := differ(got[i], want[i]); d != "" {
			w.fail(q, d)
		}
	}
}

func (w *world) fail(q *tsdb.Query, what string) {
	w.t.Helper()
	for _, l := range w.log {
		w.t.Log(l)
	}
	w.t.Fatalf("at %d, %+v: %s", w.now, *q, what)
}

func (w *world) ask(e tsdb.Engine, q *tsdb.Query) []*tsdb.Series {
	var all []*tsdb.Series
	for s, err := range e.Select(w.t.Context(), 1, q) {
		w.check(err)
		all = append(all, s.Clone())
	}
	return all
}

func differ(a, b *tsdb.Series) string {
	if a.Metric != b.Metric || a.Tags.Compare(b.Tags) != 0 || len(a.Times) != len(b.Times) {
		return fmt.Sprintf("%s %s with %d points, want %s %s with %d", a.Metric, a.Tags, len(a.Times), b.Metric, b.Tags, len(b.Times))
	}
	for i := range a.Times {
		if a.Times[i] != b.Times[i] {
			return fmt.Sprintf("%s %s: time %d, want %d", a.Metric, a.Tags, a.Times[i], b.Times[i])
		}
		if b.Summaries == nil {
			if !near(a.Values[i], b.Values[i], 1e-6*math.Abs(b.Values[i])+1e-6) {
				return fmt.Sprintf("%s %s at %d: %v, want %v", a.Metric, a.Tags, a.Times[i], a.Values[i], b.Values[i])
			}
			continue
		}
		x, y := a.Summaries[i], b.Summaries[i]
		if x.Count != y.Count || x.Min != y.Min || x.Max != y.Max || !near(x.Sum, y.Sum, 1e-9*math.Abs(y.Sum)+1e-9) ||
			!near(x.M2, y.M2, 1e-9*y.M2+1e-12*y.Sum*y.Sum/y.Count+1e-7) {
			return fmt.Sprintf("%s %s at %d: %+v, want %+v", a.Metric, a.Tags, a.Times[i], x, y)
		}
		if b.Sketches != nil && !bytes.Equal(a.Sketches[i].AppendBinary(nil), b.Sketches[i].AppendBinary(nil)) {
			return fmt.Sprintf("%s %s at %d: a sketch of %v values, want %v", a.Metric, a.Tags, a.Times[i], a.Sketches[i].Count(), b.Sketches[i].Count())
		}
	}
	return ""
}

func near(a, b, tolerance float64) bool { return a == b || math.Abs(a-b) <= tolerance }

// TestModel does random things to an engine and to the model, and asks both
// random questions. TIDEMARK_MODEL_ROUNDS makes it longer.
func TestModel(t *testing.T) {
	t.Parallel()
	rounds := testdeps.Rounds(5)
	if n, err := strconv.Atoi(os.Getenv("TIDEMARK_MODEL_ROUNDS")); err == nil {
		rounds = n
	}
	for seed := range rounds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, uint64(seed))
			for range 250 {
				w.step()
			}
		})
	}
}
