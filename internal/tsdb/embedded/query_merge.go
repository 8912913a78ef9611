package embedded

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// groupMerger makes one series of those of a group by merging their summaries.
type groupMerger struct {
	t []int64
	s []tsdb.Summary

	t2     []int64 // scratch
	s2     []tsdb.Summary
	values []float64
}

func (m *groupMerger) reset() { m.t, m.s = m.t[:0], m.s[:0] }

// add adds one more series, or what a part of the group gave. Streams of a
// group have the same times as a rule.
func (m *groupMerger) add(t []int64, s []tsdb.Summary) {
	if !slices.Equal(m.t, t) {
		m.addSome(t, s)
		return
	}
	for i := range s {
		m.s[i].Merge(&s[i])
	}
}

// addSome is add for a series that has other times.
func (m *groupMerger) addSome(t []int64, s []tsdb.Summary) {
	t2, s2 := m.t2[:0], m.s2[:0]
	i, k := 0, 0
	for i < len(m.t) || k < len(t) {
		if k == len(t) || i < len(m.t) && m.t[i] <= t[k] {
			t2, s2 = append(t2, m.t[i]), append(s2, m.s[i])
			i++
		} else {
			t2, s2 = append(t2, t[k]), append(s2, tsdb.Summary{})
		}
		if at := len(t2) - 1; k < len(t) && t2[at] == t[k] {
			s2[at].Merge(&s[k])
			k++
		}
	}
	m.t, m.t2, m.s, m.s2 = t2, m.t, s2, m.s
}

// fill gives s the points that f makes of the group.
func (m *groupMerger) fill(s *tsdb.Series, f tsdb.Function) {
	s.Times = m.t
	if f == tsdb.All {
		s.Summaries = m.s
		return
	}
	m.values = m.values[:0]
	for i := range m.s {
		m.values = append(m.values, m.s[i].Value(f))
	}
	s.Values = m.values
}

// addMerged appends what the targets of one group gave, the first of which is
// given.
func (b *batch) addMerged(target int, m *groupMerger) {
	b.times, b.sums = append(b.times, m.t...), append(b.sums, m.s...)
	b.target, b.end = append(b.target, target), append(b.end, len(b.times))
}
