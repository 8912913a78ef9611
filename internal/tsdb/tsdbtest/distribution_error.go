package tsdbtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// shapes are distributions of values.
var shapes = map[string]func(r *rand.Rand) float64{
	"uniform":    func(r *rand.Rand) float64 { return 1000 * r.Float64() },
	"log-normal": func(r *rand.Rand) float64 { return math.Exp(1.5 * r.NormFloat64()) },
	"bimodal": func(r *rand.Rand) float64 {
		return float64(1+r.IntN(2)*9999) * (1 + r.Float64()/10)
	},
	"constant": func(*rand.Rand) float64 { return 42.42 },
	"negative": func(r *rand.Rand) float64 { return -math.Exp(r.NormFloat64()) },
	"zero":     func(r *rand.Rand) float64 { return float64(r.IntN(3)-1) * r.Float64() },
}

// distributionError writes many values to several streams over some days, a
// part of them late, and compares percentiles of groups and of streams, over
// short and long steps, with the exact ones.
func distributionError(t *testing.T, x *exam) {
	for name, draw := range shapes {
		r := rand.New(rand.NewPCG(1, 2))
		known := make(map[string]map[int64][]float64) // by stream and second
		for _, host := range []string{"a", "b", "c"} {
			known[host] = make(map[int64][]float64)
		}
		for _, times := range [][2]int64{{2 * day, 40}, {0, 40}, {2*day + hour, 40}} { // the second is late
			var all []record
			for i := range times[1] {
				for host := range known {
					at, values := times[0]+i*7*minute, make([]float64, 1+r.IntN(40))
					for k := range values {
						values[k] = draw(r)
					}
					known[host][at] = values // what is written twice replaces
					all = append(all, dist(name+" host="+host, at, values...))
				}
			}
			x.write(t, all...)
		}
		for _, step := range []int64{1, minute, hour, day} {
			x.checkError(t, name, known, step)
		}
	}
}

// checkError compares percentiles with those of the values that are known.
func (x *exam) checkError(t *testing.T, metric string, known map[string]map[int64][]float64, step int64) {
	t.Helper()
	groups := make(map[string]map[int64][]float64) // by host, and all as ""
	for host, records := range known {
		for _, group := range []string{host, ""} {
			if groups[group] == nil {
				groups[group] = make(map[int64][]float64)
			}
			for at, values := range records {
				groups[group][at/step*step] = append(groups[group][at/step*step], values...)
			}
		}
	}
	q := tsdb.Query{Metric: metric, End: 5 * day, Step: step, Function: tsdb.Distributions}
	series := x.collect(t, us, x.query(q))
	q.Group, q.GroupFunction = true, tsdb.GroupMerge
	series = append(series, x.collect(t, us, x.query(q))...)
	if len(series) != len(groups) {
		t.Fatalf("%s: got %d series, want %d", metric, len(series), len(groups))
	}
	for _, s := range series {
		host, _ := s.Tags.Get("host")
		checkSeriesError(t, s, groups[host], x.base)
	}
	q.Function, q.Quantile = tsdb.Percentile, 0.99
	for _, s := range x.collect(t, us, x.query(q)) {
		for i, at := range s.Times {
			if exact := exactly(groups[""][at-x.base], q.Quantile); !within(s.Values[i], exact) {
				t.Errorf("%s by %d at %d: percentile 99 is %v, want %v", metric, step, at-x.base, s.Values[i], exact)
			}
		}
	}
}

// checkSeriesError compares percentiles of every point with those of values.
func checkSeriesError(t *testing.T, s *tsdb.Series, values map[int64][]float64, base int64) {
	t.Helper()
	if len(s.Times) != len(values) {
		t.Errorf("%s %s: got %d points, want %d", s.Metric, s.Tags, len(s.Times), len(values))
	}
	for i, at := range s.Times {
		d := tsdb.Distribution{Summary: s.Summaries[i], Sketch: s.Sketches[i]}
		for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1} {
			if got, exact := d.Percentile(q), exactly(values[at-base], q); !within(got, exact) {
				t.Errorf("%s %s at %d: %v of the values are below %v, want %v", s.Metric, s.Tags, at-base, q, got, exact)
			}
		}
	}
}

// exactly returns the value at q of values, NaN if there are none.
func exactly(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Sorted(slices.Values(values))[int(q*float64(len(values)-1))]
}
