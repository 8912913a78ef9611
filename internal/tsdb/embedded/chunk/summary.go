package chunk

import (
	"math"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Summaries are columns: count | sum | decimals(1) | mean-min | max-mean |
// last-mean | M2. With decimals 0..6 the differences are integers in units of
// 10^-decimals and the mean is rounded to one; otherwise (255) they are
// between the bits of the floats. M2 is 1, a column of M2*count*10^(2*decimals)
// and exceptions, or 0 and a column of floats.
const (
	sumDecimals = 6
	sumBits     = 255
)

// appendSummaries appends a chunk of summaries.
func appendSummaries(dst []byte, t []uint32, r []tsdb.Summary, flags byte, s *Scratch) []byte {
	n := len(t)
	dst = appendHead(dst, t, flags|flagSummary, s)
	s.floats = grow(s.floats, n)
	for i := range r {
		s.floats[i] = r[i].Count
	}
	dst = appendFloats(dst, s.floats, s)
	for i := range r {
		s.floats[i] = r[i].Sum
	}
	dst = appendFloats(dst, s.floats, s)
	s.more = grow(s.more, 4*n)
	mean, low, high, last := s.more[:n], s.more[n:2*n], s.more[2*n:3*n], s.more[3*n:]
	k := scaleSummaries(r, mean, low, high, last)
	dst = append(dst, byte(k))
	for i := range r {
		low[i], high[i], last[i] = mean[i]-low[i], high[i]-mean[i], last[i]-mean[i]
	}
	dst = AppendInts(AppendInts(AppendInts(dst, low), high), last)
	return appendM2(dst, r, k, s)
}

// scaleSummaries fills the columns in the fewest decimals that hold all of
// them, or with the floats' bits, and returns which.
func scaleSummaries(r []tsdb.Summary, mean, low, high, last []int64) int {
	for k := 0; k <= sumDecimals; k++ {
		if scaleAll(r, pow10[k], mean, low, high, last) {
			return k
		}
	}
	for i := range r {
		mean[i] = ordered(bitsMean(r[i].Sum, r[i].Count))
		low[i], high[i], last[i] = ordered(r[i].Min), ordered(r[i].Max), ordered(r[i].Last)
	}
	return sumBits
}

// bitsMean is the mean that differences of bits refer to. Bits of a NaN are
// not the same everywhere.
func bitsMean(sum, count float64) float64 {
	if m := sum / count; m == m {
		return m
	}
	return 0
}

func scaleAll(r []tsdb.Summary, p float64, mean, low, high, last []int64) bool {
	for i := range r {
		s, ok1 := scaled(r[i].Sum, p)
		a, ok2 := scaled(r[i].Min, p)
		b, ok3 := scaled(r[i].Max, p)
		c, ok4 := scaled(r[i].Last, p)
		if !ok1 || !ok2 || !ok3 || !ok4 || !isCount(r[i].Count) {
			return false
		}
		mean[i], low[i], high[i], last[i] = s/int64(r[i].Count), a, b, c
	}
	return true
}

// isCount reports whether n is a number that things can be divided by as
// integers.
func isCount(n float64) bool { return n >= 1 && n < 1<<53 && n == math.Trunc(n) }

// unitM2 is what M2 of decimal data is an integer multiple of.
func unitM2(count float64, k int) float64 { return count * pow10[k] * pow10[k] }

func appendM2(dst []byte, r []tsdb.Summary, k int, s *Scratch) []byte {
	n := len(r)
	for i := range r {
		s.floats[i] = r[i].M2
	}
	if k == sumBits {
		return appendFloats(append(dst, 0), s.floats, s)
	}
	x := s.more[:n]
	s.except = s.except[:0]
	for i := range r {
		c := unitM2(r[i].Count, k)
		q := math.Round(r[i].M2 * c)
		x[i] = 0
		// Compared as it will be read: an integer has no negative zero.
		if q > -(1<<53) && q < 1<<53 && math.Float64bits(float64(int64(q))/c) == math.Float64bits(r[i].M2) {
			x[i] = int64(q)
			continue
		}
		s.except = append(s.except, i)
		if i > 0 {
			x[i] = x[i-1]
		}
	}
	if len(s.except) > n/8 {
		return appendFloats(append(dst, 0), s.floats, s)
	}
	dst = AppendInts(append(dst, 1), x)
	return appendExceptFloats(dst, s.floats, s.except)
}

// readSummaries decodes the columns after the times.
func (c *Decoded) readSummaries(b padded, s *Scratch, full bool) (err error) {
	n := len(c.T)
	c.cnt = grow(c.cnt, n)
	if b, err = readFloats(b, c.cnt); err != nil {
		return err
	}
	if b, err = readFloats(b, c.v); err != nil || !full {
		return err
	}
	if len(b) < 1 || b[0] > sumDecimals && b[0] != sumBits {
		return ErrDamaged
	}
	k := int(b[0])
	b = b[1:]
	s.more = grow(s.more, 2*n)
	if err := c.readMeans(k, s.more[:n]); err != nil {
		return err
	}
	c.min, c.max, c.last, c.m2 = grow(c.min, n), grow(c.max, n), grow(c.last, n), grow(c.m2, n)
	for j, out := range [][]float64{c.min, c.max, c.last} {
		x := s.more[n:]
		if b, err = readInts(b, x); err != nil {
			return err
		}
		fromMeans(out, s.more[:n], x, k, j == 0)
	}
	if b, err = c.readM2(b, k, s); err != nil || c.flags&flagSketch == 0 {
		return err
	}
	return c.readSketches(b)
}

func (c *Decoded) readMeans(k int, mean []int64) error {
	for i, sum := range c.v {
		if k == sumBits {
			mean[i] = ordered(bitsMean(sum, c.cnt[i]))
			continue
		}
		x, _ := scaled(sum, pow10[k])
		if !isCount(c.cnt[i]) {
			return ErrDamaged
		}
		mean[i] = x / int64(c.cnt[i])
	}
	return nil
}

func fromMeans(out []float64, mean, diff []int64, k int, below bool) {
	for i, d := range diff {
		if below {
			d = -d
		}
		if k == sumBits {
			out[i] = fromOrdered(mean[i] + d)
		} else {
			out[i] = float64(mean[i]+d) / pow10[k]
		}
	}
}

// readM2 decodes M2 and returns what follows it.
func (c *Decoded) readM2(b padded, k int, s *Scratch) (rest padded, err error) {
	if len(b) < 1 {
		return nil, ErrDamaged
	}
	whole := b[0] == 1
	if b = b[1:]; !whole {
		return readFloats(b, c.m2)
	}
	if k == sumBits {
		return nil, ErrDamaged
	}
	x := s.more[:len(c.m2)]
	if b, err = readInts(b, x); err != nil {
		return nil, err
	}
	for i, y := range x {
		c.m2[i] = float64(y) / unitM2(c.cnt[i], k)
	}
	return readExceptFloats(b, c.m2)
}
