package tsdbtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func functionQuestions() []question {
	return []question{
		{name: "function/each of them", ask: functionEach},
		{name: "function/of summaries", ask: functionSummaries},
		{name: "function/last is by time", ask: functionLast},
		{name: "function/derivative", ask: functionDerivative},
		{name: "function/deviation of large numbers", ask: functionDeviation},
		{name: "function/decimal sums", ask: functionDecimals},
	}
}

func functionEach(t *testing.T, x *exam) {
	x.write(t, v("cpu", 0, 2), v("cpu", 10, 4), v("cpu", 20, 4), v("cpu", 30, 5), v("cpu", 60, 7), v("cpu", 120, -3))
	for f, want := range map[tsdb.Function]string{
		tsdb.Mean:       "cpu: 0=3.75 60=7 120=-3",
		tsdb.Sum:        "cpu: 0=15 60=7 120=-3",
		tsdb.Count:      "cpu: 0=4 60=1 120=1",
		tsdb.Min:        "cpu: 0=2 60=7 120=-3",
		tsdb.Max:        "cpu: 0=5 60=7 120=-3",
		tsdb.Last:       "cpu: 0=5 60=7 120=-3",
		tsdb.StdDev:     "cpu: 0=1.08972473589 60=0 120=0",
		tsdb.Derivative: "cpu: 60=2 120=-10",
		tsdb.All:        "cpu: 0=n4/sum15/min2/max5/last5/sq4.75 60=7 120=-3",
	} {
		x.check(t, tsdb.Query{Metric: "cpu", End: 180, Step: 60, Function: f}, want)
	}
}

func functionSummaries(t *testing.T, x *exam) {
	x.write(t,
		sum("lat", 0, tsdb.Summary{Count: 2, Sum: 4, Min: 1, Max: 3, Last: 1, M2: 2}),
		v("lat", 1, 8),
		sum("lat", 2, tsdb.Summary{Count: 3, Sum: 9, Min: 2, Max: 4, Last: 2, M2: 2}))
	// 1 3 8 2 3 4: mean 3.5
	for f, want := range map[tsdb.Function]string{
		tsdb.Mean:   "3.5",
		tsdb.Sum:    "21",
		tsdb.Count:  "6",
		tsdb.Min:    "1",
		tsdb.Max:    "8",
		tsdb.Last:   "2",
		tsdb.StdDev: number(math.Sqrt(29.5 / 6)),
	} {
		x.check(t, tsdb.Query{Metric: "lat", End: 60, Step: 60, Function: f}, "lat: 0="+want)
	}
}

func functionLast(t *testing.T, x *exam) {
	x.write(t, v("cpu", 50, 5))
	x.write(t, v("cpu", 10, 1))
	x.check(t, tsdb.Query{Metric: "cpu", End: 60, Step: 60, Function: tsdb.Last}, "cpu: 0=5")
}

func functionDerivative(t *testing.T, x *exam) {
	x.write(t, v("bytes host=a", 0, 10), v("bytes host=a", 30, 20), v("bytes host=a", 60, 50), v("bytes host=a", 240, 5), v("bytes host=b", 60, 1))
	q := tsdb.Query{Metric: "bytes", End: 300, Step: 60, Function: tsdb.Derivative}
	x.check(t, q, "bytes host=a: 60=30 240=-45")
	q.Step = 1
	x.check(t, q, "bytes host=a: 30=10 60=30 240=-45")
	q.Start = 60 // what came before the window is not looked at
	x.check(t, q, "bytes host=a: 240=-45")
	q.Start = 61
	x.check(t, q)
}

// functionDeviation has values whose spread is tiny beside their size, where
// the textbook's sum of squares gives nonsense.
func functionDeviation(t *testing.T, x *exam) {
	var all []record
	for i := range int64(100) {
		all = append(all, v("cpu kind=integer", i, 1e6+float64(i%2)), v("cpu kind=float", i, 1e6+float64(i%2)+1.0/3))
	}
	x.write(t, all...)
	q := tsdb.Query{Metric: "cpu", End: 3600, Step: 3600, Function: tsdb.StdDev}
	for _, s := range x.collect(t, us, x.query(q)) {
		if len(s.Values) != 1 || math.Abs(s.Values[0]-0.5) > 1e-4 {
			t.Errorf("%s: got %v, want 0.5", s.Tags, s.Values)
		}
	}
}

func functionDecimals(t *testing.T, x *exam) {
	var all []record
	for i := range int64(1000) {
		all = append(all, v("price", i, 0.1*float64(i%3+1)))
	}
	x.write(t, all...)
	want := 333*0.1 + 333*0.2 + 333*0.3 + 0.1
	for _, step := range []int64{hour, day} {
		s := x.collect(t, us, x.query(tsdb.Query{Metric: "price", End: day, Step: step, Function: tsdb.Sum}))
		if len(s) != 1 || len(s[0].Values) != 1 || !near(s[0].Values[0], want) {
			t.Errorf("step %d: got %v, want %v", step, s, want)
		}
	}
	x.check(t, tsdb.Query{Metric: "price", Start: 3, End: 6, Step: hour, Function: tsdb.Mean}, fmt.Sprintf("price: 0=%s", number(0.2)))
}
