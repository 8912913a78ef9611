package promql

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	prom "github.com/prometheus/prometheus/promql"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const day = 86400

// kept is what the embedded engine keeps by default.
var kept = []tsdb.Tier{{Window: 1, Retention: 8 * day}, {Window: 60, Retention: 62 * day}, {Window: 3600, Retention: 5 * 365 * day}}

// aged returns an engine whose data reaches back beyond what is kept as it was
// written: values and summaries, regular and not, with gaps.
func aged(t testing.TB, r *rand.Rand, now int64) tsdb.Engine {
	e := memory.New(memory.Options{Tiers: kept, Now: func() int64 { return now }, Overdue: func() int64 { return 0 }})
	var b tsdb.Batch
	for i := range 6 {
		key := tsdb.AppendKey(nil, "x", nil)
		key = append(key, fmt.Sprintf("\x00host\x01h%d", i)...)
		period := []int64{15, 60, 600, 300, 613, 3600}[i]
		from := now - []int64{3, 9, 80, 70, 100, 100}[i]*day/4
		for at := from; at <= now; at += period {
			if r.IntN(40) == 0 {
				at += r.Int64N(20) * period // still at full minutes, where windows begin and end
			}
			s := tsdb.Single(r.NormFloat64() * 100)
			for range r.IntN(3) * (i % 2) {
				o := tsdb.Single(r.NormFloat64() * 100)
				s.Merge(&o)
			}
			b.AddKey(key, at, s)
		}
	}
	if err := e.Write(context.Background(), org, &b); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPushDown: what is left out, merged or read from summaries changes no
// answer. The reference reads everything that a selector names.
func TestPushDown(t *testing.T) {
	t.Parallel()
	const now = 1_760_000_000 - 1_760_000_000%day + 7*3600
	r := rand.New(rand.NewPCG(7, 7))
	db := aged(t, r, now)
	w := &watched{Reader: db}
	o := Options{Now: func() time.Time { return time.Unix(now, 0) }}
	o.Storage = w
	quick := New(o)
	o.Storage = db
	plain := New(o)
	plain.plain = true
	some := 0
	rounds := testdeps.Rounds(400)
	for range rounds {
		expr := pushedExpr(r)
		start := time.UnixMilli(1000*(now-r.Int64N((2+24*r.Int64N(2))*day)) + r.Int64N(2)*r.Int64N(1000))
		if r.IntN(3) == 0 {
			start = start.Truncate(time.Hour)
		}
		step := []time.Duration{time.Second, time.Minute, 5 * time.Minute, time.Hour, 7 * time.Hour, 1500 * time.Millisecond}[r.IntN(6)]
		end := start.Add(step * time.Duration(r.IntN(40)*r.IntN(2)))
		a, b := rangeOf(t, quick, expr, start, end, step), rangeOf(t, plain, expr, start, end, step)
		if a != b {
			t.Fatalf("%s from %d to %d step %v:\n%s\nplain:\n%s", expr, start.UnixMilli(), end.UnixMilli(), step, a, b)
		}
		if a != "" {
			some++
		}
	}
	whole := slices.ContainsFunc(w.queries, func(q tsdb.Query) bool { return q.Step == wholeStep })
	if some < rounds*3/5 || !whole {
		t.Errorf("only %d of 400 gave anything; read by summaries: %v", some, whole)
	}
}

func pushedExpr(r *rand.Rand) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	sel := one("x", `x{__stat__="max"}`, `x{__stat__="min"}`, `x{__stat__="sum"}`, `x{__stat__="count"}`, `x{__stat__="last"}`, `x{host=~"h[0-3]"}`)
	shift := one("", "", "", " offset 1h", " offset -10m", " @ end()", " @ start() offset 90s")
	span := one("1m", "5m", "7m", "90s", "1h", "3h", "1d", "9d", "20d")
	f := one("max_over_time", "min_over_time", "sum_over_time", "last_over_time", "present_over_time", "count_over_time", "avg_over_time", "rate", "changes")
	if r.IntN(3) == 0 { // what summaries can answer
		span = one("3h", "1d", "9d", "20d")
		pair := one("max_over_time(x", "min_over_time(x", `sum_over_time(x{__stat__="sum"}`, `sum_over_time(x{__stat__="count"}`, `last_over_time(x{__stat__="last"}`)
		return pair + "[" + span + "]" + shift + ")"
	}
	if r.IntN(3) == 0 { // what is aggregated while it is read
		inner := one(sel+shift, "("+sel+shift+" > 10)", sel+shift+" <= -5", sel+shift+" >= 0", sel+shift+" < 3",
			"rate("+sel+"["+span+"]"+shift+")", "increase("+sel+"["+span+"]"+shift+")")
		return one("sum", "count", "min", "max") + one("", " by (host)", " by (none)", " without (host)", " without (none)") + " (" + inner + ")"
	}
	return one(sel+shift, "sum("+sel+shift+")", "timestamp("+sel+shift+")",
		f+"("+sel+"["+span+"]"+shift+")", f+"("+sel+"["+span+"]"+shift+")", f+"("+sel+"["+span+"]"+shift+")", "max_over_time("+sel+shift+"[1h:7m])")
}

// rangeOf returns a range as text, with numbers to nine digits.
func rangeOf(t *testing.T, e *Engine, expr string, start, end time.Time, step time.Duration) string {
	t.Helper()
	q, err := e.Range(t.Context(), org, expr, start, end, step, QueryOptions{})
	if err != nil {
		t.Fatal(expr, err)
	}
	defer q.Close()
	res := q.Exec(t.Context())
	if res.Err != nil {
		t.Fatal(expr, res.Err)
	}
	var lines []string
	m := res.Value.(prom.Matrix)
	slices.SortFunc(m, func(a, b prom.Series) int { return labels.Compare(a.Metric, b.Metric) })
	for _, s := range m {
		line := s.Metric.String()
		for _, p := range s.Floats {
			line += fmt.Sprintf(" %d:%s", p.T, digits(p.F))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// digits writes v to nine digits; what is left of sums of large numbers is 0.
func digits(v float64) string {
	if math.Abs(v) < 1e-7 {
		v = 0
	}
	return fmt.Sprintf("%.9g", v)
}

// TestTiers: where records are gone their summaries are samples.
func TestTiers(t *testing.T) {
	t.Parallel()
	const now = 1_760_000_400 - 1_760_000_400%3600
	e := memory.New(memory.Options{Tiers: kept, Now: func() int64 { return now }, Overdue: func() int64 { return 0 }})
	for i := range int64(4) {
		put(t, e, "x", nil, now-100*day+900*i, tsdb.Single(float64(i)))  // an hour
		put(t, e, "x", nil, now-20*day+15*i, tsdb.Single(float64(i)))    // a minute
		put(t, e, "x", nil, now-day+15*i, tsdb.Single(float64(10+10*i))) // as they are
	}
	q := New(Options{Storage: e, Now: func() time.Time { return time.Unix(now, 0) }})
	for expr, want := range map[string]string{
		fmt.Sprintf("x @ %d", now-day+20):                               "20",
		fmt.Sprintf("x @ %d", now-20*day+299):                           "1.5",
		fmt.Sprintf(`x{__stat__="max"} @ %d`, now-20*day+1):             "3",
		fmt.Sprintf("x @ %d", now-20*day+300):                           "",
		fmt.Sprintf("x @ %d", now-100*day+7199):                         "1.5", // an hour lasts for two
		fmt.Sprintf(`x{__stat__="last"} @ %d`, now-100*day):             "3",
		fmt.Sprintf("x @ %d", now-100*day+7200):                         "",
		`count_over_time(x[200d])`:                                      "6",
		`max_over_time(x[200d])`:                                        "40",
		`min_over_time(x[200d])`:                                        "0",
		`sum_over_time(x{__stat__="count"}[200d])`:                      "12",
		fmt.Sprintf("sum_over_time(x[1d] @ %d)", now-20*day+3600):       "1.5",
		fmt.Sprintf("timestamp(x @ %d) - %d", now-20*day+100, now):      "-1.728e+06",
		fmt.Sprintf("count_over_time(x[1h] @ %d)", now-day+3600):        "3", // its first second is not in it
		fmt.Sprintf("count_over_time(x[1h] @ %d)", now-day+3599):        "4",
		fmt.Sprintf("increase(x[2m] @ %d)", now-day+60):                 "45",
		fmt.Sprintf(`max_over_time(x{__stat__="mean"}[30d] @ %d)`, now): "40",
	} {
		got := instant(t, q, expr, now)
		if _, v, ok := strings.Cut(got, "} "); ok {
			got = v
		}
		check(t, expr, got, want)
	}
}

// TestPicker: what storage is asked for holds all that matches.
func TestPicker(t *testing.T) {
	t.Parallel()
	db := memory.New()
	names := []string{"a", "ab", "b.c", "x*y"}
	values := []string{"", "p", "pq", "q", "q*", "."}
	for _, name := range names {
		for _, v := range values {
			for _, u := range values[:3] {
				tags := map[string]string{"t": v, "u": u}
				for k, x := range tags {
					if x == "" {
						delete(tags, k)
					}
				}
				for k, x := range tags {
					tags[k] = protocol.LabelValue(x)
				}
				put(t, db, protocol.MetricName(name), tags, 100, tsdb.Single(1))
			}
		}
	}
	patterns := []string{"", "p", "q", "q*", "p|q", "p.*", ".*q", "p|", "(p|q).?", ".+", ".*", "p*", "a|ab", "a.*", "x.y", `x\*y`, "[^q]*", "q[*]", "missing"}
	types := []labels.MatchType{labels.MatchEqual, labels.MatchNotEqual, labels.MatchRegexp, labels.MatchNotRegexp}
	e := New(Options{Storage: db})
	some := 0
	for _, name := range patterns {
		for _, nt := range types {
			if some++; some%len(patterns) >= testdeps.Rounds(len(patterns)) {
				continue
			}
			for _, v := range patterns {
				for _, vt := range types {
					ms := []*labels.Matcher{labels.MustNewMatcher(nt, "__name__", name), labels.MustNewMatcher(vt, "t", v)}
					checkPicker(t, e, db, ms)
				}
			}
		}
	}
}

func checkPicker(t *testing.T, e *Engine, db tsdb.Engine, ms []*labels.Matcher) {
	t.Helper()
	p, err := e.newPicker(t.Context(), org, ms)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for s := range db.Streams(t.Context(), org, "*", tsdb.Filter{}) {
		if s != nil && p.matchesTags(s.Tags) && p.matchesName(s.Metric) {
			want++
		}
	}
	got := 0
	set := e.Querier(org, 0, 1e9).Select(t.Context(), false, nil, ms...)
	for set.Next() {
		for it := set.At().Iterator(nil); it.Next() != 0; {
			got++
		}
	}
	if set.Err() != nil || got != want {
		t.Errorf("%v: %d streams are read, %d match: %v", ms, got, want, set.Err())
	}
}
