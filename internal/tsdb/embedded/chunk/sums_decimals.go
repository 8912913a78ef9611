package chunk

import (
	"math"
	"math/bits"
	"slices"
)

// decimals adds values, step by step.
func (p *Sums) decimals(d *decimals) {
	switch {
	case d.gaps:
		p.gappy(d)
	case d.step == 0:
		p.irregular(d)
	default:
		p.regular(d)
	}
}

// regular adds values at regular times.
func (p *Sums) regular(d *decimals) {
	unit := pow10[d.k]
	for i := d.find(p.lo); i < len(d.x); {
		t := d.at(i)
		if t >= p.hi {
			return
		}
		if p.isOwn(t, d.step) {
			p.own(t, d.step, d.x[i:d.next(i, p.hi)], unit)
			return
		}
		at := p.open(t)
		j := d.next(i, min(p.end, p.hi))
		p.sum[at] += sumInts(d.x[i:j]) / unit
		p.cnt[at] += float64(j - i)
		i = j
		if p.Step%d.step == 0 {
			i += p.wholeSteps(d.at(i), int(p.Step/d.step), d.x[i:], unit)
		}
	}
}

// own adds values of which each has a step of its own.
func (p *Sums) own(t, apart int64, x []int64, unit float64) {
	p.beginOwn(t, apart, len(x))
	from := len(p.sum)
	p.sum, p.cnt = extend(p.sum, len(x)), extend(p.cnt, len(x))
	sums, counts := p.sum[from:], p.cnt[from:]
	counts = counts[:len(sums)]
	for i, y := range x[:len(sums)] {
		sums[i], counts[i] = float64(y)/unit, 1
	}
}

// wholeSteps adds steps of n values each, the first of which is at t, as long
// as they are complete, and returns how many values that were.
func (p *Sums) wholeSteps(t int64, n int, x []int64, unit float64) int {
	steps := min(len(x)/n, int((p.hi-t)/p.Step))
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
		t += p.Step
	}
	p.end = t
	return steps * n
}

// gappy adds values at times that have gaps.
func (p *Sums) gappy(d *decimals) {
	unit, lo := pow10[d.k], p.lo
	if n := p.Step / d.step; p.Step%d.step == 0 && n <= 64 {
		// What is left of a step first, so that the rest are whole ones.
		lo = max(p.lo, d.t0)
		if first := ceil(lo, p.Step); p.end <= first && (first-d.t0)%d.step == 0 {
			p.windows(d, lo, min(first, p.hi), unit)
			lo = p.wholeSlots(d, first, int(n), unit)
		}
	}
	p.windows(d, lo, p.hi, unit)
}

func ceil(t, n int64) int64 { return (t + n - 1) / n * n }

// windows adds the values of d in [lo, hi), a step at a time.
func (p *Sums) windows(d *decimals, lo, hi int64, unit float64) {
	d.windows(lo, hi, p.Step, func(t int64, x []int64) {
		at := p.open(t)
		p.sum[at] += sumInts(x) / unit
		p.cnt[at] += float64(len(x))
	})
}

// wholeSlots adds the steps of n slots each from t on, as far as d and the
// bounds go, and returns where it stopped.
func (p *Sums) wholeSlots(d *decimals, t int64, n int, unit float64) int64 {
	slot := int((t - d.t0) / d.step)
	steps := min((d.n-slot)/n, int((p.hi-t)/p.Step))
	if steps <= 0 {
		return t
	}
	at, x := len(p.t), d.in.count(0, slot)
	prefix := d.prefixes() // a loop over five or six values mispredicts its branch
	p.t, p.sum, p.cnt = extend(p.t, steps), extend(p.sum, steps), extend(p.cnt, steps)
	mask := uint64(1)<<(n&63) - 1
	if n == 64 {
		mask = math.MaxUint64
	}
	for range steps {
		if c := bits.OnesCount64(d.in.bits(slot) & mask); c > 0 {
			p.t[at], p.sum[at], p.cnt[at] = t, float64(prefix[x+c]-prefix[x])/unit, float64(c)
			x += c
			at++
		}
		slot += n
		t += p.Step
	}
	p.t, p.sum, p.cnt = p.t[:at], p.sum[:at], p.cnt[:at]
	p.end = t
	return t
}

// irregular adds values at irregular times to sums and counts.
func (p *Sums) irregular(d *decimals) {
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
