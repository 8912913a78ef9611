package engine_test

import (
	"math"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"pgregory.net/rapid"
)

// check asks both engines a few random questions.
func (w *world) check(t *rapid.T) {
	for range 2 {
		w.checkSelect(t)
	}
	w.checkStreams(t)
}

var filters = []tsdb.Filter{
	{}, {}, {}, tsdb.TagIs("host", "a"), tsdb.TagIs("host", "*"), tsdb.TagAbsent("dc"), tsdb.TagIsNot("host", "b"),
	tsdb.AnyOf(tsdb.TagIs("dc", "e*", "u*"), tsdb.TagIs("host", "b")),
}

// genQuery draws a question: windows that begin and end on some grid, or
// anywhere, with steps that tiers can answer and steps that they cannot.
func (w *world) genQuery(t *rapid.T) *tsdb.Query {
	q := &tsdb.Query{
		Metric:   rapid.SampledFrom([]string{"*", "cpu", "hits", "lat", "*t*"}).Draw(t, "metric"),
		Filter:   rapid.SampledFrom(filters).Draw(t, "filter"),
		Step:     rapid.SampledFrom([]int64{1, 7, minute, minute, 5 * minute, 90, hour, hour, 6 * hour, day, 7 * day}).Draw(t, "step"),
		Function: rapid.SampledFrom([]tsdb.Function{tsdb.All, tsdb.All, tsdb.All, tsdb.Mean, tsdb.Sum, tsdb.Count, tsdb.Min, tsdb.Max, tsdb.Last, tsdb.StdDev, tsdb.Derivative}).Draw(t, "function"),
	}
	// Drawn from lists: ranges would be mostly short windows near now.
	back := rapid.SampledFrom([]int64{0, minute, hour, 6 * hour, day, 2 * day, 4 * day, 5 * day, 9 * day, 11 * day, 29 * day, 40 * day}).Draw(t, "back")
	long := rapid.SampledFrom([]int64{1, minute, hour, 6 * hour, day, 3 * day, 10 * day, 45 * day}).Draw(t, "long")
	grid := rapid.SampledFrom([]int64{1, minute, hour, hour, day}).Draw(t, "grid")
	q.Start = (w.now - back - rapid.Int64Range(0, hour).Draw(t, "start")) / grid * grid
	q.End = (q.Start + long + rapid.Int64Range(0, hour).Draw(t, "end")) / grid * grid
	if rapid.Bool().Draw(t, "group") {
		q.Group = true
		q.GroupBy = rapid.SampledFrom([][]string{nil, {"host"}, {"dc", "host"}}).Draw(t, "by")
		q.GroupFunction = rapid.SampledFrom([]tsdb.GroupFunction{tsdb.GroupMean, tsdb.GroupSum, tsdb.GroupMin, tsdb.GroupMax, tsdb.GroupMerge}).Draw(t, "how")
		if q.Function == tsdb.All {
			q.GroupFunction = tsdb.GroupMerge
		}
		if q.Function == tsdb.Derivative && q.Merges() {
			q.Function = tsdb.Last
		}
	}
	return q
}

func (w *world) checkSelect(t *rapid.T) {
	org := tidemark.OrgID(rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "org"))
	q := w.genQuery(t)
	want, got := collect(t, w.model, org, q), collect(t, w.e, org, q)
	w.stats.selects++
	if len(want) != len(got) {
		t.Fatalf("at %d, %+v:\ngot %d series %v\nwant %d %v", w.now, q, len(got), names(got), len(want), names(want))
	}
	for i := range want {
		if want[i].Metric != got[i].Metric || want[i].Tags.Compare(got[i].Tags) != 0 {
			t.Fatalf("at %d, %+v: series %d is %s %s, want %s %s", w.now, q, i, got[i].Metric, got[i].Tags, want[i].Metric, want[i].Tags)
		}
		if !slices.Equal(want[i].Times, got[i].Times) {
			t.Fatalf("at %d, %+v: %s %s has times (-want +got):\n%s", w.now, q, got[i].Metric, got[i].Tags, cmp.Diff(want[i].Times, got[i].Times))
		}
		w.compare(t, org, q, want[i], got[i])
		w.stats.points += len(got[i].Times)
	}
}

func collect(t *rapid.T, e tsdb.Engine, org tidemark.OrgID, q *tsdb.Query) []*tsdb.Series {
	var all []*tsdb.Series
	for s, err := range e.Select(t.Context(), org, q) {
		if err != nil {
			t.Fatalf("select %+v: %v", q, err)
		}
		all = append(all, s.Clone())
	}
	return all
}

func names(all []*tsdb.Series) []string {
	var list []string
	for _, s := range all {
		list = append(list, s.Metric+" "+s.Tags.String())
	}
	return list
}

// compare compares the points of one series.
func (w *world) compare(t *rapid.T, org tidemark.OrgID, q *tsdb.Query, want, got *tsdb.Series) {
	for i, at := range want.Times {
		var ok bool
		var wanted, gotten any
		stale := w.isStale(subject{org, want.Metric, want.Tags}, q, at)
		if q.Function == tsdb.All {
			a, b := want.Summaries[i], got.Summaries[i]
			if stale {
				a.Last, b.Last = 0, 0
			}
			ok, wanted, gotten = same(&a, &b), a, b
		} else {
			a, b := want.Values[i], got.Values[i]
			ok, wanted, gotten = sameValue(q, a, b) || stale && (q.Function == tsdb.Last || q.Function == tsdb.Derivative), a, b
		}
		if !ok {
			t.Fatalf("at %d, %+v: %s %s at %d (%d ago)\ngot  %+v\nwant %+v", w.now, q, want.Metric, want.Tags, at, w.now-at, gotten, wanted)
		}
	}
}

// same reports whether two summaries are of the same values. Sums may differ
// by rounding; the deviation also by what cancels out where the mean is large.
func same(a, b *tsdb.Summary) bool {
	return a.Count == b.Count && a.Min == b.Min && a.Max == b.Max && a.Last == b.Last && near(a.Sum, b.Sum) &&
		math.Abs(a.M2-b.M2) <= 1e-9*math.Max(1, a.M2)+1e-12*a.Sum*a.Sum/a.Count
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))+1e-8 }

func sameValue(q *tsdb.Query, a, b float64) bool {
	switch {
	case q.Function == tsdb.StdDev:
		return math.Abs(a-b) <= 0.02+1e-9*a // All compares the deviation itself
	case q.Group || q.Function == tsdb.Mean || q.Function == tsdb.Sum:
		return near(a, b)
	}
	return a == b
}

// isStale reports whether a step of a series has a record in it that came
// after raw ones of its age were gone.
func (w *world) isStale(s subject, q *tsdb.Query, at int64) bool {
	for _, other := range subjects {
		other.org = s.org
		if other.metric != s.metric || !q.Group && other.tags.Compare(s.tags) != 0 {
			continue
		}
		for h := range w.stale[other.key()] {
			// The difference to the point before is as doubtful as that one.
			if q.Function == tsdb.Derivative || h*hour < at+q.Step && (h+1)*hour > at {
				return true
			}
		}
	}
	return false
}

func (w *world) checkStreams(t *rapid.T) {
	f := rapid.SampledFrom(filters).Draw(t, "filter")
	for _, org := range []tidemark.OrgID{1, 2} {
		want, got := w.streams(t, w.model, org, f), w.streams(t, w.e, org, f)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("at %d, streams %+v (-want +got):\n%s", w.now, f, diff)
		}
	}
	a, err := w.model.Stats(t.Context())
	b, err2 := w.e.Stats(t.Context())
	if err != nil || err2 != nil {
		t.Fatalf("stats: %v, %v", err, err2)
	}
	if a.Streams != b.Streams || a.Samples != b.Samples || b.Lost != 0 || b.Refusing != "" {
		t.Fatalf("stats: got %+v, want %+v", b, a)
	}
}

// streams lists streams. When one was last seen is not compared where only
// summaries know.
func (w *world) streams(t *rapid.T, e tsdb.Engine, org tidemark.OrgID, f tsdb.Filter) map[string]int64 {
	all := make(map[string]int64)
	for s, err := range e.Streams(t.Context(), org, "*", f) {
		if err != nil {
			t.Fatalf("streams: %v", err)
		}
		key := subject{org, s.Metric, s.Tags}.key()
		all[key] = s.LastSeen
		if w.now-s.LastSeen > rawRetention-hour || len(w.stale[key]) > 0 {
			all[key] = -1
		}
	}
	return all
}
