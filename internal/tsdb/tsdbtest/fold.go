package tsdbtest

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func foldQuestions() []question {
	return []question{
		{name: "fold/one summary a period", ask: foldPeriods},
		{name: "fold/within one batch", ask: foldBatch},
		{name: "fold/summaries", ask: foldSummaries},
		{name: "fold/last is the later arrival", ask: foldLast},
		{name: "fold/into what was there", ask: foldIntoReplaced},
		{name: "fold/replace afterwards", ask: foldThenReplace},
		{name: "fold/change of period", ask: foldPeriodChange},
		{name: "fold/late", ask: foldLate},
		{name: "fold/one metric only", ask: foldOneMetric},
		{name: "fold/invalid period", ask: foldInvalid},
	}
}

func foldPeriods(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.write(t, v("hits host=a", 1, 1), v("hits host=b", 1, 7))
	x.write(t, v("hits host=a", 9, 3))
	x.write(t, v("hits host=a", 10, 5))
	x.check(t, raw("hits"), "hits host=a: 0=n2/sum4/min1/max3/last3/sq2 10=5", "hits host=b: 0=7")
	x.check(t, tsdb.Query{Metric: "hits", End: 60, Step: 60, Function: tsdb.Count}, "hits host=a: 0=3", "hits host=b: 0=1")
}

func foldBatch(t *testing.T, x *exam) {
	x.fold(t, "hits", 60)
	x.write(t, v("hits", 0, 1), v("hits", 59, 2), v("hits", 30, 3), v("hits", 60, 4), v("hits", 30, 6))
	x.check(t, raw("hits"), "hits: 0=n4/sum12/min1/max6/last6/sq14 60=4")
}

func foldSummaries(t *testing.T, x *exam) {
	x.fold(t, "lat", 60)
	s := tsdb.Summary{Count: 2, Sum: 4, Min: 1, Max: 3, Last: 3, M2: 2}
	x.write(t, sum("lat", 0, s), v("lat", 1, 8))
	x.write(t, sum("lat", 2, s))
	// 1 3 8 1 3: mean 3.2, squares 4.84 + .04 + 23.04 + 4.84 + .04
	x.check(t, raw("lat"), "lat: 0=n5/sum16/min1/max8/last3/sq32.8")
}

func foldLast(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.write(t, v("hits", 9, 1))
	x.write(t, v("hits", 2, 2))
	x.check(t, tsdb.Query{Metric: "hits", End: 60, Step: 1, Function: tsdb.Last}, "hits: 0=2")
}

func foldIntoReplaced(t *testing.T, x *exam) {
	x.write(t, v("hits", 0, 1), v("hits", 3, 10))
	x.fold(t, "hits", 10)
	x.check(t, raw("hits"), "hits: 0=1 3=10")
	x.write(t, v("hits", 4, 3))
	x.check(t, raw("hits"), "hits: 0=n2/sum4/min1/max3/last3/sq2 3=10")
}

func foldThenReplace(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.write(t, v("hits", 4, 3), v("hits", 5, 4))
	x.mode(t, "hits", tsdb.Mode{})
	x.check(t, raw("hits"), "hits: 0=n2/sum7/min3/max4/last4/sq0.5")
	x.write(t, v("hits", 4, 9))
	x.check(t, raw("hits"), "hits: 0=n2/sum7/min3/max4/last4/sq0.5 4=9")
	x.write(t, v("hits", 0, 1))
	x.check(t, raw("hits"), "hits: 0=1 4=9")
	x.fold(t, "hits", 10)
	x.write(t, v("hits", 5, 3))
	x.check(t, raw("hits"), "hits: 0=n2/sum4/min1/max3/last3/sq2 4=9")
}

func foldPeriodChange(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.write(t, v("hits", 15, 1))
	x.fold(t, "hits", 60)
	x.write(t, v("hits", 15, 2), v("hits", 70, 3))
	x.fold(t, "hits", 7) // no divisor of anything
	at := (x.base+15)/7*7 - x.base
	x.write(t, v("hits", at, 4), v("hits", at+6, 6))
	switch at {
	case 10: // where the old period's summary is
		x.check(t, raw("hits"), "hits: 0=2 10=n3/sum11/min1/max6/last6/sq12.6666666667 60=3")
	default:
		x.check(t, tsdb.Query{Metric: "hits", Start: at, End: at + 1, Step: 1, Function: tsdb.Sum}, "hits: "+number(float64(at))+"=10")
	}
}

func foldLate(t *testing.T, x *exam) {
	x.fold(t, "hits", 60)
	x.write(t, v("hits", 3*day, 1), v("hits", 3*day+60, 1))
	x.write(t, v("hits", 30, 1))
	x.write(t, v("hits", 3*day+5, 2))
	x.write(t, v("hits", 40, 2))
	x.check(t, tsdb.Query{Metric: "hits", End: 5 * day, Step: hour, Function: tsdb.All},
		"hits: 0=n2/sum3/min1/max2/last2/sq0.5 259200=n3/sum4/min1/max2/last1/sq0.666666666667")
}

func foldOneMetric(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	for range 2 {
		x.write(t, v("hits", 5, 1), v("misses", 5, 1), v("hits.all", 5, 1))
	}
	x.check(t, raw("*"), "hits: 0=n2/sum2/min1/max1/last1/sq0", "hits.all: 5=1", "misses: 5=1")
}

func foldInvalid(t *testing.T, x *exam) {
	for _, period := range []int64{0, -60} {
		wantKind(t, "SetMode", x.SetMode(t.Context(), us, "hits", tsdb.Mode{Fold: true, Period: period}), tidemark.Invalid)
	}
	x.write(t, v("hits", 5, 1))
	x.check(t, raw("hits"), "hits: 5=1")
}
