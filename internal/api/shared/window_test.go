package shared

import (
	"errors"
	"maps"
	"math"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const now = 1_700_000_000

func fixed() *Base {
	return &Base{Options: Options{Now: func() time.Time { return time.Unix(now, 0) }}}
}

// TestReadWindow: a start and an end, either of them with a duration, or a
// duration up to now.
func TestReadWindow(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][3]int64{
		"duration=60&resolution=1":                       {now - 60, now, 1},
		"start_time=100&resolution=60":                   {100, now, 60},
		"start_time=100&end_time=200&resolution=604800":  {100, 200, 604800},
		"start_time=100&duration=50&resolution=1":        {100, 150, 1},
		"end_time=200&duration=50&resolution=1":          {150, 200, 1},
		"end_time=20&duration=50&resolution=1":           {0, 20, 1},
		"start_time=100&end_time=100&resolution=1":       {100, 100, 1},
		"start_time=100.7&end_time=200.2&resolution=1.5": {100, 200, 1},
	} {
		q, _ := url.ParseQuery(text)
		var p tidemark.Problems
		start, end, resolution := fixed().ReadWindow(&p, q)
		if got := [3]int64{start, end, resolution}; got != want || p.Err() != nil {
			t.Errorf("%s: %v, %v, want %v", text, got, p.Err(), want)
		}
	}
	for text, fields := range map[string]string{
		"":                              "resolution start_time",
		"duration=60":                   "resolution",
		"duration=60&resolution=0":      "resolution",
		"duration=60&resolution=604801": "resolution",
		"duration=-1&resolution=1":      "duration start_time",
		"duration=x&resolution=1":       "duration",
		"start_time=200&end_time=100&resolution=1":            "start_time",
		"start_time=1&end_time=2&duration=3&resolution=1":     "duration",
		"start_time=1e400&resolution=1":                       "start_time",
		"start_time=1700000000000&end_time=2000&resolution=1": "start_time",
	} {
		q, _ := url.ParseQuery(text)
		var p tidemark.Problems
		fixed().ReadWindow(&p, q)
		e, _ := errors.AsType[*tidemark.Error](p.Err())
		if e == nil || strings.Join(slices.Sorted(maps.Keys(e.Fields)), " ") != fields {
			t.Errorf("%q: %v, want problems of %s", text, p.Err(), fields)
		}
	}
}

func TestReadAuditQuery(t *testing.T) {
	t.Parallel()
	read := func(text string) (tidemark.AuditQuery, error) {
		return ReadAuditQuery(httptest.NewRequest("GET", "/?"+text, nil), 50)
	}
	got, err := read("actor=user:ann&thing=alert&since=5&before=9&q=disk&from=10.0.0.1")
	if want := (tidemark.AuditQuery{Actor: "user:ann", Object: "alert", Since: 5, Before: 9, Text: "disk", From: "10.0.0.1", Length: 50}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for text, field := range map[string]string{
		"length=0": "length", "length=101": "length", "length=-5": "length", "before=-1": "before", "since=x": "since", "q=" + strings.Repeat("x", 256): "q", "actor=%00": "actor",
	} {
		_, err := read(text)
		if e, _ := errors.AsType[*tidemark.Error](err); e == nil || len(e.Fields) != 1 || e.Fields[field] == nil {
			t.Errorf("%.20s: %v, want a problem of %s", text, err, field)
		}
	}
}

// TestChartQueries: what is not drawn is not asked for, and what is said of
// groups becomes the query's.
func TestChartQueries(t *testing.T) {
	t.Parallel()
	yes, breakout, sum, p99, empty := true, "breakout", "sum", "p99", ""
	c := &tidemark.Chart{Streams: []tidemark.ChartStream{
		{Metric: "cpu"}, {Metric: "deploys", Type: "annotation"}, {Metric: "off", Hidden: &yes}, {Composite: `s("a", {})`},
		{Metric: "mem", GroupFunction: &breakout, SummaryFunction: &p99, Tags: []tidemark.TagFilter{{Name: "host", Grouped: &yes}, {Name: "zone"}}},
		{Metric: "net", GroupFunction: &sum}, {Metric: "io", GroupFunction: &empty},
	}}
	want := []OneQuery{
		{ID: "0", Metric: "cpu", GroupFunction: "mean"}, {ID: "3", Composite: `s("a", {})`},
		{ID: "4", Metric: "mem", Summary: "p99", Tags: c.Streams[4].Tags, GroupBy: []string{"host"}},
		{ID: "5", Metric: "net", GroupFunction: "sum"}, {ID: "6", Metric: "io", GroupFunction: "mean"},
	}
	if d := cmp.Diff(want, ChartQueries(c)); d != "" {
		t.Error(d)
	}
}

// TestCollect: what JSON has no numbers for is left out, lines beyond the
// limit are counted and not sent, and an error ends it.
func TestCollect(t *testing.T) {
	t.Parallel()
	hold, err := query.New(query.Options{Engine: memory.New()}).Hold(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Release()
	one := &tsdb.Series{Metric: "cpu", Times: []int64{1, 2, 3, 4}, Values: []float64{1, math.NaN(), math.Inf(1), 4}}
	res := &OneResult{}
	err = collect(func(yield func(*tsdb.Series, error) bool) {
		for range maxLines + 5 {
			if !yield(one, nil) {
				return
			}
		}
	}, res, hold)
	if err != nil || len(res.Series) != maxLines || res.Streams != maxLines+5 {
		t.Fatalf("%d lines of %d streams, %v", len(res.Series), res.Streams, err)
	}
	if line := res.Series[0]; !slices.Equal(line.Times, []int64{1, 4}) || !slices.Equal(line.Values, []float64{1, 4}) || line.Tags == nil {
		t.Errorf("line %+v", line)
	}
	broken := errors.New("disk")
	if err := collect(func(yield func(*tsdb.Series, error) bool) { yield(nil, broken) }, res, hold); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestQueryErrors: what is wrong with an expression comes with where it is.
func TestQueryErrors(t *testing.T) {
	t.Parallel()
	_, err := query.Parse(`sum(s("cpu", {}`)
	if got := FailedQuery(err); got.Message == "" || got.Offset == 0 {
		t.Errorf("got %+v of %v", got, err)
	}
	if got := FailedQuery(errors.New("away")); got.Message != "away" || got.Offset != 0 {
		t.Errorf("got %+v", got)
	}
	if mean("average") != "mean" || mean("sum") != "sum" || !slices.Equal(plainNames([]string{"a", "b*", "*"}), []string{"a"}) {
		t.Error("names of functions or metrics are wrong")
	}
	if got := TextsOf([]any{"a", []any{"b", 5}, nil}); !slices.Equal(got, []string{"a", "b"}) || TextsOf(nil) != nil || TextsOf("x")[0] != "x" {
		t.Errorf("got %v", got)
	}
}

// TestTooMuch: whoever records too much hears when to try again, in whole
// seconds, never at once.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	e, ok := errors.AsType[*rest.WireError](LimitError(time.Unix(now, 0), &ingest.LimitError{RetryAfter: 1500 * time.Millisecond, Err: errors.New("too many")}))
	if !ok || e.Status != 429 || e.Header["Retry-After"] != "2" || e.Says != "too many" {
		t.Errorf("got %+v", e)
	}
	if e, _ := errors.AsType[*rest.WireError](LimitError(time.Unix(now, 0), &ingest.LimitError{Err: errors.New("x")})); e.Header["Retry-After"] != "1" {
		t.Errorf("without a time: %v", e.Header)
	}
}
