package chunk

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Sums is the sink of a query that needs sum and count only.
type Sums struct {
	steps
	sum, cnt []float64

	c      Decoded
	sc     Scratch
	dec    decimals
	values []float64
}

func (p *Sums) Reset() {
	p.steps.Reset()
	p.sum, p.cnt = p.sum[:0], p.cnt[:0]
}

// open goes to the step of t and returns its position. Times ascend.
func (p *Sums) open(t int64) int {
	if t >= p.end {
		p.begin(t)
		p.sum, p.cnt = append(p.sum, negZero), append(p.cnt, 0)
	}
	return len(p.t) - 1
}

// negZero plus anything is that thing, bit for bit; 0 plus -0 is not -0.
var negZero = math.Copysign(0, -1)

func (p *Sums) Chunk(e *Piece) error {
	switch {
	case p.outside(e):
		return nil
	case p.fits(int64(e.Start), &e.Header):
		return p.direct(e.Data, int64(e.Start), &e.Header)
	}
	if ok, err := p.dec.read(e.Data, e.Start, &e.Header); ok || err != nil {
		if ok {
			p.decimals(&p.dec)
		}
		return err
	}
	if err := p.c.Read(e.Data, e.Start, &p.sc, false); err != nil {
		return err
	}
	i, _ := slices.BinarySearch(p.c.T, uint32(min(p.lo, 1<<32-1)))
	if p.c.flags&flagSummary == 0 {
		p.plain(p.c.T[i:], p.c.v[i:])
		return nil
	}
	for ; i < len(p.c.T) && int64(p.c.T[i]) < p.hi; i++ {
		k := p.open(int64(p.c.T[i]))
		p.sum[k] += p.c.v[i]
		p.cnt[k] += p.c.cnt[i]
	}
	return nil
}

// fits reports whether each record of a chunk is a step of its own.
func (p *Sums) fits(t0 int64, h *Header) bool {
	return h.flags&flagRegular != 0 && t0%p.Step == 0 && (h.N == 1 || int64(h.step)%p.Step == 0) &&
		t0 >= max(p.lo, p.end) && t0+int64(h.Span) < p.hi
}

// direct decodes a chunk that fits to where its points belong.
func (p *Sums) direct(e Encoded, t0 int64, h *Header) error {
	_, b, err := readHeader(e.b)
	if err != nil {
		return err
	}
	from := len(p.t)
	p.t, p.sum, p.cnt = extend(p.t, h.N), extend(p.sum, h.N), extend(p.cnt, h.N)
	if h.flags&flagSummary != 0 {
		b, err = readFloats(b, p.cnt[from:])
	} else {
		for i := range p.cnt[from:] {
			p.cnt[from+i] = 1
		}
	}
	if err == nil {
		_, err = readFloats(b, p.sum[from:])
	}
	if err != nil {
		p.t, p.sum, p.cnt = p.t[:from], p.sum[:from], p.cnt[:from]
		return err
	}
	for i := range p.t[from:] {
		p.t[from+i] = t0 + int64(i)*int64(h.step)
	}
	p.end = t0 + int64(h.Span) + p.Step
	return nil
}

func (p *Sums) run(r *Run, i, j int) {
	for ; i < j && int64(r.T[i]) < p.lo; i++ {
	}
	if !r.Has {
		p.plain(r.T[i:j], r.V[i:j])
		return
	}
	for ; i < j && int64(r.T[i]) < p.hi; i++ {
		k := p.open(int64(r.T[i]))
		p.sum[k] += r.Sum[i].Sum
		p.cnt[k] += r.Sum[i].Count
	}
}

// plain adds values, step by step.
func (p *Sums) plain(times []uint32, v []float64) {
	v = v[:len(times)]
	for i := 0; i < len(times) && int64(times[i]) < p.hi; {
		if n := p.plainOwn(times[i:], v[i:]); n > 0 {
			i += n
			continue
		}
		k := p.open(int64(times[i]))
		from, end, sum := i, min(p.end, p.hi), p.sum[k]
		for ; i < len(times) && int64(times[i]) < end; i++ {
			sum += v[i]
		}
		p.sum[k] = sum
		p.cnt[k] += float64(i - from)
	}
}

// plainOwn adds the first of some values, if they are regular and each has a
// step of its own, and returns how many it added.
func (p *Sums) plainOwn(times []uint32, v []float64) int {
	if len(times) < 2 || int64(times[1]-times[0]) < p.Step || !p.isOwn(int64(times[0]), int64(times[1]-times[0])) {
		return 0
	}
	apart, n := times[1]-times[0], 1
	for n < len(times) && times[n]-times[n-1] == apart && int64(times[n]) < p.hi {
		n++
	}
	p.beginOwn(int64(times[0]), int64(apart), n)
	p.sum = append(p.sum, v[:n]...)
	from := len(p.cnt)
	p.cnt = extend(p.cnt, n)
	for i := range p.cnt[from:] {
		p.cnt[from+i] = 1
	}
	return n
}

// Absorb adds overdue records after all others.
func (p *Sums) Absorb(list []Overdue) {
	at, ok := 0, false
	for i := range list {
		w := int64(list[i].T) / p.Step * p.Step
		at, ok = place(p.t, at, w)
		if !ok {
			n := p.openAt(at, list[i:])
			p.sum, p.cnt = insert(p.sum, at, n, negZero), insert(p.cnt, at, n, 0)
		}
		p.sum[at] += list[i].Sum.Sum
		p.cnt[at] += list[i].Sum.Count
	}
}

// Series returns the means, sums or counts. It is valid until the next reset.
func (p *Sums) Series(f tsdb.Function) ([]int64, []float64) {
	switch f {
	case tsdb.Sum:
		return p.t, p.sum
	case tsdb.Count:
		return p.t, p.cnt
	}
	v := grow(p.values, len(p.t))
	p.values = v
	for i, s := range p.sum {
		v[i] = s / p.cnt[i]
	}
	return p.t, v
}
