package migrate_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/migrate"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const (
	day = 86400
	// began is when the source was made, the start of a day.
	began = 20_000 * day
)

// tiers are what both places keep: three days of records, ten of minutes.
var tiers = []tsdb.Tier{{Window: 1, Retention: 3 * day}, {Window: 60, Retention: 10 * day}, {Window: 3600, Retention: 400 * day}}

// world is an old and a new place.
type world struct {
	now      int64
	from, to *store.Store
	source   *embedded.Engine
	target   *embedded.Engine
	org      tidemark.OrgID
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s := must(store.Open(t.Context(), fresh.SQLite(t)))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

func (w *world) open(t *testing.T, dir string, raw, minutes, hours time.Duration) *embedded.Engine {
	t.Helper()
	e := must(embedded.Open(t.Context(), embedded.Options{
		Dir: dir, RawRetention: raw, MinuteRetention: minutes, HourRetention: hours, MinuteLag: 24 * time.Hour, Shards: 2, MemoryBytes: 32 << 20, CacheBytes: 8 << 20,
		Now: func() time.Time { return time.Unix(w.now, 0) },
	}))(t)
	t.Cleanup(func() { e.Close() })
	return e
}

// lived is the directory of a source that has lived for twenty days, so that it
// has records, minutes and hours. It is made once, for the first who asks.
var lived struct {
	sync.Mutex
	dir string
	org tidemark.OrgID
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(lived.dir)
	os.Exit(code)
}

// liveOnce makes lived, for an organization.
func liveOnce(t *testing.T, org tidemark.OrgID) string {
	t.Helper()
	lived.Lock()
	defer lived.Unlock()
	if lived.dir != "" {
		if lived.org != org { // organizations are numbered alike in every new store
			t.Fatalf("organization %d, not %d", org, lived.org)
		}
		return lived.dir
	}
	dir := must(os.MkdirTemp("", "lived"))(t)
	w := &world{now: began, org: org}
	w.source = w.openSource(t, dir)
	ok(t, w.source.SetMode(t.Context(), org, "hits", tsdb.Mode{Fold: true, Period: 60}))
	for range 20 {
		w.live(t, day)
	}
	ok(t, w.source.Close())
	lived.dir, lived.org = dir, org
	return dir
}

func (w *world) openSource(t *testing.T, dir string) *embedded.Engine {
	t.Helper()
	d := func(i int) time.Duration { return time.Duration(tiers[i].Retention) * time.Second }
	return w.open(t, dir, d(0), d(1), d(2))
}

// newWorld makes a source that has lived for twenty days, and an empty target.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{now: began + 20*day, from: openStore(t), to: openStore(t)}
	const forever = 50 * 366 * 24 * time.Hour
	w.target = w.open(t, filepath.Join(t.TempDir(), "new"), forever, forever, forever)
	w.org = must(w.from.CreateOrg(t.Context(), tidemark.Actor{Kind: tidemark.ByCLI}, "Acme"))(t).ID
	period := int64(60)
	must(w.from.EnsureMetrics(t.Context(), w.org, []*tidemark.Metric{
		{Name: "cpu", Type: tidemark.Gauge},
		{Name: "hits", Type: tidemark.Gauge, Period: &period, Attributes: map[string]any{"aggregate": true}},
		{Name: "latency", Type: tidemark.Gauge},
	}))(t)
	dir := filepath.Join(t.TempDir(), "old")
	ok(t, os.CopyFS(dir, os.DirFS(liveOnce(t, w.org))))
	w.source = w.openSource(t, dir)
	return w
}

// live lets time pass while the source records.
func (w *world) live(t *testing.T, seconds int64) {
	t.Helper()
	var b tsdb.Batch
	for at := w.now; at < w.now+seconds; at += 600 {
		for i, host := range []string{"a", "b", "c"} {
			tags := tidemark.Tags{{Name: "host", Value: host}}
			b.Add("cpu", tags, at, math.Sin(float64(at))*100+float64(i))
			b.Add("hits", tags, at, float64(at%7))
			b.Add("hits", tags, at+1, 1)
		}
		addLatency(&b, at)
	}
	w.now += seconds
	ok(t, w.source.Write(t.Context(), w.org, &b))
	ok(t, w.source.Maintain(t.Context()))
}

// addLatency adds distributions, summaries without one, and single values of
// one stream: an hour of them has a distribution of a part.
func addLatency(b *tsdb.Batch, at int64) {
	key := tsdb.AppendKey(nil, "latency", nil)
	var k sketch.Sketch
	sum := tsdb.Single(1)
	k.Add(1, 1)
	for i := range 5 {
		v := tsdb.Single(float64(at%100) + float64(i)*3)
		sum.Merge(&v)
		k.Add(v.Sum, 1)
	}
	b.AddDistribution(key, at, sum, k.AppendBinary(nil))
	b.AddKey(key, at+60, tsdb.Single(7))
	b.AddKey(key, at+120, tsdb.Summary{Count: 3, Sum: 9, Min: 1, Max: 5, Last: 3, M2: 8})
}

// target with the tiers of its settings.
type withTiers struct {
	tsdb.Engine
	wrote func() error // called before each write
}

func (w withTiers) Tiers() []tsdb.Tier { return tiers }

func (w withTiers) Write(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch) error {
	if w.wrote != nil {
		if err := w.wrote(); err != nil {
			return err
		}
	}
	return w.Engine.Write(ctx, org, b)
}

func (w *world) copy() *migrate.Copy {
	return &migrate.Copy{From: w.from, To: w.to, Source: w.source, Target: withTiers{Engine: w.target}, Now: w.now, Progress: func(migrate.Progress) {}}
}

// move returns the state of the migration, which begins with the first call.
func (w *world) move(t *testing.T) *store.Move {
	t.Helper()
	m := must(w.to.Move(t.Context()))(t)
	if m == nil {
		m = &store.Move{Source: "old", Engine: "embedded", State: store.Moving, StartedAt: w.now, RawFrom: migrate.RawFrom(tiers, tiers, w.now)}
		ok(t, w.to.SaveMove(t.Context(), m))
	}
	return m
}

// pass copies and compares.
func (w *world) pass(t *testing.T, c *migrate.Copy) *migrate.Outcome {
	t.Helper()
	m := w.move(t)
	out := must(c.Pass(t.Context(), m))(t)
	ok(t, c.Compare(t.Context(), m, out))
	return out
}

// same compares everything that can be asked of both engines.
func (w *world) same(t *testing.T) {
	t.Helper()
	from := func(retention int64) int64 { return (w.now - retention + day) / day * day }
	for _, q := range []tsdb.Query{
		{Start: from(3 * day), End: w.now + day, Step: 1}, {Start: from(10 * day), End: w.now + day, Step: 60}, {Start: 0, End: w.now + day, Step: 3600},
	} {
		q.Metric = "*"
		for _, q.Function = range []tsdb.Function{tsdb.All, tsdb.Distributions} {
			a, b := w.read(t, w.source, q), w.read(t, w.target, q)
			if len(a) == 0 {
				t.Errorf("step %d: nothing", q.Step)
			}
			if q.Function == tsdb.Distributions { // how long those of single values are known is up to the engine
				onlyLatency := func(key string, _ map[int64][7]float64) bool { return key != "latency" }
				maps.DeleteFunc(a, onlyLatency)
				maps.DeleteFunc(b, onlyLatency)
			}
			if !maps.EqualFunc(a, b, maps.Equal) { // a report takes many times as long as to compare
				t.Errorf("step %d, function %d (-old +new):\n%.2000s", q.Step, q.Function, cmp.Diff(a, b))
			}
		}
	}
}

// read returns points as text, without the last bits.
func (w *world) read(t *testing.T, e tsdb.Reader, q tsdb.Query) map[string]map[int64][7]float64 {
	t.Helper()
	all := make(map[string]map[int64][7]float64)
	for s, err := range e.Select(t.Context(), w.org, &q) {
		ok(t, err)
		points := make(map[int64][7]float64)
		for i, at := range s.Times {
			m := s.Summaries[i]
			p := [7]float64{m.Count, m.Sum, m.Min, m.Max, m.Last, m.M2}
			if k := s.SketchAt(i); k != nil {
				p[6] = k.Count()
			}
			for j := range p {
				p[j], _ = math.Modf(p[j]*1e6 + 0.5)
			}
			points[at] = p
		}
		all[string(tsdb.AppendKey(nil, s.Metric, s.Tags))] = points
	}
	return all
}

// TestMigrate copies records, minutes, hours and distributions, and makes
// metrics that fold do so from then on only.
func TestMigrate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	out := w.pass(t, w.copy())
	if out.Differing != 0 || out.Metrics != 3 || out.Written != out.Records || out.Records < 5000 || out.Recopied != 0 {
		t.Errorf("%+v", out)
	}
	w.same(t)
	ok(t, w.copy().Finish(t.Context(), w.move(t)))
	if m := w.move(t); m.State != store.Moved || m.Records != out.Written {
		t.Errorf("%+v", m)
	}
	for _, e := range []tsdb.Engine{w.source, w.target} {
		var b tsdb.Batch
		b.Add("hits", tidemark.Tags{{Name: "host", Value: "a"}}, w.now-1, 5)
		ok(t, e.Write(t.Context(), w.org, &b))
	}
	w.same(t)
}

// TestSecondPass: what was written, replaced and deleted while the first pass
// ran is right after the second, which writes little more than that.
func TestSecondPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.copy()
	wrote := 0
	c.Target = withTiers{w.target, func() error {
		if wrote++; wrote == 5 {
			w.live(t, 1200)
			var b tsdb.Batch
			b.Add("cpu", tidemark.Tags{{Name: "host", Value: "a"}}, began+19*day, 1e6)    // replaces
			b.Add("cpu", tidemark.Tags{{Name: "host", Value: "a"}}, began+12*day+3599, 5) // too late for records
			return w.source.Write(t.Context(), w.org, &b)
		}
		return nil
	}}
	first := must(c.Pass(t.Context(), w.move(t)))(t)
	ok(t, w.source.Delete(t.Context(), w.org, "latency"))
	ok(t, w.source.Maintain(t.Context()))
	second := w.pass(t, w.copy())
	if second.Differing != 0 || second.Metrics != 2 || second.Recopied != 1 || second.Written == 0 || second.Written > first.Written/3 {
		t.Errorf("first %+v\nsecond %+v", first, second)
	}
	w.same(t)
	if third := w.pass(t, w.copy()); third.Written != 0 || third.Differing != 0 {
		t.Errorf("a pass without changes: %+v", third)
	}
}

// TestKilled ends the copying at every write, and at once begins it again: the
// result is the same as if it had not been interrupted.
func TestKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	killed := errors.New("killed")
	for n := 0; ; n++ { // each time after one write more
		c := w.copy()
		budget := n
		c.Batch = 100
		c.Target = withTiers{w.target, func() error {
			if budget--; budget < 0 {
				return killed
			}
			return nil
		}}
		_, err := c.Pass(t.Context(), w.move(t))
		if err == nil {
			if n < 10 {
				t.Errorf("it was killed only %d times", n)
			}
			break
		}
		if !errors.Is(err, killed) || n > 1000 {
			t.Fatal(err)
		}
	}
	if out := w.pass(t, w.copy()); out.Written != 0 || out.Differing != 0 {
		t.Errorf("%+v", out)
	}
	w.same(t)
}

// TestKilledWhileFinishing: some metrics fold already, and nothing counts
// twice.
func TestKilledWhileFinishing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pass(t, w.copy())
	m := w.move(t)
	m.State = store.Finishing
	ok(t, w.to.SaveMove(t.Context(), m))
	ok(t, w.target.SetMode(t.Context(), w.org, "hits", tsdb.Mode{Fold: true, Period: 60}))
	w.live(t, 600)
	if out := w.pass(t, w.copy()); out.Differing != 0 {
		t.Errorf("%+v", out)
	}
	w.same(t)
}

// TestTampered: the comparison finds what is more, less and other than it was,
// by metric and day, and the next pass mends it.
func TestTampered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pass(t, w.copy())
	var b tsdb.Batch
	tags := tidemark.Tags{{Name: "host", Value: "a"}}
	b.Add("cpu", tags, began+19*day+5, 1)       // one more
	b.Add("hits", tags, began+18*day+600, 1e-9) // another value
	b.Add("cpu", tags, began+2*day+3600, 3)     // another hour
	b.Add("new", nil, began+19*day, 1)
	ok(t, w.target.Write(t.Context(), w.org, &b))
	out := &migrate.Outcome{}
	ok(t, w.copy().Compare(t.Context(), w.move(t), out))
	type found struct {
		Metric   string
		Day      int64
		Old, New int64
	}
	var got []found
	for _, d := range out.Differences {
		got = append(got, found{d.Metric, (d.Day - began) / day, d.Old.Records, d.New.Records})
	}
	want := []found{{"cpu", 2, 72, 72}, {"hits", 18, 432, 432}, {"cpu", 19, 432, 433}, {"new", 19, 0, 1}}
	if diff := cmp.Diff(want, got); diff != "" || out.Differing != 4 {
		t.Errorf("%d differences (-want +got):\n%s", out.Differing, diff)
	}
	mended := w.pass(t, w.copy())
	if mended.Differing != 0 {
		t.Errorf("%+v", mended)
	}
	w.same(t)
}

// TestDaysLater: where the source has lost its records between two passes, what
// was copied of them stays and is compared by the hour; what came for those
// hours meanwhile is found, and copied.
func TestDaysLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pass(t, w.copy())
	for range 3 {
		w.live(t, day)
	}
	later := w.pass(t, w.copy())
	if later.Differing != 0 || later.Recopied != 0 {
		t.Errorf("%+v", later)
	}
	var b tsdb.Batch
	b.Add("cpu", tidemark.Tags{{Name: "host", Value: "b"}}, began+18*day+7, 1000)
	ok(t, w.source.Write(t.Context(), w.org, &b))
	late := w.pass(t, w.copy())
	if late.Differing != 1 || late.Differences[0].Day != began+18*day {
		t.Errorf("%+v", late)
	}
	if mended := w.pass(t, w.copy()); mended.Differing != 0 || mended.Recopied != 1 {
		t.Errorf("%+v", mended)
	}
}

// TestEstimate counts what is copied, and changes nothing.
func TestEstimate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := must(w.copy().Estimate(t.Context(), migrate.Target{Tiers: tiers, Cost: 3}, nil))(t)
	if e.Metrics != 3 || e.Streams != 7 || e.Rows == 0 || e.Begun || e.Seconds < 1 || e.Oldest != began {
		t.Errorf("%+v", e)
	}
	if moved := must(w.to.MovedOrgs(t.Context()))(t); len(moved) != 0 {
		t.Errorf("something was copied: %v", moved)
	}
	out := w.pass(t, w.copy())
	if out.Records != e.Records {
		t.Errorf("%d records were copied, %d were expected", out.Records, e.Records)
	}
	if again := must(w.copy().Estimate(t.Context(), migrate.Target{Tiers: tiers, Cost: 3}, w.move(t)))(t); !again.Begun || again.PerSecond <= 0 {
		t.Errorf("%+v", again)
	}
}

// TestGoneOrganization: one that is deleted between two passes is deleted from
// the new place too.
func TestGoneOrganization(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pass(t, w.copy())
	ok(t, w.from.DeleteOrg(t.Context(), w.org, tidemark.Actor{Kind: tidemark.ByCLI}))
	w.pass(t, w.copy())
	if left := w.read(t, w.target, tsdb.Query{Metric: "*", End: w.now, Step: 3600, Function: tsdb.All}); len(left) != 0 {
		t.Errorf("%d streams are left", len(left))
	}
	if orgs := must(w.to.MovedOrgs(t.Context()))(t); len(orgs) != 0 {
		t.Errorf("organizations %v", orgs)
	}
}
