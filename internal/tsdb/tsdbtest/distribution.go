package tsdbtest

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func distributionQuestions() []question {
	return []question{
		{name: "distribution/other functions", ask: distributionFunctions},
		{name: "distribution/percentiles of one record", ask: distributionPercentiles},
		{name: "distribution/records without a sketch", ask: distributionUnknown},
		{name: "distribution/the later write remains", ask: distributionReplace},
		{name: "distribution/fold", ask: distributionFold},
		{name: "distribution/sketches", ask: distributionSketches},
		{name: "distribution/groups", ask: distributionGroups},
		{name: "distribution/groups that are not merged", ask: distributionGroupMean},
		{name: "distribution/fractions", ask: distributionFractions},
		{name: "distribution/delete", ask: distributionDelete},
		{name: "distribution/invalid", ask: distributionInvalid},
		{name: "distribution/error", ask: distributionError},
	}
}

// dist is a record of values with their sketch.
func dist(stream string, time int64, values ...float64) record {
	r := record{stream: stream, time: time}
	var s sketch.Sketch
	for _, value := range values {
		one := tsdb.Single(value)
		r.summary.Merge(&one)
		s.Add(value, 1)
	}
	r.sketch = s.AppendBinary(nil)
	return r
}

// several is dist without the sketch.
func several(stream string, time int64, values ...float64) record {
	r := dist(stream, time, values...)
	r.sketch = nil
	return r
}

// sketchOf returns the encoded sketch of values.
func sketchOf(values ...float64) []byte { return dist("", 0, values...).sketch }

// percentile asks for one in steps of a minute.
func percentile(metric string, quantile float64) tsdb.Query {
	return tsdb.Query{Metric: metric, End: hour, Step: minute, Function: tsdb.Percentile, Quantile: quantile}
}

func distributionFunctions(t *testing.T, x *exam) {
	x.write(t, dist("lat", 0, 2, 4), dist("lat", 10, 4, 5), v("cpu", 0, 1))
	x.check(t, raw("lat"), "lat: 0=n2/sum6/min2/max4/last4/sq2 10=n2/sum9/min4/max5/last5/sq0.5")
	x.check(t, tsdb.Query{Metric: "lat", End: hour, Step: minute}, "lat: 0=3.75")
	x.check(t, tsdb.Query{Metric: "lat", End: hour, Step: hour, Function: tsdb.Count}, "lat: 0=4")
	x.check(t, tsdb.Query{Metric: "lat", End: hour, Step: hour, Function: tsdb.StdDev}, "lat: 0=1.08972473589")
}

// distributionPercentiles has values at the ends, which are exact.
func distributionPercentiles(t *testing.T, x *exam) {
	x.write(t, dist("lat", 0, 10, 10, 10, 700), dist("lat", 60, 5), dist("lat", 120, 0, 0, 0), dist("lat", 180, -3, -3, 8))
	x.check(t, percentile("lat", 0), "lat: 0=10 60=5 120=0 180=-3")
	x.check(t, percentile("lat", 1), "lat: 0=700 60=5 120=0 180=8")
	q := percentile("lat", 1)
	q.Step = hour
	x.check(t, q, "lat: 0=700")
	q.Start, q.End = 60, 180
	x.check(t, q, "lat: 0=5")
	q.Quantile = 0
	x.check(t, q, "lat: 0=0")
}

func distributionUnknown(t *testing.T, x *exam) {
	x.write(t,
		v("lat", 0, 1), v("lat", 1, 9), // single values count
		dist("lat", 60, 4, 4, 4), v("lat", 61, 7),
		several("lat", 120, 1, 2, 3), // nothing is known
		several("lat", 180, 1, 1, 1, 1, 1), dist("lat", 181, 6, 6, 6), several("lat", 182, 9, 9, 9, 9, 9))
	x.check(t, percentile("lat", 0), "lat: 0=1 60=4 180=1")
	x.check(t, percentile("lat", 1), "lat: 0=9 60=7 180=9")
	q := percentile("lat", 0.5)
	q.Start = 60
	for _, s := range x.collect(t, us, x.query(q)) {
		if want := []int64{x.base + 60, x.base + 180}; !slices.Equal(s.Times, want) || !within(s.Values[0], 4) || !within(s.Values[1], 6) {
			t.Errorf("got %v at %v, want about 4 and 6 at %v", s.Values, s.Times, want)
		}
	}
	q.Start, q.End = 120, 180
	x.check(t, q)
}

// within reports whether got is within the error of the exact value.
func within(got, exact float64) bool { return math.Abs(got-exact) <= 0.01*math.Abs(exact) }

func distributionReplace(t *testing.T, x *exam) {
	x.write(t, dist("lat", 0, 1, 1, 100), dist("lat", 60, 1, 1, 1), dist("lat", 120, 1, 1, 1), v("lat", 180, 3))
	x.write(t, dist("lat", 0, 5, 5, 5), v("lat", 60, 2), several("lat", 120, 3, 3, 3), dist("lat", 180, 8, 8))
	x.check(t, percentile("lat", 0.5), "lat: 0=5 60=2 180=8")
	x.checkSketches(t, tsdb.Query{Metric: "lat", End: hour, Step: hour}, sketchOf(5, 5, 5, 2, 8, 8))
	x.write(t, dist("lat", 0, 5, 5, 5)) // once more is once
	x.checkSketches(t, tsdb.Query{Metric: "lat", End: hour, Step: hour}, sketchOf(5, 5, 5, 2, 8, 8))
}

func distributionFold(t *testing.T, x *exam) {
	x.fold(t, "lat", minute)
	x.write(t, dist("lat", 1, 1, 2), dist("lat", 2, 3), v("lat", 60, 7), several("lat", 120, 4, 4))
	x.write(t, dist("lat", 3, 500), dist("lat", 61, 8, 9), dist("lat", 121, 5, 6))
	x.write(t, v("lat", 4, -2), several("lat", 62, 50, 60), v("lat", 125, 9))
	q := tsdb.Query{Metric: "lat", End: hour, Step: 1}
	x.checkSketches(t, q, sketchOf(1, 2, 3, 500, -2), sketchOf(7, 8, 9), sketchOf(5, 6, 9))
	q.Step = hour
	x.checkSketches(t, q, sketchOf(1, 2, 3, 500, -2, 7, 8, 9, 5, 6, 9))
	x.check(t, tsdb.Query{Metric: "lat", End: hour, Step: hour, Function: tsdb.Count}, "lat: 0=15")
}

// checkSketches compares the sketches of all points of q, byte by byte.
func (x *exam) checkSketches(t *testing.T, q tsdb.Query, want ...[]byte) {
	t.Helper()
	q.Function = tsdb.Distributions
	var got [][]byte
	for _, s := range x.collect(t, us, x.query(q)) {
		if len(s.Sketches) != len(s.Times) || len(s.Summaries) != len(s.Times) || s.Values != nil {
			t.Fatalf("%d sketches, %d summaries and %d values at %d times", len(s.Sketches), len(s.Summaries), len(s.Values), len(s.Times))
		}
		for _, k := range s.Sketches {
			got = append(got, k.AppendBinary(nil))
		}
	}
	if !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("%+v: got sketches %x, want %x", q, got, want)
	}
}

func distributionSketches(t *testing.T, x *exam) {
	x.write(t, dist("lat host=a", 0, 1, 2), dist("lat host=a", 30, 3), v("lat host=a", 70, 4), dist("lat host=b", 0, 9, 9), several("lat host=c", 0, 1, 2))
	x.checkSketches(t, tsdb.Query{Metric: "lat", End: hour, Step: minute}, sketchOf(1, 2, 3), sketchOf(4), sketchOf(9, 9))
	q := tsdb.Query{Metric: "lat", End: hour, Step: hour, Function: tsdb.Distributions}
	x.check(t, q, "lat host=a: 0=n4/sum10/min1/max4/last4/sq5", "lat host=b: 0=n2/sum18/min9/max9/last9/sq0")
}

func distributionGroups(t *testing.T, x *exam) {
	x.write(t, dist("lat host=a rack=1", 0, 1, 1, 1, 1), dist("lat host=b rack=1", 0, 100), v("lat host=c rack=1", 0, 50), several("lat host=d rack=1", 0, 3, 4),
		dist("lat host=e rack=2", 60, 7), several("lat host=f rack=3", 0, 1, 2), dist("lat", 0, 1000))
	q := tsdb.Query{Metric: "lat", End: hour, Step: minute, Group: true, GroupBy: []string{"rack"}, GroupFunction: tsdb.GroupMerge}
	x.checkSketches(t, q, sketchOf(1, 1, 1, 1, 100, 50), sketchOf(7))
	q.Function = tsdb.Percentile
	x.check(t, q, "lat rack=1: 0=1", "lat rack=2: 60=7")
	q.Quantile = 1
	x.check(t, q, "lat rack=1: 0=100", "lat rack=2: 60=7")
	q.GroupBy, q.Quantile, q.Step = nil, 1, hour
	x.check(t, q, "lat: 0=1000")
	q.Function, q.Quantile = tsdb.Count, 0
	x.check(t, q, "lat: 0=12")
}

func distributionGroupMean(t *testing.T, x *exam) {
	x.write(t, dist("lat host=a", 0, 1, 1, 1, 1), dist("lat host=b", 0, 100), several("lat host=c", 0, 3, 4))
	q := percentile("lat", 1)
	q.Group = true
	x.check(t, q, "lat: 0=50.5")
	q.GroupFunction = tsdb.GroupMax
	x.check(t, q, "lat: 0=100")
}

// distributionFractions has counts as sampling makes them.
func distributionFractions(t *testing.T, x *exam) {
	var s sketch.Sketch
	for i := range 100 {
		s.Add(float64(i), 1/0.3)
	}
	r := sum("lat", 0, tsdb.Summary{Count: 100 / 0.3, Sum: 4950 / 0.3, Min: 0, Max: 99, Last: 99})
	r.sketch = s.AppendBinary(nil)
	x.write(t, r)
	x.checkSketches(t, tsdb.Query{Metric: "lat", End: hour, Step: hour}, r.sketch)
}

func distributionDelete(t *testing.T, x *exam) {
	x.write(t, dist("lat", 0, 1, 2), dist("mem", 0, 1, 2))
	x.forget(t, "lat")
	x.check(t, percentile("lat", 1))
	x.check(t, percentile("mem", 1), "mem: 0=2")
	x.write(t, dist("lat", 60, 3, 4))
	x.check(t, percentile("lat", 1), "lat: 60=4")
}

func distributionInvalid(t *testing.T, x *exam) {
	broken, short, long := dist("lat", 60, 1, 2), dist("lat", 60, 1, 2), dist("lat", 60, 1, 2)
	broken.sketch = []byte{0xff, 1, 2}
	short.summary.Count = 3
	long.summary.Count = 1
	for name, r := range map[string]record{"broken": broken, "too few": short, "too many": long} {
		wantKind(t, name, x.Write(t.Context(), us, x.batch(v("lat", 0, 1), r)), tidemark.Invalid)
	}
	x.check(t, raw("lat"))
}
