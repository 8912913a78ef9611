package clickhouse_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestFill fills an engine with hours and records, which then lives on: it
// makes the hours of the records, and leaves those that it was given alone.
func TestFill(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.RawRetention, o.HourRetention = 3*24*time.Hour, 400*24*time.Hour
	const base = 1_790_000_000 / day * day
	o.Now = func() time.Time { return time.Unix(base+3*day-1800, 0) }
	e, ctx := open(t, o), t.Context()
	if empty, err := e.Empty(ctx); err != nil || !empty {
		t.Fatalf("a new engine is empty: %v, %v", empty, err)
	}
	if err := e.BeginFill(ctx, base+1); err == nil {
		t.Error("filled from the middle of a day")
	}
	if err := e.BeginFill(ctx, base); err != nil {
		t.Fatal(err)
	}
	key := tsdb.AppendKey(nil, "latency", nil)
	want := make(map[int64]tsdb.Summary)
	put := func(b *tsdb.Batch, at int64, v float64) {
		s := tsdb.Summary{Count: 3, Sum: v, Min: v / 8, Max: v, Last: v / 2, M2: v * 2}
		var k sketch.Sketch
		k.Add(v, 2)
		b.AddDistribution(key, at, s, k.AppendBinary(nil))
		want[at] = s
	}
	for range 2 { // the second replaces the first
		hours, records := tsdb.Batch{Merged: true}, tsdb.Batch{Merged: true}
		for i := range int64(48) {
			put(&hours, base-(i+1)*hour, float64(i+1)*1.1)
			put(&records, base+i*hour, float64(i+1)*1.7)
		}
		if err := e.WriteHours(ctx, org, &hours); err != nil {
			t.Fatal(err)
		}
		if err := e.Write(ctx, org, &records); err != nil {
			t.Fatal(err)
		}
	}
	read := func(what string) {
		t.Helper()
		got, sketches := make(map[int64]tsdb.Summary), 0
		q := &tsdb.Query{Metric: "latency", Start: base - 3*day, End: base + 3*day, Step: hour, Function: tsdb.Distributions}
		for s, err := range e.Select(ctx, org, q) {
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range s.Times {
				got[at] = s.Summaries[i]
				if k := s.SketchAt(i); k != nil && k.Count() == 2 {
					sketches++
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || sketches != len(want) {
			t.Errorf("%s: %d sketches (-want +got):\n%s", what, sketches, diff)
		}
	}
	read("filled")
	if err := e.EndFill(ctx); err != nil {
		t.Fatal(err)
	}
	if empty, err := e.Empty(ctx); err != nil || empty {
		t.Errorf("it is empty: %v, %v", empty, err)
	}
	arrivals, err := e.Arrivals(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = arrivals.Fetch(ctx, map[tidemark.OrgID][]string{org: {"latency"}}, func(_ tidemark.OrgID, b *tsdb.Batch) {
		t.Errorf("%d records that were filled in arrive", b.Len())
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Upkeep(ctx); err != nil {
		t.Fatal(err)
	}
	read("after upkeep")
}

// TestFillRefuses: hours are starts of hours, and before the records.
func TestFillRefuses(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	o, _ := fakeOptions(f)
	e := open(t, o)
	if err := e.BeginFill(t.Context(), 10*day); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int64{9*day + 1, 10 * day} {
		var b tsdb.Batch
		b.Add("cpu", nil, at, 1)
		if err := e.WriteHours(t.Context(), org, &b); err == nil || !strings.Contains(err.Error(), "is not the start of an hour before 864000") {
			t.Errorf("time %d: %v", at, err)
		}
	}
}

// TestFillSingles: hours of a single value each are hours as others are.
func TestFillSingles(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	if err := e.BeginFill(t.Context(), 10*86400); err != nil {
		t.Fatal(err)
	}
	if err := e.WriteHours(t.Context(), org, one("cpu", "a", 7200, 3)); err != nil {
		t.Fatal(err)
	}
	wantCells(t, inserted(t, f.take("INTO hours")[0]), map[string]string{"t": "7200", "v": "3", "n": "1", "s": "3", "mi": "3", "ma": "3", "sk": ""})
}
