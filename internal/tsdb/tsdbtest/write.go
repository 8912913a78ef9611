package tsdbtest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func writeQuestions() []question {
	return []question{
		{name: "write/floats survive bit by bit", ask: writeExactFloats},
		{name: "write/later write replaces", ask: writeReplaces},
		{name: "write/later record of a batch replaces", ask: writeReplacesInBatch},
		{name: "write/twice is once", ask: writeTwice},
		{name: "write/summaries", ask: writeSummaries},
		{name: "write/summary replaces value and back", ask: writeSummaryReplaces},
		{name: "write/out of order", ask: writeOutOfOrder},
		{name: "write/days late", ask: writeLate},
		{name: "write/invalid batch leaves nothing", ask: writeInvalid},
		{name: "write/batch may be reused", ask: writeReuse},
		{name: "write/empty batch", ask: writeEmpty},
		{name: "write/similar streams stay apart", ask: writeSimilar},
		{name: "write/long names", ask: writeLong},
		{name: "write/ends of time", ask: writeEndsOfTime},
		{name: "write/large batch", ask: writeLarge},
		{name: "write/organizations stay apart", ask: writeOrgs},
	}
}

func writeExactFloats(t *testing.T, x *exam) {
	values := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 0.30000000000000004, 1.0 / 3, math.Pi * 1e17, 1e126, -1e126, 1e-130,
		1 << 53, 1<<53 + 2, 123456789.25, 99.99, 1e15 + 0.5, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
		2.2250738585072014e-308, 4503599627370495.5, -0.001, 1e22, 1e23,
	}
	var b tsdb.Batch
	for i, value := range values {
		b.AddKey(key("f kind=all"), x.base+int64(i), tsdb.Single(value))
		b.AddKey(key(fmt.Sprintf("f kind=alone%02d", i)), x.base, tsdb.Single(value))
	}
	if err := x.Write(t.Context(), us, &b); err != nil {
		t.Fatal(err)
	}
	all := x.collect(t, us, x.query(tsdb.Query{Metric: "f", Filter: tsdb.TagIs("kind", "all"), End: 100, Step: 1, Function: tsdb.Last}))
	if len(all) != 1 || len(all[0].Values) != len(values) {
		t.Fatalf("got %d series, want 1 with %d points: %+v", len(all), len(values), all)
	}
	alone := x.collect(t, us, x.query(tsdb.Query{Metric: "f", Filter: tsdb.TagIs("kind", "alone*"), End: 100, Step: 1, Function: tsdb.Last}))
	if len(alone) != len(values) {
		t.Fatalf("got %d series, want %d", len(alone), len(values))
	}
	for i, value := range values {
		for _, got := range []float64{all[0].Values[i], alone[i].Values[0]} {
			if math.Float64bits(got) != math.Float64bits(value) {
				t.Errorf("wrote %v (%x), read %v (%x)", value, math.Float64bits(value), got, math.Float64bits(got))
			}
		}
	}
}

func writeReplaces(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1), v("cpu host=a", 1, 2), v("cpu host=b", 0, 3))
	x.write(t, v("cpu host=a", 0, 9))
	x.check(t, raw("cpu"), "cpu host=a: 0=9 1=2", "cpu host=b: 0=3")
	x.write(t, v("cpu host=a", 0, 5))
	x.check(t, raw("cpu"), "cpu host=a: 0=5 1=2", "cpu host=b: 0=3")
	x.check(t, tsdb.Query{Metric: "cpu", End: 60, Step: 60, Function: tsdb.Count}, "cpu host=a: 0=2", "cpu host=b: 0=1")
}

func writeReplacesInBatch(t *testing.T, x *exam) {
	x.write(t, v("cpu", 7, 1), v("cpu", 8, 1), v("cpu", 7, 2), v("cpu", 7, 3))
	x.check(t, raw("cpu"), "cpu: 7=3 8=1")
}

func writeTwice(t *testing.T, x *exam) {
	for range 2 {
		x.write(t, v("cpu host=a", 0, 1), sum("cpu host=a", 30, tsdb.Summary{Count: 2, Sum: 4, Min: 1, Max: 3, Last: 3, M2: 2}))
	}
	x.check(t, tsdb.Query{Metric: "cpu", End: 60, Step: 60, Function: tsdb.All}, "cpu host=a: 0=n3/sum5/min1/max3/last3/sq2.66666666667")
}

func writeSummaries(t *testing.T, x *exam) {
	// The mean of the first is no decimal fraction; the second is of one
	// value but not a single one.
	x.write(t,
		sum("lat", 0, tsdb.Summary{Count: 3, Sum: 10, Min: 1, Max: 7, Last: 2, M2: 20.666666666666668}),
		sum("lat", 1, tsdb.Summary{Count: 1, Sum: 10, Min: 1, Max: 11, Last: 5}),
		sum("lat", 2, tsdb.Summary{Count: 1e9, Sum: -0.5, Min: -1e9, Max: 1e9, Last: 0.1, M2: 1e20}),
		v("lat", 3, 4))
	x.check(t, raw("lat"),
		"lat: 0=n3/sum10/min1/max7/last2/sq20.6666666667 1=n1/sum10/min1/max11/last5/sq0 2=n1000000000/sum-0.5/min-1000000000/max1000000000/last0.1/sq1e+20 3=4")
	x.check(t, tsdb.Query{Metric: "lat", End: 60, Step: 60, Function: tsdb.Count}, "lat: 0=1000000005")
}

func writeSummaryReplaces(t *testing.T, x *exam) {
	s := tsdb.Summary{Count: 2, Sum: 4, Min: 1, Max: 3, Last: 3, M2: 2}
	x.write(t, v("a", 0, 1), sum("b", 0, s))
	x.write(t, sum("a", 0, s), v("b", 0, 1))
	x.check(t, raw("*"), "a: 0=n2/sum4/min1/max3/last3/sq2", "b: 0=1")
}

func writeOutOfOrder(t *testing.T, x *exam) {
	x.write(t, v("cpu", 50, 5), v("cpu", 10, 1), v("cpu", 30, 3))
	x.write(t, v("cpu", 40, 4), v("cpu", 20, 2))
	x.write(t, v("cpu", 0, 0))
	x.check(t, raw("cpu"), "cpu: 0=0 10=1 20=2 30=3 40=4 50=5")
	x.check(t, tsdb.Query{Metric: "cpu", End: 60, Step: 30, Function: tsdb.Last}, "cpu: 0=2 30=5")
}

func writeLate(t *testing.T, x *exam) {
	x.write(t, v("cpu", 4*day, 4), v("cpu", 4*day+hour, 5))
	x.write(t, v("cpu", day, 1), v("cpu", 3*day, 3))
	x.write(t, v("cpu", 2*day, 2), v("cpu", day, 1.5))
	x.check(t, raw("cpu"), fmt.Sprintf("cpu: %d=1.5 %d=2 %d=3 %d=4 %d=5", day, 2*day, 3*day, 4*day, 4*day+hour))
	x.check(t, tsdb.Query{Metric: "cpu", End: 5 * day, Step: hour, Function: tsdb.Sum},
		fmt.Sprintf("cpu: %d=1.5 %d=2 %d=3 %d=4 %d=5", day, 2*day, 3*day, 4*day, 4*day+hour))
}

func writeInvalid(t *testing.T, x *exam) {
	good := func() *tsdb.Batch { return x.batch(v("cpu", 0, 1), v("mem", 0, 1)) }
	bad := map[string]func(*tsdb.Batch){
		"time before 1970": func(b *tsdb.Batch) { b.AddKey(key("cpu"), -1, tsdb.Single(1)) },
		"time too far":     func(b *tsdb.Batch) { b.AddKey(key("cpu"), tsdb.MaxTime+1, tsdb.Single(1)) },
		"count 0":          func(b *tsdb.Batch) { b.AddKey(key("cpu"), x.base, tsdb.Summary{}) },
		"count NaN":        func(b *tsdb.Batch) { b.AddKey(key("cpu"), x.base, tsdb.Summary{Count: math.NaN()}) },
		"no metric":        func(b *tsdb.Batch) { b.AddKey(nil, x.base, tsdb.Single(1)) },
		"tag alone":        func(b *tsdb.Batch) { b.AddKey([]byte("cpu\x00host"), x.base, tsdb.Single(1)) },
		"tags unordered":   func(b *tsdb.Batch) { b.AddKey([]byte("cpu\x00b\x011\x00a\x012"), x.base, tsdb.Single(1)) },
		"tag twice":        func(b *tsdb.Batch) { b.AddKey([]byte("cpu\x00a\x011\x00a\x012"), x.base, tsdb.Single(1)) },
	}
	for name, spoil := range bad {
		b := good()
		spoil(b)
		wantKind(t, name, x.Write(t.Context(), us, b), tidemark.Invalid)
	}
	x.check(t, raw("*"))
	if got := x.streams(t, us, "*", tsdb.Filter{}); len(got) > 0 {
		t.Errorf("refused batches left streams %q", got)
	}
	x.write(t, v("cpu", 0, 1))
	x.check(t, raw("*"), "cpu: 0=1")
}

func writeReuse(t *testing.T, x *exam) {
	b := x.batch(v("cpu host=a", 0, 1), v("cpu host=b", 0, 2))
	for i := range 3 {
		if err := x.Write(t.Context(), us, b); err != nil {
			t.Fatal(err)
		}
		b.Reset()
		for range 2 {
			b.AddKey(key("mem host=z"), x.base+int64(i), tsdb.Single(float64(-i)))
		}
	}
	x.check(t, raw("*"), "cpu host=a: 0=1", "cpu host=b: 0=2", "mem host=z: 0=0 1=-1")
}

func writeEmpty(t *testing.T, x *exam) {
	x.write(t)
	x.check(t, raw("*"))
}

func writeSimilar(t *testing.T, x *exam) {
	x.write(t, v("a", 0, 1), v("aa", 0, 2), v("a b=c", 0, 3), v("a b=cd", 0, 4), v("a bc=d", 0, 5), v("a b=c d=e", 0, 6), v("ab c=d", 0, 7), v("a b=c e=d", 0, 8))
	x.check(t, raw("*"), "a: 0=1", "a b=c: 0=3", "a b=c d=e: 0=6", "a b=c e=d: 0=8", "a b=cd: 0=4", "a bc=d: 0=5", "aa: 0=2", "ab c=d: 0=7")
}

func writeLong(t *testing.T, x *exam) {
	stream := strings.Repeat("m", tidemark.MaxName)
	for i := range tidemark.MaxTags {
		stream += fmt.Sprintf(" %02d%s=%s", i, strings.Repeat("n", tidemark.MaxTagName-2), strings.Repeat("v", tidemark.MaxTagValue))
	}
	x.write(t, v(stream, 0, 1))
	x.write(t, v(stream, 1, 2))
	x.check(t, raw("m*"), stream+": 0=1 1=2")
	last := fmt.Sprintf("%02d%s", tidemark.MaxTags-1, strings.Repeat("n", tidemark.MaxTagName-2))
	x.check(t, tsdb.Query{Metric: "m*", Filter: tsdb.TagIsNot(last, "v*"), End: 60, Step: 1})
}

func writeEndsOfTime(t *testing.T, x *exam) {
	now := x.base + 5*day
	var b tsdb.Batch
	b.AddKey(key("cpu"), tsdb.MaxTime, tsdb.Single(3))
	b.AddKey(key("cpu"), now+hour, tsdb.Single(2))
	b.AddKey(key("cpu"), x.base, tsdb.Single(1))
	if err := x.Write(t.Context(), us, &b); err != nil {
		t.Fatal(err)
	}
	for _, q := range []tsdb.Query{
		{Start: 0, End: math.MaxInt64}, {Start: math.MinInt64, End: math.MaxInt64}, {Start: -5, End: tsdb.MaxTime + 1},
	} {
		q.Metric, q.Step, q.Function = "cpu", 1, tsdb.Last
		all := x.collect(t, us, &q)
		if len(all) != 1 || len(all[0].Times) != 3 {
			t.Errorf("[%d, %d): got %v, want all three records", q.Start, q.End, all)
		}
	}
}

func writeLarge(t *testing.T, x *exam) {
	var b tsdb.Batch
	for i := range tidemark.MaxBatch {
		b.AddKey(key(fmt.Sprintf("load host=h%03d", i%500)), x.base+int64(i/500), tsdb.Single(float64(i)))
	}
	if err := x.Write(t.Context(), us, &b); err != nil {
		t.Fatal(err)
	}
	all := x.collect(t, us, x.query(raw("load")))
	if len(all) != 500 {
		t.Fatalf("got %d series, want 500", len(all))
	}
	for h, s := range all {
		for k := range s.Times {
			if want := float64(k*500 + h); s.Times[k] != x.base+int64(k) || s.Summaries[k] != tsdb.Single(want) {
				t.Fatalf("%s: point %d is %d %+v, want %d %v", s.Tags, k, s.Times[k]-x.base, s.Summaries[k], k, want)
			}
		}
		if len(s.Times) != tidemark.MaxBatch/500 {
			t.Fatalf("%s: %d points, want %d", s.Tags, len(s.Times), tidemark.MaxBatch/500)
		}
	}
}

func writeOrgs(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1))
	if err := x.Write(t.Context(), them, x.batch(v("cpu host=a", 0, 2), v("mem", 0, 3))); err != nil {
		t.Fatal(err)
	}
	x.check(t, raw("*"), "cpu host=a: 0=1")
	x.checkOrg(t, them, raw("*"), "cpu host=a: 0=2", "mem: 0=3")
	x.checkOrg(t, 3, raw("*"))
	// Modes and deletes are per organization as well.
	x.fold(t, "cpu", 10)
	if err := x.Write(t.Context(), them, x.batch(v("cpu host=a", 0, 4), v("cpu host=a", 5, 6))); err != nil {
		t.Fatal(err)
	}
	x.forget(t, "mem")
	x.checkOrg(t, them, raw("*"), "cpu host=a: 0=4 5=6", "mem: 0=3")
	x.forget(t, "cpu")
	x.check(t, raw("*"))
	x.checkOrg(t, them, raw("*"), "cpu host=a: 0=4 5=6", "mem: 0=3")
}
