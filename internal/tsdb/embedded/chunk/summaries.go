package chunk

import "github.com/tidemark-metrics/tidemark/internal/tsdb"

// Summaries is the sink of a query that needs more than sum and count.
type Summaries struct {
	steps
	decoder
	sums   []tsdb.Summary
	values []float64
}

func (p *Summaries) Reset() {
	p.steps.Reset()
	p.sums = p.sums[:0]
}

// add adds a summary to the step of t. Times ascend.
func (p *Summaries) add(t int64, s *tsdb.Summary) {
	if t < p.end {
		p.sums[len(p.sums)-1].Merge(s)
		return
	}
	p.begin(t)
	p.sums = append(p.sums, *s)
}

func (p *Summaries) Chunk(e *Piece) error { return p.read(e, &p.steps, p) }

// decimals adds values, step by step.
func (p *Summaries) decimals(d *decimals) {
	if d.gaps {
		d.windows(p.lo, p.hi, p.Step, func(t int64, x []int64) {
			s := summarize(x, d.k)
			p.add(t, &s)
		})
		return
	}
	for i := d.find(p.lo); i < len(d.x) && d.at(i) < p.hi; {
		t := d.at(i)
		j := d.next(i, min(t-t%p.Step+p.Step, p.hi))
		s := summarize(d.x[i:j], d.k)
		p.add(t, &s)
		i = j
	}
}

func (p *Summaries) run(r *Run, i, j int) {
	for ; i < j && int64(r.T[i]) < p.lo; i++ {
	}
	for ; i < j && int64(r.T[i]) < p.hi; i++ {
		s := r.At(i)
		p.add(int64(r.T[i]), &s)
	}
}

// Absorb adds overdue records after all others.
func (p *Summaries) Absorb(list []Overdue) {
	at, ok := 0, false
	for i := range list {
		w := int64(list[i].T) / p.Step * p.Step
		at, ok = place(p.t, at, w)
		if !ok {
			p.sums = insert(p.sums, at, p.openAt(at, list[i:]), tsdb.Summary{})
		}
		p.sums[at].Merge(&list[i].Sum)
	}
}

// All returns the summaries. They are valid until the next reset.
func (p *Summaries) All() ([]int64, []tsdb.Summary) { return p.t, p.sums }

// Series returns what f makes of the summaries. It is valid until the next reset.
func (p *Summaries) Series(f tsdb.Function) ([]int64, []float64) {
	v := grow(p.values, len(p.t))
	p.values = v
	for i := range p.sums {
		v[i] = p.sums[i].Value(f)
	}
	if f == tsdb.Derivative {
		return differences(p.t, v)
	}
	return p.t, v
}

// summarize makes one summary of values x / 10^k. Sums are made of integers,
// so that they are the decimal truth.
func summarize(x []int64, k int) tsdb.Summary {
	first := x[0]
	low, high := first, first
	var diff int64
	sq := 0.0
	for _, y := range x {
		d := y - first
		diff += d
		sq += float64(d) * float64(d)
		low, high = min(low, y), max(high, y)
	}
	p, n := pow10[k], float64(len(x))
	s := tsdb.Summary{Count: n, Sum: sumInts(x) / p, Min: float64(low) / p, Max: float64(high) / p, Last: float64(x[len(x)-1]) / p}
	if len(x) > 1 {
		s.M2 = max(0, (n*sq-float64(diff)*float64(diff))/(n*p*p))
	}
	return s
}
