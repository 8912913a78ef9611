package legacy

import (
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// sourcePoints are the points of one source, in order.
type sourcePoints struct {
	times []int64
	sums  []tsdb.Summary
}

// add merges the points of one more stream of the source.
func (p *sourcePoints) add(times []int64, sums []tsdb.Summary) {
	if len(p.times) == 0 {
		p.times, p.sums = slices.Clone(times), slices.Clone(sums)
		return
	}
	old := *p
	*p = sourcePoints{make([]int64, 0, len(times)), make([]tsdb.Summary, 0, len(times))}
	for i, j := 0, 0; i < len(old.times) || j < len(times); {
		switch {
		case j == len(times) || i < len(old.times) && old.times[i] < times[j]:
			p.times, p.sums = append(p.times, old.times[i]), append(p.sums, old.sums[i])
			i++
		case i == len(old.times) || old.times[i] > times[j]:
			p.times, p.sums = append(p.times, times[j]), append(p.sums, sums[j])
			j++
		default:
			both := old.sums[i]
			both.Merge(&sums[j])
			p.times, p.sums = append(p.times, times[j]), append(p.sums, both)
			i, j = i+1, j+1
		}
	}
}

// deltas replaces what a counter showed by how much it grew; one that shows
// less than before was reset, and grew by what it shows.
func (p *sourcePoints) deltas() {
	for i := len(p.sums) - 1; i > 0; i-- {
		now, before := p.sums[i].Last, p.sums[i-1].Last
		if now >= before {
			now -= before
		}
		p.sums[i] = tsdb.Single(now)
	}
	p.times, p.sums = p.times[min(1, len(p.times)):], p.sums[min(1, len(p.sums)):]
}

// keep drops all but n points, the first or the latest.
func (p *sourcePoints) keep(n int, first bool) {
	switch drop := len(p.times) - n; {
	case drop <= 0:
	case first:
		p.times, p.sums = p.times[:n], p.sums[:n]
	default:
		p.times, p.sums = p.times[drop:], p.sums[drop:]
	}
}

// legacyPoint is a point as the old API shows it.
type legacyPoint struct {
	time       int64
	value      float64
	count      float64
	min, max   float64
	sum        float64
	sumSquares float64
	rollups    int     // points that were made one, of one source; 0 if none were
	summarized int     // sources that were made one; 0 if none were
	sumMeans   float64 // of their values
}

func newLegacyPoint(at int64, s *tsdb.Summary, value tsdb.Function) legacyPoint {
	return legacyPoint{
		time: at, value: s.Value(value), count: s.Count, min: s.Min, max: s.Max, sum: s.Sum,
		sumSquares: s.M2 + s.Sum*s.Sum/s.Count,
	}
}

// lists makes the lists of the answer: those of the sources, that of all, or
// both.
func (ask *legacyRequest) lists(sources map[string]*sourcePoints) map[string][]legacyPoint {
	lists := make(map[string][]legacyPoint, len(sources)+1)
	for name, points := range sources {
		value := tsdb.Mean
		if ask.isCounter && !ask.summarizeTime && ask.across == "" {
			value = tsdb.Last
		} else if ask.isCounter {
			points.deltas()
		}
		if ask.count > 0 {
			points.keep(int(ask.count), ask.first)
		}
		lists[name] = ask.list(points, value)
	}
	if ask.across == "" {
		return lists
	}
	all := acrossSources(lists, groupings[ask.across])
	if !ask.breakout {
		clear(lists)
	}
	lists[tidemark.AllSources] = all
	return lists
}

// list is the list of one source. Where times are summarized it has one point,
// at the first of them.
func (ask *legacyRequest) list(points *sourcePoints, value tsdb.Function) []legacyPoint {
	list := make([]legacyPoint, 0, len(points.times))
	if !ask.summarizeTime {
		for i, at := range points.times {
			list = append(list, newLegacyPoint(at, &points.sums[i], value))
		}
		return list
	}
	if len(points.times) == 0 {
		return list
	}
	var whole tsdb.Summary
	for i := range points.sums {
		whole.Merge(&points.sums[i])
	}
	one := newLegacyPoint(points.times[0], &whole, tsdb.Mean)
	one.rollups = len(points.times)
	return append(list, one)
}

// groupings are what makes one number of those that sources have.
var groupings = map[string]func([]float64) float64{
	"min":   slices.Min[[]float64],
	"max":   slices.Max[[]float64],
	"mean":  func(v []float64) float64 { return total(v) / float64(len(v)) },
	"sum":   total,
	"count": func(v []float64) float64 { return float64(len(v)) },
}

func total(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// acrossSources makes one list of all: each number of a point is f of the
// numbers of the sources at that time, but for the count, which is that of all
// measurements.
func acrossSources(lists map[string][]legacyPoint, f func([]float64) float64) []legacyPoint {
	byTime := make(map[int64][]legacyPoint)
	var earliest []int64
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		for _, p := range lists[name] {
			at := p.time
			if p.rollups > 0 { // all are of the whole time, wherever each begins
				at = 0
				earliest = append(earliest, p.time)
			}
			byTime[at] = append(byTime[at], p)
		}
	}
	all := make([]legacyPoint, 0, len(byTime))
	for _, at := range slices.Sorted(maps.Keys(byTime)) {
		one := acrossPoints(byTime[at], f)
		if one.time = at; len(earliest) > 0 {
			one.time = slices.Min(earliest)
		}
		all = append(all, one)
	}
	return all
}

func acrossPoints(points []legacyPoint, f func([]float64) float64) legacyPoint {
	numbers := make([]float64, len(points))
	of := func(field func(*legacyPoint) float64) []float64 {
		for i := range points {
			numbers[i] = field(&points[i])
		}
		return numbers
	}
	one := legacyPoint{
		value:      f(of(func(p *legacyPoint) float64 { return p.value })),
		count:      total(of(func(p *legacyPoint) float64 { return p.count })),
		min:        f(of(func(p *legacyPoint) float64 { return p.min })),
		max:        f(of(func(p *legacyPoint) float64 { return p.max })),
		sum:        f(of(func(p *legacyPoint) float64 { return p.sum })),
		sumSquares: f(of(func(p *legacyPoint) float64 { return p.sumSquares })),
		sumMeans:   total(of(func(p *legacyPoint) float64 { return p.value })),
		summarized: len(points),
	}
	for i := range points {
		one.rollups += points[i].rollups
	}
	return one
}

// writeMetricBySource writes the metric and its measurements.
func writeMetricBySource(out *jsonout.Writer, m *tidemark.Metric, ask *legacyRequest, lists map[string][]legacyPoint) {
	out.Text("{")
	out.Members(m)
	out.Text(`,"resolution":`)
	out.Integer(ask.Resolution)
	out.Text(`,"measurements":{`)
	for i, name := range slices.Sorted(maps.Keys(lists)) {
		if i > 0 {
			out.Text(",")
		}
		out.Quoted(name)
		out.Text(":[")
		for j := range lists[name] {
			if j > 0 {
				out.Text(",")
			}
			writeLegacyPoint(out, &lists[name][j])
		}
		out.Text("]")
	}
	out.Text(`},"query":{`)
	if ask.nextTime > 0 {
		out.Text(`"next_time":`)
		out.Integer(ask.nextTime)
	}
	out.Text("}}")
}

func writeLegacyPoint(out *jsonout.Writer, p *legacyPoint) {
	out.Text(`{"measure_time":`)
	out.Integer(p.time)
	for _, f := range []struct {
		name  string
		value float64
	}{{`,"value":`, p.value}, {`,"count":`, p.count}, {`,"min":`, p.min}, {`,"max":`, p.max}, {`,"sum":`, p.sum}, {`,"sum_squares":`, p.sumSquares}} {
		out.Text(f.name)
		out.Float(f.value)
	}
	if p.rollups > 0 {
		out.Text(`,"rollups":`)
		out.Integer(int64(p.rollups))
	}
	if p.summarized > 0 {
		out.Text(`,"summarized":`)
		out.Integer(int64(p.summarized))
		out.Text(`,"sum_means":`)
		out.Float(p.sumMeans)
	}
	out.Text("}")
}
