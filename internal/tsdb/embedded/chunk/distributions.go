package chunk

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Distributions is the sink of a query that asks how values are distributed:
// it looks at every record, since a single value counts as itself.
type Distributions struct {
	steps
	Quantile float64 // that Series gives

	sums  []tsdb.Summary
	known []*sketch.Sketch // those in use, and behind them those to use again

	c      Decoded
	sc     Scratch
	times  []int64 // of Series
	values []float64
}

func (p *Distributions) Reset() {
	p.steps.Reset()
	p.sums = p.sums[:0]
}

// add adds a record to the step of t. Times ascend.
func (p *Distributions) add(t int64, s *tsdb.Summary, encoded []byte) {
	if t >= p.end {
		p.begin(t)
		p.open(len(p.sums))
	}
	p.merge(len(p.sums)-1, s, encoded)
}

// open puts an empty step at a position.
func (p *Distributions) open(at int) {
	n := len(p.sums)
	p.sums = slices.Insert(p.sums, at, tsdb.Summary{})
	if n == len(p.known) {
		p.known = append(p.known, new(sketch.Sketch))
	}
	k := p.known[n]
	k.Reset()
	copy(p.known[at+1:n+1], p.known[at:n])
	p.known[at] = k
}

func (p *Distributions) merge(at int, s *tsdb.Summary, encoded []byte) {
	p.sums[at].Merge(s)
	addKnown(p.known[at], encoded, s)
}

func (p *Distributions) Chunk(e *Piece) error {
	if p.outside(e) {
		return nil
	}
	if err := p.c.Read(e.Data, e.Start, &p.sc, true); err != nil {
		return err
	}
	i, _ := slices.BinarySearch(p.c.T, uint32(min(p.lo, 1<<32-1)))
	for ; i < len(p.c.T) && int64(p.c.T[i]) < p.hi; i++ {
		s := p.c.at(i)
		p.add(int64(p.c.T[i]), &s, p.c.sketches.at(i))
	}
	return nil
}

// decimals adds values one by one.
func (p *Distributions) decimals(d *decimals) {
	d.each(p.lo, p.hi, func(t int64, s *tsdb.Summary) { p.add(t, s, nil) })
}

// each calls fn for each value in [lo, hi).
func (d *decimals) each(lo, hi int64, fn func(t int64, s *tsdb.Summary)) {
	one := func(t int64, x []int64) {
		s := tsdb.Single(float64(x[0]) / pow10[d.k])
		fn(t, &s)
	}
	if d.gaps {
		d.windows(lo, hi, 1, one)
		return
	}
	for i := d.find(lo); i < len(d.x) && d.at(i) < hi; i++ {
		one(d.at(i), d.x[i:])
	}
}

func (p *Distributions) run(r *Run, i, j int) {
	for ; i < j && int64(r.T[i]) < p.lo; i++ {
	}
	for ; i < j && int64(r.T[i]) < p.hi; i++ {
		s := r.At(i)
		p.add(int64(r.T[i]), &s, r.Sketch(i))
	}
}

// Absorb adds overdue records after all others.
func (p *Distributions) Absorb(list []Overdue) {
	at, ok := 0, false
	for i := range list {
		w := int64(list[i].T) / p.Step * p.Step
		at, ok = place(p.t, at, w)
		if !ok {
			p.t = slices.Insert(p.t, at, w)
			p.open(at)
		}
		p.merge(at, &list[i].Sum, list[i].Sketch)
	}
}

// Series returns the percentiles of those steps of which any is known,
// whatever f is. It is valid until the next reset.
func (p *Distributions) Series(tsdb.Function) ([]int64, []float64) {
	p.times, p.values = p.times[:0], p.values[:0]
	for i := range p.sums {
		if p.known[i].Len() > 0 {
			d := tsdb.Distribution{Summary: p.sums[i], Sketch: p.known[i]}
			p.times, p.values = append(p.times, p.t[i]), append(p.values, d.Percentile(p.Quantile))
		}
	}
	return p.times, p.values
}

// All returns what the steps hold, and of those values whose distribution is
// known the sketches. They are valid until the next reset.
func (p *Distributions) All() ([]int64, []tsdb.Summary, []*sketch.Sketch) {
	return p.t, p.sums, p.known[:len(p.sums)]
}
