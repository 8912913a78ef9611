package promql

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	prom "github.com/prometheus/prometheus/promql"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const org = tidemark.OrgID(3)

// put writes one summary.
func put(t testing.TB, e tsdb.Engine, metric string, tags map[string]string, second int64, s tsdb.Summary) {
	t.Helper()
	var b tsdb.Batch
	b.AddKey(tsdb.AppendKey(nil, metric, tidemark.MakeTags(tags)), second, s)
	if err := e.Write(context.Background(), org, &b); err != nil {
		t.Fatal(err)
	}
}

// instant evaluates expr at a second and returns the result as text.
func instant(t testing.TB, e *Engine, expr string, second int64, o ...QueryOptions) string {
	t.Helper()
	q, err := e.Instant(t.Context(), org, expr, time.Unix(second, 0), append(o, QueryOptions{})[0])
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	defer q.Close()
	return text(q.Exec(t.Context()))
}

// text writes a result in one line: labels and value, or points.
func text(r *prom.Result) string {
	if r.Err != nil {
		return "error: " + r.Err.Error()
	}
	var parts []string
	switch v := r.Value.(type) {
	case prom.Vector:
		for _, s := range v {
			parts = append(parts, fmt.Sprintf("%s %v", s.Metric, s.F))
		}
	case prom.Matrix:
		for _, s := range v {
			line := s.Metric.String()
			for _, p := range s.Floats {
				line += fmt.Sprintf(" %v@%v", p.F, float64(p.T)/1000)
			}
			parts = append(parts, line)
		}
	default:
		return v.String()
	}
	return strings.Join(parts, "; ")
}

func check(t testing.TB, expr, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant\n%s", expr, got, want)
	}
}

func TestStat(t *testing.T) {
	t.Parallel()
	db := memory.New()
	put(t, db, "x", nil, 100, tsdb.Summary{Count: 4, Sum: 20, Min: 2, Max: 9, Last: 7, M2: 36})
	e := New(Options{Storage: db})
	for stat, want := range map[string]string{"": "5", "mean": "5", "sum": "20", "count": "4", "min": "2", "max": "9", "last": "7", "stddev": "3", "MAX": "9"} {
		expr := "x"
		if stat != "" {
			expr = fmt.Sprintf("x{__stat__=%q}", stat)
		}
		check(t, expr, instant(t, e, expr, 100), `{__name__="x"} `+want)
	}
	check(t, "binary", instant(t, e, `x{__stat__="max"} - x{__stat__="min"}`, 100), "{} 7")
	check(t, "absent", instant(t, e, `absent(y{a="1",__stat__="min"})`, 100), `{a="1"} 1`)
	check(t, "subquery", instant(t, e, `max_over_time(x{__stat__="sum"}[1m:10s])`, 100), "{} 20")
	for _, expr := range []string{`x{__stat__="median"}`, `x{__stat__!="max"}`, `x{__stat__="max",__stat__="min"}`, `{__stat__="max"}`} {
		if _, err := e.Instant(t.Context(), org, expr, time.Unix(1, 0), QueryOptions{}); err == nil {
			t.Errorf("%s is accepted", expr)
		}
	}
}

// TestCounters: the functions of counters read the last value of a summary,
// because the mean of a counter means little.
func TestCounters(t *testing.T) {
	t.Parallel()
	db := memory.New()
	for i := range int64(4) {
		put(t, db, "c_total", nil, 60*i, tsdb.Summary{Count: 2, Sum: 2 * float64(10*i), Min: 0, Max: 100, Last: float64(20 * i)})
	}
	e := New(Options{Storage: db})
	check(t, "increase", instant(t, e, `increase(c_total[3m])`, 180), "{} 60")
	check(t, "increase of means", instant(t, e, `increase(c_total{__stat__="mean"}[3m])`, 180), "{} 30")
	check(t, "delta", instant(t, e, `delta(c_total[3m])`, 180), "{} 30")
}

func TestLookBack(t *testing.T) {
	t.Parallel()
	db := memory.New()
	for _, name := range []string{"fast", "slow", "daily"} {
		put(t, db, name, nil, 100_000, tsdb.Single(1))
	}
	asked := 0
	e := New(Options{Storage: db, Periods: func(_ context.Context, o tidemark.OrgID, names []string) (map[string]int64, error) {
		if asked++; o != org {
			return nil, errors.New("another organization")
		}
		return map[string]int64{"fast": 10, "slow": 200, "daily": 86400}, nil
	}})
	for name, lasts := range map[string]int64{"fast": 300, "slow": 400, "daily": 2 * 86400} {
		there := fmt.Sprintf("{__name__=%q} 1", name)
		check(t, name, instant(t, e, name, 99_999), "")
		check(t, name, instant(t, e, name, 100_000), there)
		check(t, name, instant(t, e, name, 100_000+lasts-1), there)
		check(t, name, instant(t, e, name, 100_000+lasts), "")
	}
	check(t, "all at once", instant(t, e, `count({__name__=~"fast|slow|daily"})`, 100_350), "{} 2")
	check(t, "query's own", instant(t, e, "fast", 100_999, QueryOptions{LookBack: 1000 * time.Second}), `{__name__="fast"} 1`)
	check(t, "query's own", instant(t, e, "daily", 100_010, QueryOptions{LookBack: 10 * time.Second}), "")
	check(t, "subquery", instant(t, e, `count_over_time(slow[20m:1m])`, 101_000), "{} 7")
	if asked == 0 {
		t.Error("periods were not asked for")
	}
	e = New(Options{Storage: db, Periods: func(context.Context, tidemark.OrgID, []string) (map[string]int64, error) {
		return nil, errors.New("no periods")
	}})
	check(t, "failure", instant(t, e, "fast", 100_000), "error: expanding series: no periods")
}

// TestGaps: a sample that has ended does not come back between others.
func TestGaps(t *testing.T) {
	t.Parallel()
	db := memory.New()
	for _, s := range []int64{1000, 1060, 5000} {
		put(t, db, "x", nil, s, tsdb.Single(float64(s)))
	}
	e := New(Options{Storage: db})
	q, err := e.Range(t.Context(), org, "x", time.Unix(1000, 0), time.Unix(5400, 0), 100*time.Second, QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, "range", text(q.Exec(t.Context())), `{__name__="x"} 1000@1000 1060@1100 1060@1200 1060@1300 5000@5000 5000@5100 5000@5200`)
}

// TestCase: names and values are compared as they were sent, also in groups.
func TestCase(t *testing.T) {
	t.Parallel()
	db := newRecorded()
	for _, labels := range []map[string]string{
		{"__name__": "HTTP.requests", "Host": "Web-1", "le": "+Inf"}, {"__name__": "HTTP.requests", "Host": "Web-2"},
	} {
		if err := db.record(labels); err != nil {
			t.Fatal(err)
		}
	}
	e := db.engine()
	one, two := `{Host="Web-1", __name__="HTTP.requests", le="+Inf"} 1`, `{Host="Web-2", __name__="HTTP.requests"} 1`
	for expr, want := range map[string]string{
		`{"HTTP.requests",Host="Web-1"}`:                        one,
		`{"http.requests",Host="Web-1"}`:                        ``,
		`{"HTTP.requests",Host="web-1"}`:                        ``,
		`{"HTTP.requests",host="Web-1"}`:                        ``,
		`{"HTTP.requests",Host=~"Web-[2-9]"}`:                   two,
		`{"HTTP.requests",Host=~"WEB-[2-9]"}`:                   ``,
		`{__name__=~"HTTP.*",Host=~"Web-2|web-1"}`:              two,
		`{"HTTP.requests",Host!~"Web-1|web-2"}`:                 two,
		`{"HTTP.requests",host!="Web-1",le="+Inf"}`:             one,
		`sum by (Host) ({"HTTP.requests",le=""})`:               `{Host="Web-2"} 1`,
		`sum by (host) ({"HTTP.requests"})`:                     `{} 2`,
		`{"HTTP.requests",le=""} + on (Host) {"HTTP.requests"}`: `{Host="Web-2"} 2`,
		`count({"HTTP.requests",Host!="WEB-1"})`:                `{} 2`,
		`absent({"http.requests",Host="Web-1"})`:                `{Host="Web-1"} 1`,
	} {
		check(t, expr, instant(t, e, expr, 100), want)
	}
}

func TestTenants(t *testing.T) {
	t.Parallel()
	db := memory.New()
	put(t, db, "x", nil, 100, tsdb.Single(1))
	e := New(Options{Storage: db})
	for _, expr := range []string{"x", `{__name__=~".+"}`, "count_over_time(x[1m])"} {
		q, err := e.Instant(t.Context(), org+1, expr, time.Unix(100, 0), QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		check(t, expr, text(q.Exec(t.Context())), "")
		q.Close()
	}
}

// watched counts what a storage is asked, and how many answers are open.
type watched struct {
	tsdb.Reader
	queries []tsdb.Query
	open    int
	each    func()
}

func (w *watched) Select(ctx context.Context, o tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		w.queries = append(w.queries, *q)
		w.open++
		defer func() { w.open-- }()
		for s, err := range w.Reader.Select(ctx, o, q) {
			if w.each != nil {
				w.each()
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

func hosts(t testing.TB, db tsdb.Engine, metric string, n int, seconds ...int64) {
	for i := range n {
		for _, s := range seconds {
			put(t, db, metric, map[string]string{"host": fmt.Sprintf("h%02d", i), "zone": fmt.Sprintf("z%d", i%3)}, s, tsdb.Single(float64(i)))
		}
	}
}

// TestReadsOnce: all series of a selector are read by one question, what is
// not needed is not read, and nothing stays open.
func TestReadsOnce(t *testing.T) {
	t.Parallel()
	db := memory.New()
	hosts(t, db, "x", 40, 100, 160)
	hosts(t, db, "y", 40, 100, 160)
	for expr, want := range map[string][]string{
		"sum(x)":                                        {"x"},
		"sum(rate(x[5m])) + sum(x)":                     {"x", "x"},
		`sum({__name__=~"x|y"})`:                        {"x", "y"},
		`sum({__name__=~".+"})`:                         {"*"},
		`sum({__name__=~".+",host="h01"})`:              {"*"},
		`sum({__name__=~".*y",host="h01"})`:             {"*"},
		`sum(x{host="nobody"})`:                         nil,
		`sum(x offset 1h)`:                              nil, // before 1970
		`topk(1, x) and x{host="h01"} or x{host="h02"}`: {"x", "x", "x"},
		`timestamp(x)`:                                  {"x"},
		`max_over_time(rate(x[5m])[5m:1m])`:             {"x"},
	} {
		w := &watched{Reader: db}
		instant(t, New(Options{Storage: w}), expr, 200)
		var got []string
		for _, q := range w.queries {
			got = append(got, q.Metric)
		}
		if strings.Join(got, ",") != strings.Join(want, ",") || w.open != 0 {
			t.Errorf("%s reads %v, want %v; %d stay open", expr, got, want, w.open)
		}
	}
}

// TestFilter: patterns that an engine cannot look up become lists of values.
func TestFilter(t *testing.T) {
	t.Parallel()
	db := memory.New()
	hosts(t, db, "x", 40, 100)
	w := &watched{Reader: db}
	seen := 0
	w.each = func() { seen++ }
	check(t, "regex", instant(t, New(Options{Storage: w}), `count(x{host=~".*7"})`, 100), "{} 4")
	if seen != 4 {
		t.Errorf("%d series were read for 4", seen)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	db := memory.New()
	hosts(t, db, "x", 40, 100)
	w := &watched{Reader: db}
	ctx, cancel := context.WithCancel(t.Context())
	w.each = cancel
	e := New(Options{Storage: w})
	q, err := e.Instant(ctx, org, "sum(x)", time.Unix(100, 0), QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	res := q.Exec(ctx)
	if _, gone := errors.AsType[prom.ErrQueryCanceled](res.Err); !gone && !errors.Is(res.Err, context.Canceled) || w.open != 0 {
		t.Errorf("%v; %d stay open", res.Err, w.open)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	db := memory.New()
	hosts(t, db, "x", 2, 100)
	w := &watched{Reader: db}
	e := New(Options{Storage: w, Timeout: time.Nanosecond})
	q, err := e.Instant(t.Context(), org, "sum(x)", time.Unix(100, 0), QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	res := q.Exec(t.Context())
	if _, late := errors.AsType[prom.ErrQueryTimeout](res.Err); !late && !errors.Is(res.Err, context.DeadlineExceeded) || w.open != 0 {
		t.Errorf("%v; %d stay open", res.Err, w.open)
	}
}

// TestMaxSamples: what is held counts, not what is read.
func TestMaxSamples(t *testing.T) {
	t.Parallel()
	db := memory.New()
	hosts(t, db, "x", 50, 100, 110, 120, 130, 140)
	e := New(Options{Storage: db, MaxSamples: 100})
	check(t, "250 samples, 5 at a time", instant(t, e, "sum(count_over_time(x[5m]))", 200), "{} 250")
	if got := instant(t, e, "x[5m]", 200); !strings.Contains(got, "too many samples") {
		t.Error("all of them at once:", got)
	}
	if got := instant(t, e, "timestamp(x)", 200); !strings.HasPrefix(got, "{host=") {
		t.Error(got)
	}
}

// TestGate: as many queries as allowed run, others wait and can give up.
func TestGate(t *testing.T) {
	t.Parallel()
	db := memory.New()
	hosts(t, db, "x", 2, 100)
	w := &watched{Reader: db}
	e := New(Options{Storage: w, Concurrent: 1})
	inside := 0
	w.each = func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := e.Instant(ctx, org, "1", time.Unix(1, 0), QueryOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a second query: %v", err)
		}
		inside++
	}
	check(t, "first", instant(t, e, "sum(x)", 100), "{} 1")
	check(t, "after it", instant(t, e, "count(x)", 100), "{} 2")
	if inside == 0 {
		t.Error("nothing was read")
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	db := memory.New()
	hosts(t, db, "x", 4, 100)
	hosts(t, db, "y", 2, 1000)
	q := New(Options{Storage: db}).Querier(org, 500_001, 2_000_000)
	names, _, err := q.LabelNames(t.Context(), nil)
	check(t, "names", fmt.Sprint(names, err), "[__name__ host zone] <nil>")
	values, _, err := q.LabelValues(t.Context(), "__name__", nil)
	check(t, "metrics", fmt.Sprint(values, err), "[y] <nil>")
	values, _, err = q.LabelValues(t.Context(), "host", nil, labels.MustNewMatcher(labels.MatchNotEqual, "zone", "z0"))
	check(t, "values", fmt.Sprint(values, err), "[h01] <nil>")
}
