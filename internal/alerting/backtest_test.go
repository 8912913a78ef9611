package alerting

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestBacktestAgrees has alerts run on random measurements, and then tries
// them out on the same: both must fire at the same minutes. TIDEMARK_SOAK=1
// plays 20,000 of them.
func TestBacktestAgrees(t *testing.T) {
	t.Parallel()
	seeds := uint64(testdeps.Rounds(400))
	if os.Getenv("TIDEMARK_SOAK") != "" {
		seeds = 20_000
	}
	wrong := 0
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			if said := playBacktest(t, seed); said != "" {
				wrong++
				t.Logf("seed %d: %s", seed, said)
			}
		})
	}
	if wrong > 0 {
		t.Errorf("%d of %d disagree", wrong, seeds)
	}
}

// playBacktest plays one life of an alert, and says where its backtest differs.
func playBacktest(t *testing.T, seed uint64) string {
	b := newBench(t)
	rnd := rand.New(rand.NewPCG(seed, 1))
	time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
	a := b.add(randomConditions(rnd)...)
	start := time.Now().Unix()
	dies := b.suspendAtRandom(rand.New(rand.NewPCG(seed, 2)), a, start)
	b.pass()
	const minutes = 150
	var live, died strings.Builder
	for range minutes {
		dead := dies()
		died.WriteByte(mark(dead))
		if dead {
			b.restart()
		}
		for _, host := range []string{"a", "b", "c"} {
			if rnd.IntN(10) < 7 {
				b.write("cpu", host, float64(rnd.IntN(12)-2))
			}
		}
		live.WriteByte(mark(b.firing(a)))
		time.Sleep(time.Minute)
	}
	reader := b.reader()
	got, err := reader.Backtest(t.Context(), 1, a, start, start+minutes*60, time.Now().Unix())
	if err != nil {
		t.Fatal(err)
	}
	tried := timeline(got, start, minutes)
	if tried == live.String() {
		return ""
	}
	var suspended strings.Builder
	for m := range int64(minutes) {
		suspended.WriteByte(mark(intervals(tidemark.Suspended(b.store.windows, start, start+minutes*60)).has(start + m*60)))
	}
	return fmt.Sprintf("%s\nlive      %s\ntried     %s\nsuspended %s\nrestarted %s", a.Sentence(nil), live.String(), tried, suspended.String(), died.String())
}

// suspendAtRandom has half of the alerts not evaluated at some times. It returns
// whether the process dies in a minute: those about silence count anew then,
// which a backtest does not know.
func (b *bench) suspendAtRandom(rnd *rand.Rand, a *tidemark.Alert, start int64) func() bool {
	if rnd.IntN(2) == 0 {
		return func() bool { return false }
	}
	at := start
	for id := range int64(2) {
		from := at + 60*int64(5+rnd.IntN(40))
		at = from + 60*int64(1+rnd.IntN(25))
		b.store.windows = append(b.store.windows, &tidemark.Maintenance{ID: id + 1, Suspends: true, StartsAt: from, EndsAt: new(at), Covers: tidemark.Covers{All: true}})
	}
	isAbsent := slices.ContainsFunc(a.Conditions, func(c tidemark.Condition) bool { return c.Type == tidemark.Absent })
	return func() bool { return !isAbsent && rnd.IntN(10) == 0 }
}

func mark(on bool) byte { return map[bool]byte{true: '!', false: '.'}[on] }

func randomConditions(rnd *rand.Rand) []tidemark.Condition {
	var all []tidemark.Condition
	for range 1 + rnd.IntN(2) {
		c := cpuAbove(float64(3 + rnd.IntN(6)))
		switch rnd.IntN(6) {
		case 0:
			c.Type = tidemark.Below
		case 1:
			c.Duration = new(tidemark.Seconds(60 * (1 + rnd.IntN(6))))
			*c.Threshold -= 3
		case 2:
			c = absentFor("cpu", tidemark.Seconds(60*(1+rnd.IntN(4))))
		case 3:
			c.SummaryFunction = new("derivative")
			c.DetectReset = new(rnd.IntN(2) == 0)
		case 4:
			c.SummaryFunction = new("absolute_value")
			c.Tags = []tidemark.TagFilter{{Name: "host", Values: []string{"a", "b"}}}
		}
		all = append(all, c)
	}
	return all
}

// timeline says for each minute whether an incident covers it.
func timeline(b *tidemark.Backtest, start int64, minutes int) string {
	var s strings.Builder
	for m := range minutes {
		at := start + int64(m)*60
		s.WriteByte(mark(slices.ContainsFunc(b.Incidents, func(in tidemark.BacktestIncident) bool {
			return in.TriggeredAt <= at && (in.ClearedAt == nil || at < *in.ClearedAt)
		})))
	}
	return s.String()
}

// fill writes a reading a minute of each stream of a story into an engine.
func fillStory(t testing.TB, e tsdb.Engine, start int64, stories map[string]string) {
	t.Helper()
	var b tsdb.Batch
	for host, story := range stories {
		for i := range len(story) {
			if story[i] != '_' {
				b.Add("cpu", tidemark.Tags{{Name: "host", Value: host}}, start+int64(i)*60, float64(story[i]-'0'))
			}
		}
	}
	if err := e.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
}

func TestBacktest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		start := time.Now().Unix()
		start -= start % 3600
		b := newBench(t)
		fillStory(t, b.engine, start, map[string]string{
			"a": "1199911111",
			"b": "1111118111",
			"c": "1111111111",
		})
		time.Sleep(time.Hour)
		a := tidemark.NewAlert()
		a.Conditions = []tidemark.Condition{cpuAbove(5)}
		reader := b.reader()
		reader.Spellings = spelledHosts(t, "B")
		got, err := reader.Backtest(t.Context(), 1, a, start, start+600, time.Now().Unix())
		if err != nil {
			t.Fatal(err)
		}
		want := &tidemark.Backtest{
			Start: start, End: start + 600, Fired: 2, Notifications: 4, Total: 240, Longest: 180, Highest: new(9.0), Lowest: new(1.0),
			Incidents: []tidemark.BacktestIncident{
				{TriggeredAt: start + 120, ClearedAt: new(start + 300), Peak: new(9.0), Streams: []string{"host=a"}},
				{TriggeredAt: start + 360, ClearedAt: new(start + 420), Peak: new(8.0), Streams: []string{"host=B"}},
			},
			Conditions: []tidemark.BacktestCondition{{
				Sentence: "CPU above 5", Words: a.Conditions[0].Sentence(""),
				Intervals: []tidemark.Interval{{start + 120, start + 300}, {start + 360, start + 420}},
				Looked:    3, Violating: 2, Streams: []tidemark.BacktestStream{
					{Stream: "host=a", Intervals: []tidemark.Interval{{start + 120, start + 300}}, Peak: new(9.0)},
					{Stream: "host=B", Intervals: []tidemark.Interval{{start + 360, start + 420}}, Peak: new(8.0)},
				},
			}},
			Thresholds: thresholds(4, 4.5, 5, 5.5, 6),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestBacktestReminders counts what would be told, the clear included.
func TestBacktestReminders(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		b         string // beside a, which violates for eight minutes
		perSignal bool
		want      int
	}{
		"an alert":                {"1199991111", false, 4},
		"a stream of its own":     {"1111111111", true, 4},
		"streams in step":         {"9999111111", true, 4},
		"one joins later":         {"1199991111", true, 6},
		"one comes back too soon": {"9119111111", true, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now().Unix()
				b := newBench(t)
				fillStory(t, b.engine, start, map[string]string{"a": "9999999911", "b": tt.b})
				time.Sleep(time.Hour)
				a := tidemark.NewAlert()
				a.Conditions, a.RearmSeconds, a.RearmPerSignal = []tidemark.Condition{cpuAbove(5)}, 180, tt.perSignal
				reader := b.reader()
				got, err := reader.Backtest(t.Context(), 1, a, start, start+600, time.Now().Unix())
				if err != nil || got.Notifications != tt.want {
					t.Errorf("notified %d times, want %d (%v)", got.Notifications, tt.want, err)
				}
			})
		})
	}
}

func thresholds(values ...float64) (all []tidemark.BacktestThreshold) {
	for _, v := range values {
		all = append(all, tidemark.BacktestThreshold{Value: v, Fired: 2, Total: 240})
	}
	return all
}

func TestBacktestLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(20 * 24 * time.Hour)
		now := time.Now().Unix()
		now -= now % 3600
		b := newBench(t)
		day := int64(24 * 3600)
		b.engine = memory.New(memory.Options{
			Tiers: []tsdb.Tier{{Window: 1, Retention: 8 * day}, {Window: 60, Retention: 62 * day}, {Window: 3600, Retention: 1000 * day}},
			Now:   func() int64 { return now },
		})
		reader := b.reader()
		a := tidemark.NewAlert()
		a.Conditions = []tidemark.Condition{cpuAbove(5)}
		old := now - 9*24*3600
		fillStory(t, b.engine, old, map[string]string{"a": "11999111"})
		fillStory(t, b.engine, now-600, map[string]string{"a": "1199911199"})
		got, err := reader.Backtest(t.Context(), 1, a, old-600, now+100000, now)
		if err != nil {
			t.Fatal(err)
		}
		if got.Fired != 3 || got.Incidents[2].ClearedAt != nil || got.End != now+1 {
			t.Errorf("fired %d times: %+v", got.Fired, got.Incidents)
		}
		// Measurements are kept for eight days, minutes for longer.
		if want := now - 8*24*3600 + 60; got.SummariesUntil != want || got.SummarySeconds != 60 {
			t.Errorf("summaries of %d s until %d, want %d", got.SummarySeconds, got.SummariesUntil, want)
		}
		for _, r := range [][2]int64{{now, now}, {now + 10, now + 20}, {now - 400*24*3600, now}} {
			if _, err := reader.Backtest(t.Context(), 1, a, r[0], r[1], now); tidemark.KindOf(err) != tidemark.Invalid {
				t.Errorf("%v: %v", r, err)
			}
		}
		a.Conditions = nil
		if got, err := reader.Backtest(t.Context(), 1, a, now-600, now, now); err != nil || got.Fired != 0 {
			t.Errorf("without conditions: %+v %v", got, err)
		}
		// Silence counts from the last measurement, and up to the end.
		a.Conditions = []tidemark.Condition{absentFor("cpu", 120)}
		got, err = reader.Backtest(t.Context(), 1, a, old-600, old+3600, now)
		if err != nil || got.Fired != 1 || got.Incidents[0].TriggeredAt != old+7*60+120 {
			t.Errorf("absent: %+v %v", got, err)
		}
	})
}

func TestNearby(t *testing.T) {
	t.Parallel()
	f := func(threshold, spread float64, want string) {
		t.Helper()
		if got := strings.Trim(fmt.Sprint(nearby(threshold, spread)), "[]"); got != want {
			t.Errorf("nearby(%v, %v) = %s, want %s", threshold, spread, got, want)
		}
	}
	f(250, 0, "210 230 250 270 290")
	f(0.3, 0, "0.26 0.28 0.3 0.32 0.34")
	f(0, 100, "-10 -5 0 5 10")
	f(0, 0, "-2 -1 0 1 2")
	f(-1000, 0, "-1200 -1100 -1000 -900 -800")
	f(1e6, 0, "800000 900000 1e+06 1.1e+06 1.2e+06")
}

func TestIntervals(t *testing.T) {
	t.Parallel()
	if got := union([]intervals{{{1, 3}, {8, 9}}, {{2, 5}, {5, 6}}}); !cmp.Equal(got, intervals{{1, 6}, {8, 9}}) {
		t.Errorf("union = %v", got)
	}
	if got := intersection(intervals{{1, 6}, {8, 20}}, intervals{{2, 3}, {5, 9}, {19, 30}}); !cmp.Equal(got, intervals{{2, 3}, {5, 6}, {8, 9}, {19, 20}}) {
		t.Errorf("intersection = %v", got)
	}
	v := intervals{{1, 3}, {5, 7}, {9, 12}}
	if got := v.clip(2, 10); !cmp.Equal(got, intervals{{2, 3}, {5, 7}, {9, 10}}) || !cmp.Equal(v, intervals{{1, 3}, {5, 7}, {9, 12}}) {
		t.Errorf("clip = %v of %v", got, v)
	}
	if got := v.clip(3, 5); len(got) != 0 {
		t.Errorf("clip = %v", got)
	}
}

// TestBacktestTooMany reads minutes where there are too many seconds.
func TestBacktestTooMany(t *testing.T) {
	t.Parallel()
	reads := []int64{}
	reader := Reader{
		Engine: &selecting{memory.New(), func(_ context.Context, _ tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
			reads = append(reads, q.Step)
			return func(yield func(*tsdb.Series, error) bool) {
				s := &tsdb.Series{Times: make([]int64, (q.End-q.Start)/q.Step), Values: make([]float64, (q.End-q.Start)/q.Step)}
				for i := range s.Times {
					s.Times[i] = q.Start + int64(i)*q.Step
				}
				for range 10 {
					if !yield(s, nil) {
						return
					}
				}
			}
		}},
		Metrics: metricFunc(noMetric),
	}
	a := tidemark.NewAlert()
	a.Conditions = []tidemark.Condition{cpuAbove(5)}
	got, err := reader.Backtest(t.Context(), 1, a, base, base+7*86400, base+7*86400)
	if err != nil || !slices.Equal(reads, []int64{1, 60}) || got.SummariesUntil != got.End || got.SummarySeconds != 60 {
		t.Errorf("steps %v, %v, until %d", reads, err, got.SummariesUntil)
	}
}
