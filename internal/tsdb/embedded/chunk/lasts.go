package chunk

import "github.com/tidemark-metrics/tidemark/internal/tsdb"

// Lasts is the sink of a query that needs the last value of each step only.
type Lasts struct {
	steps
	decoder
	v []float64
}

func (p *Lasts) Reset() {
	p.steps.Reset()
	p.v = p.v[:0]
}

// set makes v the last value of the step of t. Times ascend.
func (p *Lasts) set(t int64, v float64) {
	if t < p.end {
		p.v[len(p.v)-1] = v
		return
	}
	p.begin(t)
	p.v = append(p.v, v)
}

// add is set for a summary; one of nothing changes nothing.
func (p *Lasts) add(t int64, s *tsdb.Summary) {
	if s.Count != 0 || t >= p.end {
		p.set(t, s.Last)
	}
}

func (p *Lasts) Chunk(e *Piece) error { return p.read(e, &p.steps, p) }

// decimals takes the last value of each step.
func (p *Lasts) decimals(d *decimals) {
	unit := pow10[d.k]
	if d.gaps {
		d.windows(p.lo, p.hi, p.Step, func(t int64, x []int64) { p.set(t, float64(x[len(x)-1])/unit) })
		return
	}
	for i := d.find(p.lo); i < len(d.x) && d.at(i) < p.hi; {
		t := d.at(i)
		if p.isOwn(t, d.step) {
			p.own(t, d.step, d.x[i:d.next(i, p.hi)], unit)
			return
		}
		j := d.next(i, min(t-t%p.Step+p.Step, p.hi))
		p.set(t, float64(d.x[j-1])/unit)
		i = j
	}
}

// own takes values of which each has a step of its own.
func (p *Lasts) own(t, apart int64, x []int64, unit float64) {
	p.beginOwn(t, apart, len(x))
	from := len(p.v)
	p.v = extend(p.v, len(x))
	v := p.v[from:]
	for i, y := range x {
		v[i] = float64(y) / unit
	}
}

func (p *Lasts) run(r *Run, i, j int) {
	for ; i < j && int64(r.T[i]) < p.lo; i++ {
	}
	for ; i < j && int64(r.T[i]) < p.hi; i++ {
		if !r.Has {
			p.set(int64(r.T[i]), r.V[i])
			continue
		}
		p.add(int64(r.T[i]), &r.Sum[i])
	}
}

// Absorb adds overdue records after all others.
func (p *Lasts) Absorb(list []Overdue) {
	at, ok := 0, false
	for i := range list {
		w := int64(list[i].T) / p.Step * p.Step
		if at, ok = place(p.t, at, w); !ok {
			p.v = insert(p.v, at, p.openAt(at, list[i:]), 0)
		}
		if list[i].Sum.Count != 0 {
			p.v[at] = list[i].Sum.Last
		}
	}
}

// Series returns the last values, or how they change. It is valid until the
// next reset.
func (p *Lasts) Series(f tsdb.Function) ([]int64, []float64) {
	if f == tsdb.Derivative {
		return differences(p.t, p.v)
	}
	return p.t, p.v
}

// differences makes of values what each is more than the one before.
func differences(t []int64, v []float64) ([]int64, []float64) {
	if len(v) == 0 {
		return t, v
	}
	for i := len(v) - 1; i > 0; i-- {
		v[i] -= v[i-1]
	}
	return t[1:], v[1:]
}
