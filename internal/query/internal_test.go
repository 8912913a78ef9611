package query

import (
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestAccumulator folds random series, and compares with folding all values of
// each time at once.
func TestAccumulator(t *testing.T) {
	t.Parallel()
	folds := map[string]*fold{"sum": foldSum, "mean": foldMean, "min": foldMin, "max": foldMax, "multiply": foldMultiply}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(folds))).Draw(t, "fold")
		count := rapid.IntRange(1, 12).Draw(t, "series")
		acc := newAccumulator(folds[name])
		values := map[int64][]float64{}
		held, points := 0, 0
		for range count {
			times := rapid.SliceOfNDistinct(rapid.Int64Range(0, 30), 0, 20, rapid.ID).Draw(t, "times")
			slices.Sort(times)
			row := make([]float64, len(times))
			for i, at := range times {
				row[i] = float64(rapid.IntRange(-4, 4).Draw(t, "value")) // exact in any order
				values[at] = append(values[at], row[i])
			}
			held += acc.add(&Series{}, times, row)
			points += len(times)
		}
		if held > points {
			t.Fatalf("holds %d of %d points", held, points)
		}
		got := acc.finish()
		want := map[int64]float64{}
		for at, column := range values {
			if v, ok := model(name, column, count); ok {
				want[at] = v
			}
		}
		have := map[int64]float64{}
		for i, at := range got.Times {
			have[at] = got.Values[i]
		}
		if !slices.IsSorted(got.Times) || len(have) != len(got.Times) {
			t.Fatalf("times %v are not ascending", got.Times)
		}
		if d := cmp.Diff(want, have); d != "" {
			t.Fatal(d)
		}
	})
}

// model is what a fold means.
func model(name string, column []float64, series int) (float64, bool) {
	product := 1.0
	for _, v := range column {
		product *= v
	}
	switch name {
	case "sum":
		return sumOf(column), true
	case "mean":
		return meanOf(column), true
	case "min":
		return slices.Min(column), true
	case "max":
		return slices.Max(column), true
	}
	return product, len(column) == series
}

// TestEachTime compares the quick way for equal times with the other.
func TestEachTime(t *testing.T) {
	t.Parallel()
	in := []*Series{
		{Times: []int64{0, 60, 120}, Values: []float64{1, 2, 3}},
		{Times: []int64{60, 180}, Values: []float64{4, 5}},
		{Times: []int64{60}, Values: []float64{6}},
	}
	got := map[int64][]cell{}
	eachTime(in, func(at int64, column []cell) { got[at] = slices.Clone(column) })
	want := map[int64][]cell{
		0: {{1, 0, 0}}, 60: {{2, 0, 1}, {4, 1, 0}, {6, 2, 0}}, 120: {{3, 0, 2}}, 180: {{5, 1, 1}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(cell{})); d != "" {
		t.Error(d)
	}
	eachTime(nil, func(int64, []cell) { t.Error("a time of nothing") })
}

func TestFit(t *testing.T) {
	t.Parallel()
	const day, now = 86400, 1000 * 86400
	tiers := []tsdb.Tier{{Window: 1, Retention: 8 * day}, {Window: 60, Retention: 62 * day}, {Window: 3600, Retention: 900 * day}}
	tests := []struct {
		name             string
		start, end, step int64 // start and end before now
		wantStart        int64 // as it is if nothing is widened
		wantEnd          int64
		fails            bool
	}{
		{name: "raw, recent", start: day, end: 0, step: 1, wantStart: day, wantEnd: 0},
		{name: "raw, to the second", start: 8 * day, end: 7, step: 7, wantStart: 8 * day, wantEnd: 7},
		{name: "raw, too old", start: 8*day + 1, end: 0, step: 1, fails: true},
		{name: "no whole windows", start: 9 * day, end: 0, step: 90, fails: true},
		{name: "windows", start: 9*day + 1, end: 31, step: 60, wantStart: 9*day + 60, wantEnd: 0},
		{name: "several windows", start: 9 * day, end: 60, step: 300, wantStart: 9 * day, wantEnd: 60},
		{name: "windows too old", start: 63 * day, end: 62 * day, step: 60, fails: true},
		{name: "hours", start: 63*day + 5, end: 62 * day, step: 7200, wantStart: 63*day + 3600, wantEnd: 62 * day},
		{name: "older than anything kept", start: 999 * day, end: 0, step: 3600, wantStart: 999 * day, wantEnd: 0},
		{name: "older than anything kept, finer", start: 999 * day, end: 0, step: 60, fails: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			q := tsdb.Query{Start: now - tt.start, End: now - tt.end, Step: tt.step}
			err := fit(tiers, now, &q)
			if tt.fails != errors.Is(err, ErrResolution) || !tt.fails && err != nil {
				t.Fatalf("err = %v", err)
			}
			if !tt.fails && (q.Start != now-tt.wantStart || q.End != now-tt.wantEnd) {
				t.Errorf("window is %d to %d before now, want %d to %d", now-q.Start, now-q.End, tt.wantStart, tt.wantEnd)
			}
		})
	}
	if err := fit(nil, now, &tsdb.Query{Step: 1}); err != nil {
		t.Errorf("an engine without tiers: %v", err)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"sum", "subtract", "scale", "moving_average", "s", "top"}
	f := func(in, want string) {
		t.Helper()
		if got := nearest(in, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
	f("smu", "sum")
	f("sums", "sum")
	f("substract", "subtract")
	f("moving", "moving_average")
	f("Scale", "scale")
	f("x", "")
	f("nothing_like_it", "")
	f("", "")
	f("qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", "")
}

func TestFloorTo(t *testing.T) {
	t.Parallel()
	f := func(v, step, want int64) {
		t.Helper()
		if got := floorTo(v, step); got != want {
			t.Errorf("floorTo(%d, %d) = %d, want %d", v, step, got, want)
		}
	}
	f(0, 60, 0)
	f(59, 60, 0)
	f(60, 60, 60)
	f(-1, 60, -60)
	f(-60, 60, -60)
}

func TestFinite(t *testing.T) {
	t.Parallel()
	times := []int64{1, 2, 3, 4}
	s := finite(&Series{Times: times, Values: []float64{1, math.NaN(), math.Inf(1), 4}})
	if !slices.Equal(s.Times, []int64{1, 4}) || !slices.Equal(s.Values, []float64{1, 4}) {
		t.Errorf("got %v %v", s.Times, s.Values)
	}
	if !slices.Equal(times, []int64{1, 2, 3, 4}) {
		t.Errorf("wrote to shared times: %v", times)
	}
}
