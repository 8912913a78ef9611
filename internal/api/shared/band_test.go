package shared

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

var bandTime = &ManyQueries{Start: 1190, End: 1800, Resolution: 60} // its grid begins at 1140

// someLines are lines around 1000 that differ little, begin and end when they
// like, have gaps and two paces; every fifteenth is apart for a part of its time.
func someLines(r *rand.Rand, n int) (all []*tsdb.Series) {
	for i := range n {
		s := &tsdb.Series{Metric: "cpu", Tags: tidemark.Tags{{Name: "host", Value: fmt.Sprintf("h%04d", i)}}}
		level, far := 1000+r.Float64(), 0.0
		if i%15 == 7 {
			far = 20 * (r.Float64() - 0.5)
		}
		begin, end, pace := 1140+60*r.Int64N(4), 1500+60*r.Int64N(6), 60*(1+r.Int64N(3)/2)
		for t := begin; t < end; t += pace {
			v := level + r.Float64()/10
			switch r.IntN(12) {
			case 0:
				continue
			case 1:
				v = math.NaN()
			case 2, 3, 4:
				v += far
			}
			s.Times, s.Values = append(s.Times, t), append(s.Values, v)
		}
		all = append(all, s)
	}
	return all
}

func readingOf(all []*tsdb.Series) reading {
	return func() (iter.Seq2[*tsdb.Series, error], error) { return each(all), nil }
}

func each(all []*tsdb.Series) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		for _, s := range all {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// standing is a line whose values stand as long as they usually are apart, and
// a step.
func standing(s *tsdb.Series) *tsdb.Series {
	var gaps []int64
	out, own, last := &tsdb.Series{Tags: s.Tags}, make(map[int64]float64), int64(0)
	for i, t := range s.Times {
		if math.IsNaN(s.Values[i]) {
			continue
		}
		if own[t] = s.Values[i]; last != 0 {
			gaps = append(gaps, t-last)
		}
		last = t
	}
	usual := int64(0)
	if slices.Sort(gaps); len(gaps) > 0 && gaps[len(gaps)/2] > 60 {
		usual = gaps[len(gaps)/2]
	}
	for t := int64(1140); t < 1800; t += 60 {
		for was := t; was >= t-usual; was -= 60 {
			if v, ok := own[was]; ok {
				out.Times, out.Values = append(out.Times, t), append(out.Values, v)
				break
			}
		}
	}
	return out
}

// modelColumns are the values of each step, sorted.
func modelColumns(all []*tsdb.Series) map[int64][]float64 {
	columns := make(map[int64][]float64)
	for _, s := range all {
		s = standing(s)
		for i, t := range s.Times {
			if !math.IsNaN(s.Values[i]) {
				columns[t] = append(columns[t], s.Values[i])
			}
		}
	}
	for _, c := range columns {
		slices.Sort(c)
	}
	return columns
}

func modelRank(column []float64, rank float64) float64 {
	return column[int(math.Round(rank*float64(len(column)-1)))]
}

// modelApart are the hosts that are apart, first the farthest.
func modelApart(all []*tsdb.Series, columns map[int64][]float64) []string {
	score := make(map[string]float64)
	for _, s := range all {
		s = standing(s)
		sum := 0.0
		for i, t := range s.Times {
			c := columns[t]
			p10, p90 := modelRank(c, 0.1), modelRank(c, 0.9)
			if v := s.Values[i]; !math.IsNaN(v) {
				sum += max(0, p10-v, v-p90) / max(p90-p10, (c[len(c)-1]-c[0])/1000)
			}
		}
		if sum/float64(len(columns)) >= 0.2 {
			score[s.Tags[0].Value] = sum
		}
	}
	var hosts []string
	for h := range score {
		hosts = append(hosts, h)
	}
	slices.SortFunc(hosts, func(a, b string) int {
		if score[a] > score[b] {
			return -1
		}
		return 1
	})
	return hosts[:min(5, len(hosts))]
}

func linesOfBand(res OneResult) (summary map[string]map[int64]float64, apart []string) {
	summary = make(map[string]map[int64]float64)
	for _, s := range res.Series {
		if s.Summary == "" {
			apart = append(apart, s.Tags["host"])
			continue
		}
		summary[s.Summary] = make(map[int64]float64)
		for i, t := range s.Times {
			summary[s.Summary][t] = s.Values[i]
		}
	}
	return summary, apart
}

// without are the lines of other hosts.
func without(all []*tsdb.Series, hosts []string) []*tsdb.Series {
	return slices.DeleteFunc(slices.Clone(all), func(s *tsdb.Series) bool { return slices.Contains(hosts, s.Tags[0].Value) })
}

// TestBand: the lines of a band are what sorting the values of each step
// gives, and the lines beside it are whole and those farthest from it.
func TestBand(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		all := someLines(rand.New(rand.NewPCG(seed, 1)), 30+10*int(seed))
		var res OneResult
		if err := collectFew(t.Context(), bandTime, 25, each(all), readingOf(all), &res, &query.Holding{}); err != nil {
			t.Fatal(err)
		}
		columns, want := modelColumns(all), make(map[string]map[int64]float64)
		for _, s := range summaries {
			want[s.name] = make(map[int64]float64)
			for at, c := range columns {
				want[s.name][at] = modelRank(c, s.rank)
			}
		}
		summary, apart := linesOfBand(res)
		for at, rest := range modelColumns(without(all, apart)) {
			want["low"][at], want["high"][at] = min(rest[0], want["p10"][at]), max(rest[len(rest)-1], want["p90"][at])
		}
		if diff := cmp.Diff(want, summary); diff != "" {
			t.Errorf("seed %d: %s", seed, diff)
		}
		if diff := cmp.Diff(modelApart(all, columns), apart, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("seed %d, apart: %s", seed, diff)
		}
		if res.Streams != len(all) {
			t.Errorf("seed %d: %d streams of %d", seed, res.Streams, len(all))
		}
	}
}

// TestBandOfAPart: where lines have more values than are kept at once, the
// percentiles are about right, and what is lowest, highest and apart is exact.
func TestBandOfAPart(t *testing.T) {
	t.Parallel()
	all := someLines(rand.New(rand.NewPCG(1, 2)), 4000)
	b, err := newBand(t.Context(), bandTime, &query.Holding{})
	if err != nil {
		t.Fatal(err)
	}
	b.most = 15_000
	for _, s := range all {
		if err := b.add(s.Metric, s.Tags, s.Times, s.Values); err != nil {
			t.Fatal(err)
		}
		if b.cells > b.most {
			t.Fatalf("%d values are kept", b.cells)
		}
	}
	far := &tsdb.Series{Metric: "cpu", Tags: tidemark.Tags{{Name: "host", Value: "far"}}, Times: []int64{1200, 1260, 1320, 1380}, Values: []float64{1e6, 1e6, 1e6, 1e6}}
	for b.seen++; scrambled(b.seen+1)&1 == 0; b.seen++ { // one that is not kept
	}
	if err := b.add(far.Metric, far.Tags, far.Times, far.Values); err != nil {
		t.Fatal(err)
	}
	all = append(all, far)
	var res OneResult
	if err := b.answer(&res, readingOf(all)); err != nil {
		t.Fatal(err)
	}
	summary, apart := linesOfBand(res)
	rest := modelColumns(without(all, apart))
	for at, c := range modelColumns(all) {
		low, high := rest[at][0], rest[at][len(rest[at])-1]
		if summary["low"][at] != low || summary["high"][at] != high {
			t.Errorf("at %d from %v to %v, want %v to %v", at, summary["low"][at], summary["high"][at], low, high)
		}
		for _, s := range summaries[1:4] {
			if v := summary[s.name][at]; v < modelRank(c, s.rank-0.06) || v > modelRank(c, s.rank+0.06) {
				t.Errorf("at %d %s is %v", at, s.name, v)
			}
		}
	}
	if len(apart) != 5 || apart[0] != "far" {
		t.Errorf("apart are %v", apart)
	}
}

// TestBandOfSlowStreams: streams that are measured every third step, each at a
// time of its own, are all there at each step; those beside the band are sent
// as they were measured.
func TestBandOfSlowStreams(t *testing.T) {
	t.Parallel()
	var all []*tsdb.Series
	for i := range int64(31) {
		s := &tsdb.Series{Tags: tidemark.Tags{{Name: "host", Value: fmt.Sprint(i)}}}
		for at := 1140 + 60*(i%3); at < 1800; at += 180 {
			s.Times, s.Values = append(s.Times, at), append(s.Values, float64(i))
		}
		all = append(all, s)
	}
	all[30].Values = []float64{500, 500, 500, 500}
	var res OneResult
	if err := collectFew(t.Context(), bandTime, 1, each(all), readingOf(all), &res, &query.Holding{}); err != nil {
		t.Fatal(err)
	}
	summary, apart := linesOfBand(res)
	for at := int64(1260); at < 1800; at += 60 {
		if summary["low"][at] != 0 || summary["p10"][at] != 3 || summary["median"][at] != 15 || summary["p90"][at] != 27 || summary["high"][at] != 29 {
			t.Errorf("at %d %v", at, summary)
		}
	}
	if last := res.Series[len(res.Series)-1]; !slices.Equal(apart, []string{"30"}) || !slices.Equal(last.Times, all[30].Times) {
		t.Errorf("apart are %v, %v", apart, last.Times)
	}
}

// TestBandOfFew: of a step in which one stream of hundreds is there is no band.
func TestBandOfFew(t *testing.T) {
	t.Parallel()
	var all []*tsdb.Series
	for i := range 201 {
		all = append(all, &tsdb.Series{Tags: tidemark.Tags{{Name: "host", Value: fmt.Sprint(i)}}, Times: []int64{1200, 1260}, Values: []float64{float64(i), float64(i)}})
	}
	all[7].Times, all[7].Values = []int64{1200, 1260, 1320}, []float64{7, 7, 9000}
	var res OneResult
	if err := collectFew(t.Context(), bandTime, 1, each(all), readingOf(all), &res, &query.Holding{}); err != nil {
		t.Fatal(err)
	}
	summary, apart := linesOfBand(res)
	for _, s := range summaries {
		if len(summary[s.name]) != 2 {
			t.Errorf("%s is %v", s.name, summary[s.name])
		}
	}
	if len(apart) != 0 {
		t.Errorf("apart are %v", apart)
	}
}

// TestBandOfEqualLines: one that differs is apart from others that are all equal.
func TestBandOfEqualLines(t *testing.T) {
	t.Parallel()
	var all []*tsdb.Series
	for i := range 30 {
		v := 5.0
		if i == 3 {
			v = 6
		}
		all = append(all, &tsdb.Series{Tags: tidemark.Tags{{Name: "host", Value: fmt.Sprint(i)}}, Times: []int64{1200, 1260}, Values: []float64{v, v}})
	}
	var res OneResult
	if err := collectFew(t.Context(), bandTime, 1, each(all), readingOf(all), &res, &query.Holding{}); err != nil {
		t.Fatal(err)
	}
	if _, apart := linesOfBand(res); !slices.Equal(apart, []string{"3"}) {
		t.Errorf("apart are %v", apart)
	}
}
