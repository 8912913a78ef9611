package embedded

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// groupMerger makes one series of those of a group by merging their summaries.
type groupMerger struct {
	t []int64
	s []tsdb.Summary
	k []*sketch.Sketch // one a time, if they are asked for

	t2     []int64 // scratch
	s2     []tsdb.Summary
	k2     []*sketch.Sketch
	values []float64
}

func (m *groupMerger) reset() { m.t, m.s, m.k = m.t[:0], m.s[:0], m.k[:0] }

// add adds one more series, or what a part of the group gave. Streams of a
// group have the same times as a rule.
func (m *groupMerger) add(t []int64, s []tsdb.Summary, k []*sketch.Sketch) {
	if !slices.Equal(m.t, t) {
		m.addSome(t, s, k)
		return
	}
	for i := range s {
		m.s[i].Merge(&s[i])
	}
	for i := range k {
		m.k[i].Merge(k[i])
	}
}

// addSome is add for a series that has other times.
func (m *groupMerger) addSome(t []int64, s []tsdb.Summary, known []*sketch.Sketch) {
	t2, s2, k2 := m.t2[:0], m.s2[:0], m.k2[:0]
	i, k := 0, 0
	for i < len(m.t) || k < len(t) {
		if k == len(t) || i < len(m.t) && m.t[i] <= t[k] {
			t2, s2 = append(t2, m.t[i]), append(s2, m.s[i])
			if known != nil {
				k2 = append(k2, m.k[i])
			}
			i++
		} else {
			t2, s2 = append(t2, t[k]), append(s2, tsdb.Summary{})
			if known != nil {
				k2 = append(k2, new(sketch.Sketch))
			}
		}
		if at := len(t2) - 1; k < len(t) && t2[at] == t[k] {
			s2[at].Merge(&s[k])
			if known != nil {
				k2[at].Merge(known[k])
			}
			k++
		}
	}
	m.t, m.t2, m.s, m.s2, m.k, m.k2 = t2, m.t, s2, m.s, k2, m.k
}

// fill gives s the points that f makes of the group.
func (m *groupMerger) fill(s *tsdb.Series, q *tsdb.Query) {
	if q.NeedsSketches() {
		m.dropUnknown()
	}
	s.Times = m.t
	switch q.Function {
	case tsdb.All:
		s.Summaries = m.s
		return
	case tsdb.Distributions:
		s.Summaries, s.Sketches = m.s, m.k
		return
	}
	m.values = m.values[:0]
	for i := range m.s {
		if q.Function == tsdb.Percentile {
			d := tsdb.Distribution{Summary: m.s[i], Sketch: m.k[i]}
			m.values = append(m.values, d.Percentile(q.Quantile))
			continue
		}
		m.values = append(m.values, m.s[i].Value(q.Function))
	}
	s.Values = m.values
}

// dropUnknown drops the points of whose distribution nothing is known.
func (m *groupMerger) dropUnknown() {
	n := 0
	for i, k := range m.k {
		if k.Len() > 0 {
			m.t[n], m.s[n], m.k[n] = m.t[i], m.s[i], k
			n++
		}
	}
	m.t, m.s, m.k = m.t[:n], m.s[:n], m.k[:n]
}

// addKnown appends copies of those points of whose distribution anything is
// known.
func (b *batch) addKnown(t []int64, s []tsdb.Summary, known []*sketch.Sketch) {
	for i, k := range known {
		if k.Len() > 0 {
			b.times, b.sums, b.sketches = append(b.times, t[i]), append(b.sums, s[i]), append(b.sketches, k.Clone())
		}
	}
}

// sketchesOf returns the sketches of the points from one to another, or nil if
// none were asked for.
func (b *batch) sketchesOf(from, end int) []*sketch.Sketch {
	if len(b.sketches) == 0 {
		return nil
	}
	return b.sketches[from:end:end]
}

// addMerged appends what the targets of one group gave, the first of which is
// given.
func (b *batch) addMerged(target int, m *groupMerger) {
	b.times, b.sums = append(b.times, m.t...), append(b.sums, m.s...)
	for _, k := range m.k {
		b.sketches = append(b.sketches, k.Clone())
	}
	b.target, b.end = append(b.target, target), append(b.end, len(b.times))
}
