package embedded

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// points is the sink of a query: one point for each step that has records.
// Unless full it keeps sum and count alone.
type points struct {
	step   int64
	full   bool
	lo, hi int64
	end    int64 // of the step that is open

	t        []int64
	sum, cnt []float64
	sums     []tsdb.Summary

	c      chunk
	sc     scratch
	dec    decimals
	values []float64
}

func (p *points) reset() {
	p.end = -1
	p.t, p.sum, p.cnt, p.sums = p.t[:0], p.sum[:0], p.cnt[:0], p.sums[:0]
}

func (p *points) bounds(lo, hi int64) { p.lo, p.hi = lo, hi }

// open goes to the step of t and returns its position. Times ascend.
func (p *points) open(t int64) int {
	if t >= p.end {
		w := p.end
		if w < 0 || t-w >= p.step { // dividing is dear, and the next step most likely
			w = t - t%p.step
		}
		p.end = w + p.step
		p.t = append(p.t, w)
		if p.full {
			p.sums = append(p.sums, tsdb.Summary{})
		} else {
			p.sum, p.cnt = append(p.sum, negZero), append(p.cnt, 0)
		}
	}
	return len(p.t) - 1
}

// negZero plus anything is that thing, bit for bit; 0 plus -0 is not -0.
var negZero = math.Copysign(0, -1)

// add adds a record to its step.
func (p *points) add(t uint32, s *tsdb.Summary) {
	i := p.open(int64(t))
	if p.full {
		p.sums[i].Merge(s)
		return
	}
	p.sum[i] += s.Sum
	p.cnt[i] += s.Count
}

func (p *points) chunk(b []byte, t0 uint32, h *chunkHeader) error {
	if int64(t0) >= p.hi || int64(t0)+int64(h.span) < p.lo {
		return nil
	}
	if !p.full && p.fits(int64(t0), h) {
		return p.direct(b, int64(t0), h)
	}
	if ok, err := p.dec.read(b, t0, h); ok || err != nil {
		if ok {
			p.decimals(&p.dec)
		}
		return err
	}
	if err := p.c.read(b, t0, &p.sc, p.full); err != nil {
		return err
	}
	i, _ := slices.BinarySearch(p.c.t, uint32(min(p.lo, 1<<32-1)))
	if p.full {
		for ; i < len(p.c.t) && int64(p.c.t[i]) < p.hi; i++ {
			s := p.c.at(i)
			p.add(p.c.t[i], &s)
		}
		return nil
	}
	if p.c.flags&flagSummary == 0 {
		p.plain(p.c.t[i:], p.c.v[i:])
		return nil
	}
	for ; i < len(p.c.t) && int64(p.c.t[i]) < p.hi; i++ {
		k := p.open(int64(p.c.t[i]))
		p.sum[k] += p.c.v[i]
		p.cnt[k] += p.c.cnt[i]
	}
	return nil
}

// fits reports whether each record of a chunk is a step of its own.
func (p *points) fits(t0 int64, h *chunkHeader) bool {
	return h.flags&flagRegular != 0 && t0%p.step == 0 && (h.n == 1 || int64(h.step)%p.step == 0) &&
		t0 >= max(p.lo, p.end) && t0+int64(h.span) < p.hi
}

// direct decodes a chunk that fits to where its points belong.
func (p *points) direct(b []byte, t0 int64, h *chunkHeader) error {
	_, b, err := readHeader(b)
	if err != nil {
		return err
	}
	from := len(p.t)
	p.t, p.sum, p.cnt = extend(p.t, h.n), extend(p.sum, h.n), extend(p.cnt, h.n)
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
	p.end = t0 + int64(h.span) + p.step
	return nil
}

// decimals adds values, step by step.
func (p *points) decimals(d *decimals) {
	switch {
	case d.gaps:
		p.gappy(d)
		return
	case !p.full && d.step == 0:
		p.irregular(d)
		return
	}
	unit := pow10[d.k]
	for i := d.find(p.lo); i < len(d.x); {
		t := d.at(i)
		if t >= p.hi {
			return
		}
		at := p.open(t)
		j := d.next(i, min(p.end, p.hi))
		if p.full {
			s := summarize(d.x[i:j], d.k)
			p.sums[at].Merge(&s)
		} else {
			p.sum[at] += sumInts(d.x[i:j]) / unit
			p.cnt[at] += float64(j - i)
		}
		i = j
		if !p.full && p.step%d.step == 0 {
			i += p.wholeSteps(d.at(i), int(p.step/d.step), d.x[i:], unit)
		}
	}
}

// gappy adds values at times that have gaps.
func (p *points) gappy(d *decimals) {
	unit, lo := pow10[d.k], p.lo
	if n := p.step / d.step; !p.full && p.step%d.step == 0 && n <= 64 {
		// What is left of a step first, so that the rest are whole ones.
		lo = max(p.lo, d.t0)
		if first := ceil(lo, p.step); p.end <= first && (first-d.t0)%d.step == 0 {
			p.windows(d, lo, min(first, p.hi), unit)
			lo = p.wholeSlots(d, first, int(n), unit)
		}
	}
	p.windows(d, lo, p.hi, unit)
}

// windows adds the values of d in [lo, hi), a step at a time.
func (p *points) windows(d *decimals, lo, hi int64, unit float64) {
	d.windows(lo, hi, p.step, func(t int64, x []int64) {
		at := p.open(t)
		if p.full {
			s := summarize(x, d.k)
			p.sums[at].Merge(&s)
			return
		}
		p.sum[at] += sumInts(x) / unit
		p.cnt[at] += float64(len(x))
	})
}

// wholeSlots adds the steps of n slots each from t on, as far as d and the
// bounds go, and returns where it stopped.
func (p *points) wholeSlots(d *decimals, t int64, n int, unit float64) int64 {
	slot := int((t - d.t0) / d.step)
	steps := min((d.n-slot)/n, int((p.hi-t)/p.step))
	if steps <= 0 {
		return t
	}
	at, x := len(p.t), d.in.count(0, slot)
	sums := d.prefixes() // a loop of five or six is dear: nobody can tell which
	p.t, p.sum, p.cnt = extend(p.t, steps), extend(p.sum, steps), extend(p.cnt, steps)
	mask := uint64(1)<<(n&63) - 1
	if n == 64 {
		mask = math.MaxUint64
	}
	for range steps {
		if c := bits.OnesCount64(d.in.bits(slot) & mask); c > 0 {
			p.t[at], p.sum[at], p.cnt[at] = t, float64(sums[x+c]-sums[x])/unit, float64(c)
			x += c
			at++
		}
		slot += n
		t += p.step
	}
	p.t, p.sum, p.cnt = p.t[:at], p.sum[:at], p.cnt[:at]
	p.end = t
	return t
}

// irregular adds values at irregular times to sums and counts.
func (p *points) irregular(d *decimals) {
	unit := pow10[d.k]
	x := d.x[:len(d.off)]
	for i := d.find(p.lo); i < len(x); {
		t := d.t0 + d.off[i]
		if t >= p.hi {
			return
		}
		at := p.open(t)
		from, most, end := i, min(len(x), i+safeSum), min(p.end, p.hi)-d.t0
		var s int64
		for ; i < most && d.off[i] < end; i++ {
			s += x[i]
		}
		p.sum[at] += float64(s) / unit
		p.cnt[at] += float64(i - from)
	}
}

// wholeSteps adds steps of n values each, the first of which is at t, as long
// as they are complete, and returns how many values that were.
func (p *points) wholeSteps(t int64, n int, x []int64, unit float64) int {
	steps := min(len(x)/n, int((p.hi-t)/p.step))
	if steps <= 0 || t != p.end || n > safeSum {
		return 0
	}
	from := len(p.t)
	p.t, p.sum, p.cnt = extend(p.t, steps), extend(p.sum, steps), extend(p.cnt, steps)
	times, sums, counts := p.t[from:], p.sum[from:], p.cnt[from:]
	counts, sums = counts[:len(times)], sums[:len(times)]
	for i := range times {
		var s int64
		for _, y := range x[:n] {
			s += y
		}
		x = x[n:]
		times[i], sums[i], counts[i] = t, float64(s)/unit, float64(n)
		t += p.step
	}
	p.end = t
	return steps * n
}

// extend returns s with n more elements, whatever they hold.
func extend[T any](s []T, n int) []T { return slices.Grow(s, n)[:len(s)+n] }

const safeSum = 512

// sumInts adds integers below 2^53, few enough at a time not to overflow.
func sumInts(x []int64) float64 {
	total := 0.0
	for len(x) > safeSum {
		total += sumInts(x[:safeSum])
		x = x[safeSum:]
	}
	var s int64
	for _, y := range x {
		s += y
	}
	return total + float64(s)
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

func (p *points) run(r *run, i, j int) {
	for ; i < j && int64(r.t[i]) < p.lo; i++ {
	}
	if p.full || r.has {
		for ; i < j && int64(r.t[i]) < p.hi; i++ {
			s := r.at(i)
			p.add(r.t[i], &s)
		}
		return
	}
	p.plain(r.t[i:j], r.v[i:j])
}

// plain adds values, step by step.
func (p *points) plain(times []uint32, v []float64) {
	v = v[:len(times)]
	for i := 0; i < len(times) && int64(times[i]) < p.hi; {
		k := p.open(int64(times[i]))
		from, end, sum := i, min(p.end, p.hi), p.sum[k]
		for ; i < len(times) && int64(times[i]) < end; i++ {
			sum += v[i]
		}
		p.sum[k] = sum
		p.cnt[k] += float64(i - from)
	}
}

// absorb adds overdue records after all others.
func (p *points) absorb(list []overdueRecord) {
	if len(list) == 0 {
		return
	}
	if p.full {
		p.t, p.sums = absorb(p.t, p.sums, list, p.step)
		return
	}
	for i := range list {
		w := int64(list[i].t) / p.step * p.step
		at, ok := slices.BinarySearch(p.t, w)
		if !ok {
			p.t, p.sum, p.cnt = slices.Insert(p.t, at, w), slices.Insert(p.sum, at, negZero), slices.Insert(p.cnt, at, 0)
		}
		p.sum[at] += list[i].sum.Sum
		p.cnt[at] += list[i].sum.Count
	}
}

// series returns what f makes of the points. It is valid until the next reset.
func (p *points) series(f tsdb.Function) ([]int64, []float64) {
	if !p.full && f == tsdb.Sum {
		return p.t, p.sum
	}
	if !p.full && f == tsdb.Count {
		return p.t, p.cnt
	}
	v := grow(p.values, len(p.t))
	p.values = v
	if !p.full {
		for i, s := range p.sum {
			v[i] = s / p.cnt[i]
		}
		return p.t, v
	}
	for i := range p.sums {
		v[i] = p.sums[i].Value(f)
	}
	if f != tsdb.Derivative || len(v) == 0 {
		return p.t, v
	}
	for i := len(v) - 1; i > 0; i-- {
		v[i] -= v[i-1]
	}
	return p.t[1:], v[1:]
}

// needsAll reports whether f needs more than sum and count.
func needsAll(f tsdb.Function) bool { return f != tsdb.Mean && f != tsdb.Sum && f != tsdb.Count }
