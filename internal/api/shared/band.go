package shared

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

const (
	maxApart     = 5       // lines that are told beside a band
	maxBandSteps = 10_000  // more than any screen is wide
	maxKept      = 8 << 20 // values that a band is made of at once, of 8 bytes
	lineCost     = 8       // what a line holds beside its values, in points
	enoughApart  = 0.2     // of the band's width, as the mean of all steps
	leastWidth   = 1e-3    // of the reach of all lines: most may be equal
	leastPart    = 100     // a step with less than a hundredth of the lines of another has no band
)

var (
	errSummarize = tidemark.Errorf(tidemark.Invalid, "summarize must be 0 to %d", maxLines)
	errBandSteps = tidemark.Errorf(tidemark.Invalid, "a band of many streams has at most %d steps: choose a larger resolution or a shorter time", maxBandSteps)
)

// summaries are the lines of a band, from the lowest, and where among the
// sorted values of a step each is.
var summaries = []struct {
	name string
	rank float64
}{{"low", 0}, {"p10", 0.1}, {"median", 0.5}, {"p90", 0.9}, {"high", 1}}

// band sums up lines that are too many to be drawn: what is between its lines
// at each step, and which streams are apart from it.
//
// The lowest and highest are those of all lines but the ones that are apart,
// which are drawn themselves. The others are of the lines that are kept: all of
// them or, where these would be too many values, a part of which chance says
// whose it is. So memory is bounded however many there are.
type band struct {
	ctx       context.Context
	hold      *query.Holding
	first     int64 // the first step, in steps since the epoch
	step      int64
	low, high []ends // of all lines; of high the negatives
	kept      []bandLine
	cells     int    // values in kept
	most      int    // that are kept
	seen      uint64 // lines that were added
	thin      uint   // one in 2^thin is kept
	rows      map[string][]float64
}

func newBand(ctx context.Context, q *ManyQueries, hold *query.Holding) (*band, error) {
	first := q.Start / q.Resolution
	steps := (q.End-1)/q.Resolution - first + 1
	if steps > maxBandSteps {
		return nil, errBandSteps
	}
	b := &band{
		ctx: ctx, hold: hold, first: first, step: q.Resolution, most: maxKept, rows: make(map[string][]float64),
		low: slices.Repeat([]ends{noEnds()}, int(steps)), high: slices.Repeat([]ends{noEnds()}, int(steps)),
	}
	return b, b.cover()
}

// cover holds the memory of the band: its own lines and those it keeps.
func (b *band) cover() error {
	return b.hold.Cover(int64((len(summaries)+2*(maxApart+1))*len(b.low) + b.cells/2 + lineCost*len(b.kept)))
}

// add adds a line, which is not kept as it is.
func (b *band) add(metric string, tags tidemark.Tags, times []int64, values []float64) error {
	line := b.place(times, values)
	for i := line.from; i < min(line.from+len(line.values)+line.stands, len(b.low)); i++ {
		if v := line.at(i); !math.IsNaN(v) {
			b.low[i].add(v)
			b.high[i].add(-v)
		}
	}
	b.seen++
	line.metric, line.tags, line.number = metric, slices.Clone(tags), scrambled(b.seen)
	if len(line.values) == 0 || !line.isAmong(b.thin) {
		return nil
	}
	b.kept, b.cells = append(b.kept, line), b.cells+len(line.values)
	for b.cells > b.most && len(b.kept) > 1 {
		b.halve()
	}
	return b.cover()
}

// halve drops about every other line that is kept.
func (b *band) halve() {
	b.thin++
	b.kept = slices.DeleteFunc(b.kept, func(l bandLine) bool { return !l.isAmong(b.thin) })
	b.cells = 0
	for _, l := range b.kept {
		b.cells += len(l.values)
	}
}

// place puts points onto the grid.
func (b *band) place(times []int64, values []float64) (l bandLine) {
	for i, v := range values {
		at := int(times[i]/b.step - b.first)
		if at < 0 || at >= len(b.low) || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if l.values == nil {
			l.from, l.values = at, make([]float64, 0, min(len(values), len(b.low)-at))
		}
		for len(l.values) <= at-l.from {
			l.values = append(l.values, math.NaN())
		}
		if at >= l.from {
			l.values[at-l.from] = v
		}
	}
	l.stands = l.pace()
	return l
}

// answer puts the lines of the band and those apart into res. It reads all
// lines again where not all were kept.
func (b *band) answer(res *OneResult, again reading) error {
	if err := b.measure(); err != nil {
		return err
	}
	found, err := b.apart(again)
	if err != nil {
		return err
	}
	b.reachOfRest(found)
	for _, s := range summaries {
		res.Series = append(res.Series, b.series(bandLine{values: b.rows[s.name]}, s.name))
	}
	for _, f := range found {
		res.Series = append(res.Series, b.series(f.line, ""))
	}
	return nil
}

// measure finds the lines of the band.
func (b *band) measure() error {
	for _, s := range summaries {
		b.rows[s.name] = slices.Repeat([]float64{math.NaN()}, len(b.low))
	}
	column, counts := make([]float64, 0, len(b.kept)), make([]int, len(b.low))
	for i := range b.low {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		column = column[:0]
		for k := range b.kept {
			if v := b.kept[k].at(i); !math.IsNaN(v) {
				column = append(column, v)
			}
		}
		if counts[i] = len(column); len(column) == 0 {
			continue
		}
		slices.Sort(column)
		for _, s := range summaries {
			b.rows[s.name][i] = column[int(math.Round(s.rank*float64(len(column)-1)))]
		}
	}
	b.leaveOut(counts)
	return nil
}

// reachOfRest finds the lowest and highest of the lines that are not apart;
// what is between the percentiles is always within.
func (b *band) reachOfRest(found []far) {
	for i, p10 := range b.rows["p10"] {
		if math.IsNaN(p10) {
			continue
		}
		low, high := b.low[i], b.high[i]
		for _, f := range found {
			low.drop(f.line.at(i))
			high.drop(-f.line.at(i))
		}
		b.rows["low"][i], b.rows["high"][i] = min(low[0], p10), max(-high[0], b.rows["p90"][i])
	}
}

// leaveOut takes the steps out in which next to no line is: those few that
// were measured at another time than all others are no band.
func (b *band) leaveOut(counts []int) {
	most := slices.Max(counts)
	for i, n := range counts {
		if n*leastPart < most {
			for _, s := range summaries {
				b.rows[s.name][i] = math.NaN()
			}
		}
	}
}

// far is a line and how far it is from the band.
type far struct {
	line  bandLine
	score float64
}

// apart returns the lines that are farthest from the band, first the farthest.
func (b *band) apart(again reading) (found []far, err error) {
	for line, err := range b.lines(again) {
		if err != nil {
			return nil, err
		}
		score := b.distance(&line)
		if score < enoughApart || len(found) == maxApart && score <= found[maxApart-1].score {
			continue
		}
		line.tags = slices.Clone(line.tags)
		found = append(found, far{line, score})
		slices.SortStableFunc(found, func(x, y far) int { return cmp.Compare(y.score, x.score) })
		found = found[:min(len(found), maxApart)]
	}
	return found, nil
}

// lines are all lines.
func (b *band) lines(again reading) iter.Seq2[bandLine, error] {
	return func(yield func(bandLine, error) bool) {
		if b.thin == 0 {
			for _, l := range b.kept {
				if !yield(l, nil) {
					return
				}
			}
			return
		}
		b.kept = nil
		series, err := again()
		if err != nil {
			yield(bandLine{}, err)
			return
		}
		for sr, err := range series {
			var l bandLine
			if err == nil {
				l = b.place(sr.Times, sr.Values)
				l.metric, l.tags = sr.Metric, sr.Tags
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// distance is how far a line is above the 90th or below the 10th percentile,
// in widths of the band between them, as the mean of all steps of the band: so
// one that is far away for a tenth of the time counts as one that is a tenth
// as far away all the time.
func (b *band) distance(l *bandLine) float64 {
	sum, steps := 0.0, 0
	p10, p90 := b.rows["p10"], b.rows["p90"]
	for i := range p10 {
		if math.IsNaN(p10[i]) {
			continue
		}
		steps++
		if v := l.at(i); v < p10[i] || v > p90[i] {
			width := max(p90[i]-p10[i], leastWidth*(-b.high[i][0]-b.low[i][0]))
			sum += max(p10[i]-v, v-p90[i]) / width
		}
	}
	return sum / float64(max(1, steps))
}

// series is a line as it is sent.
func (b *band) series(l bandLine, summary string) OneSeries {
	out := OneSeries{Metric: l.metric, Tags: l.tags.Map(), Times: make([]int64, 0, len(l.values)), Values: make([]float64, 0, len(l.values)), Summary: summary}
	for i, v := range l.values {
		if !math.IsNaN(v) {
			out.Times, out.Values = append(out.Times, (b.first+int64(l.from+i))*b.step), append(out.Values, v)
		}
	}
	return out
}
