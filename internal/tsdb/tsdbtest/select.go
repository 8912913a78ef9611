package tsdbtest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func selectQuestions() []question {
	return []question{
		{name: "select/window is half open", ask: selectHalfOpen},
		{name: "select/steps are floored", ask: selectFloors},
		{name: "select/steps that divide nothing", ask: selectOddSteps},
		{name: "select/window within a step", ask: selectUnaligned},
		{name: "select/steps without data have no point", ask: selectGaps},
		{name: "select/nothing there", ask: selectNothing},
		{name: "select/invalid questions", ask: selectInvalid},
		{name: "select/order", ask: selectOrder},
		{name: "select/values or summaries", ask: selectFields},
		{name: "select/long stream", ask: selectLong},
	}
}

func selectHalfOpen(t *testing.T, x *exam) {
	x.write(t, v("cpu", 9, 9), v("cpu", 10, 10), v("cpu", 19, 19), v("cpu", 20, 20))
	for _, step := range []int64{1, 10, 60, hour} {
		q := tsdb.Query{Metric: "cpu", Start: 10, End: 20, Step: step, Function: tsdb.Sum}
		switch step {
		case 1:
			x.check(t, q, "cpu: 10=10 19=19")
		case 10:
			x.check(t, q, "cpu: 10=29")
		default:
			x.check(t, q, "cpu: 0=29")
		}
	}
	x.check(t, tsdb.Query{Metric: "cpu", Start: 10, End: 11, Step: 1}, "cpu: 10=10")
	x.check(t, tsdb.Query{Metric: "cpu", Start: 11, End: 19, Step: 1})
}

func selectFloors(t *testing.T, x *exam) {
	x.write(t, v("cpu", 0, 1), v("cpu", 59, 2), v("cpu", 60, 4), v("cpu", 3599, 8), v("cpu", 3600, 16), v("cpu", day-1, 32), v("cpu", day, 64))
	q := tsdb.Query{Metric: "cpu", End: 5 * day, Function: tsdb.Sum}
	for step, want := range map[int64]string{
		1:       "cpu: 0=1 59=2 60=4 3599=8 3600=16 86399=32 86400=64",
		10:      "cpu: 0=1 50=2 60=4 3590=8 3600=16 86390=32 86400=64",
		minute:  "cpu: 0=3 60=4 3540=8 3600=16 86340=32 86400=64",
		5 * 60:  "cpu: 0=7 3300=8 3600=16 86100=32 86400=64",
		hour:    "cpu: 0=15 3600=16 82800=32 86400=64",
		2 * 60:  "cpu: 0=7 3480=8 3600=16 86280=32 86400=64",
		12 * 60: "cpu: 0=7 2880=8 3600=16 85680=32 86400=64",
		day:     "cpu: 0=63 86400=64",
	} {
		q.Step = step
		x.check(t, q, want)
	}
}

// selectOddSteps asks for steps that no tier and no midnight is a multiple of.
func selectOddSteps(t *testing.T, x *exam) {
	const n = 2000
	var all []record
	for i := range int64(n) {
		all = append(all, v("cpu", i*7, float64(i)))
	}
	x.write(t, all...)
	for _, step := range []int64{7, 61, 90, 100, 1000, 3601, 7200, 604_800} {
		var want strings.Builder
		want.WriteString("cpu:")
		count, at := 0, int64(math.MinInt64)
		flush := func() {
			if count > 0 {
				fmt.Fprintf(&want, " %d=%d", at-x.base, count)
			}
		}
		for i := range int64(n) {
			if to := (x.base + i*7) / step * step; to != at {
				flush()
				at, count = to, 0
			}
			count++
		}
		flush()
		x.check(t, tsdb.Query{Metric: "cpu", End: 5 * day, Step: step, Function: tsdb.Count}, want.String())
	}
}

func selectUnaligned(t *testing.T, x *exam) {
	for i := range int64(10) {
		x.write(t, v("cpu", i*30, float64(i)))
	}
	q := tsdb.Query{Metric: "cpu", Start: 31, End: 210, Step: 60, Function: tsdb.All}
	x.check(t, q, "cpu: 60=n2/sum5/min2/max3/last3/sq0.5 120=n2/sum9/min4/max5/last5/sq0.5 180=6")
	q.Start, q.End = 30, 211
	x.check(t, q, "cpu: 0=1 60=n2/sum5/min2/max3/last3/sq0.5 120=n2/sum9/min4/max5/last5/sq0.5 180=n2/sum13/min6/max7/last7/sq0.5")
	q.Start, q.End, q.Step = 65, 125, hour
	x.check(t, q, "cpu: 0=n2/sum7/min3/max4/last4/sq0.5")
	q.Start, q.End, q.Step = 0, 271, hour
	x.check(t, q, "cpu: 0=n10/sum45/min0/max9/last9/sq82.5")
}

func selectGaps(t *testing.T, x *exam) {
	x.write(t, v("cpu", 0, 1), v("cpu", 600, 2), v("cpu", 4*day, 3))
	x.check(t, tsdb.Query{Metric: "cpu", End: 5 * day, Step: 60}, "cpu: 0=1 600=2 345600=3")
	x.check(t, tsdb.Query{Metric: "cpu", Start: 60, End: 4 * day, Step: hour}, "cpu: 0=2")
}

func selectNothing(t *testing.T, x *exam) {
	x.check(t, raw("cpu"))
	x.check(t, raw("*"))
	x.write(t, v("cpu host=a", 100, 1))
	for _, q := range []tsdb.Query{
		{Metric: "mem", End: 200},
		{Metric: "", End: 200},
		{Metric: "cp", End: 200},
		{Metric: "m*", End: 200},
		{Metric: "cpu", Start: 101, End: 200},
		{Metric: "cpu", End: 100},
		{Metric: "cpu", Start: 100, End: 100},
		{Metric: "cpu", Start: 200, End: 50},
		{Metric: "cpu", End: 200, Filter: tsdb.TagIs("host", "b")},
		{Metric: "cpu", End: 200, Filter: tsdb.TagIs("rack", "*")},
		{Metric: "cpu", End: 200, Group: true, GroupBy: []string{"rack"}},
	} {
		for _, step := range []int64{1, 60, hour} {
			q.Step = step
			x.check(t, q)
		}
	}
}

func selectInvalid(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1))
	for name, q := range map[string]tsdb.Query{
		"step 0":             {Metric: "cpu", End: 60},
		"step -1":            {Metric: "cpu", End: 60, Step: -1},
		"function":           {Metric: "cpu", End: 60, Step: 1, Function: tsdb.Distributions + 1},
		"group function":     {Metric: "cpu", End: 60, Step: 1, Group: true, GroupFunction: tsdb.GroupMerge + 1},
		"group all":          {Metric: "cpu", End: 60, Step: 1, Group: true, Function: tsdb.All},
		"merge derivative":   {Metric: "cpu", End: 60, Step: 1, Group: true, GroupFunction: tsdb.GroupMerge, Function: tsdb.Derivative},
		"quantile":           {Metric: "cpu", End: 60, Step: 1, Function: tsdb.Percentile, Quantile: 1.01},
		"quantile of a mean": {Metric: "cpu", End: 60, Step: 1, Quantile: 0.5},
		"by without":         {Metric: "cpu", End: 60, Step: 1, GroupBy: []string{"host"}},
		"not of nothing":     {Metric: "cpu", End: 60, Step: 1, Filter: tsdb.Filter{Op: tsdb.Not}},
		"unknown op":         {Metric: "cpu", End: 60, Step: 1, Filter: tsdb.Filter{Op: 99}},
		"unknown op deep":    {Metric: "cpu", End: 60, Step: 1, Filter: tsdb.AllOf(tsdb.AnyOf(tsdb.Filter{Op: 99}))},
	} {
		steps := 0
		for s, err := range x.Select(t.Context(), us, x.query(q)) {
			steps++
			wantKind(t, name, err, tidemark.Invalid)
			if s != nil {
				t.Errorf("%s: got a series with the error", name)
			}
		}
		if steps != 1 {
			t.Errorf("%s: sequence of %d, want one error", name, steps)
		}
	}
	for _, err := range x.Streams(t.Context(), us, "*", tsdb.Filter{Op: tsdb.Not}) {
		wantKind(t, "Streams", err, tidemark.Invalid)
	}
}

func selectOrder(t *testing.T, x *exam) {
	x.write(t,
		v("b a=1", 0, 1), v("a b=2", 0, 1), v("a a=2", 0, 1), v("a a=10", 0, 1), v("a", 0, 1), v("a.b", 0, 1), v("a-b", 0, 1),
		v("a a=10 b=1", 0, 1), v("a a=1 c=1", 0, 1), v("ab", 0, 1), v("a:", 0, 1), v("a @h=1", 0, 1), v("a a=1", 0, 1))
	x.write(t, v("a a=1.5", 0, 1), v("a a=1/5", 0, 1))
	x.check(t, tsdb.Query{Metric: "*", End: 60, Step: 60},
		"a: 0=1", "a @h=1: 0=1", "a a=1: 0=1", "a a=1 c=1: 0=1", "a a=1.5: 0=1", "a a=1/5: 0=1", "a a=10: 0=1", "a a=10 b=1: 0=1", "a a=2: 0=1", "a b=2: 0=1",
		"a-b: 0=1", "a.b: 0=1", "a:: 0=1", "ab: 0=1", "b a=1: 0=1")
}

func selectFields(t *testing.T, x *exam) {
	x.write(t, v("cpu", 0, 1))
	for f := tsdb.Mean; f <= tsdb.All; f++ {
		for _, s := range x.collect(t, us, x.query(tsdb.Query{Metric: "cpu", End: 60, Step: 60, Function: f})) {
			if all := f == tsdb.All; (s.Summaries != nil) != all || (s.Values != nil) == all {
				t.Errorf("function %d: got %+v", f, s)
			}
			if len(s.Values)+len(s.Summaries) != len(s.Times) {
				t.Errorf("function %d: %d times, %d values, %d summaries", f, len(s.Times), len(s.Values), len(s.Summaries))
			}
		}
	}
}

// selectLong reads a stream of many chunks, whole and in parts.
func selectLong(t *testing.T, x *exam) {
	const n = 20_000
	b := x.batch()
	for i := range int64(n) {
		b.AddKey(key("cpu"), x.base+i*20, tsdb.Single(float64(i%1000)/100))
		if b.Len() == 5000 {
			if err := x.Write(t.Context(), us, b); err != nil {
				t.Fatal(err)
			}
			b.Reset()
		}
	}
	for _, w := range [][2]int64{{0, n}, {1, n - 1}, {4999, 5001}, {12_345, 12_346}, {2047, 2050}, {n - 1, n}} {
		s := x.collect(t, us, x.query(tsdb.Query{Metric: "cpu", Start: w[0] * 20, End: w[1] * 20, Step: 1}))
		if len(s) != 1 || int64(len(s[0].Times)) != w[1]-w[0] {
			t.Fatalf("window %v: got %v", w, s)
		}
		for k, at := range s[0].Times {
			i := w[0] + int64(k)
			if at != x.base+i*20 || s[0].Values[k] != float64(i%1000)/100 {
				t.Fatalf("window %v: point %d is %d %v", w, k, at-x.base, s[0].Values[k])
			}
		}
	}
	x.check(t, tsdb.Query{Metric: "cpu", End: n * 20, Step: 5 * day, Function: tsdb.Count}, selectLongWant(x))
}

// selectLongWant counts the records of selectLong by steps of five days.
func selectLongWant(x *exam) string {
	line := "cpu:"
	for from := int64(0); from < 20_000*20; {
		at := (x.base+from)/(5*day)*(5*day) - x.base
		to := min(at+5*day, 20_000*20)
		line += fmt.Sprintf(" %d=%d", at, (to+19)/20-(from+19)/20)
		from = to
	}
	return line
}
