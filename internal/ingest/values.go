package ingest

import (
	"math"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// maxValues is how many values a distribution may be sent with.
const maxValues = 10_000

// values reads a distribution: a list of values, or of pairs of a value and
// how often it was measured.
func (d *decoder) values(it *item) {
	start := d.i
	it.isDist, it.dist, it.summary = false, span{}, tsdb.Summary{}
	if it.flaw == notDistribution {
		it.flaw = flawNone // of one that this replaces
	}
	switch d.peek() {
	case '[':
	case 'n':
		d.word("null")
		return
	default:
		d.skip(4)
		it.flaw, it.raw = notDistribution, d.from(start)
		return
	}
	d.sketch.Reset()
	ok, entries := true, 0
	for more := d.enter(']'); more; more = d.more(']') {
		v, n, is := d.counted()
		if entries++; entries > maxValues {
			ok = false // the rest is stepped over
		}
		if ok = ok && is; ok {
			d.sketch.Add(v, n)
			it.summary.Merge(&tsdb.Summary{Count: n, Sum: v * n, Min: v, Max: v, Last: v})
		}
	}
	if !ok || !(math.Abs(it.summary.Sum) < tooLarge) {
		it.flaw, it.raw = notDistribution, d.from(start)
		return
	}
	it.isDist = true
	if it.summary.Count > 1 {
		off := uint32(len(d.sketches))
		d.sketches = d.sketch.AppendBinary(d.sketches)
		it.dist = span{off, uint32(len(d.sketches))}
		it.settleCount(d.sketch.Count())
	}
}

// settleCount takes over the count of the sketch, which rounds parts of
// values, where they differ by more than an engine takes.
func (it *item) settleCount(n float64) {
	if math.Abs(n-it.summary.Count) > it.summary.Count/sketchRounding {
		it.summary.Count = n
	}
}

// counted reads a value, and how often it was measured.
func (d *decoder) counted() (v, n float64, ok bool) {
	if d.peek() != '[' {
		v, is, _ := d.float()
		return notTooSmall(v), 1, is == present && math.Abs(v) < tooLarge
	}
	parts, ok := 0, true
	for more := d.enter(']'); more; more = d.more(']') {
		x, is, _ := d.float()
		ok = ok && is == present && math.Abs(x) < tooLarge
		if parts++; parts == 1 {
			v = notTooSmall(x)
		} else {
			n = x
		}
	}
	return v, n, ok && parts == 2 && n >= 1
}
