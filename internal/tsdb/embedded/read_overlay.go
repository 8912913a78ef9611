package embedded

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// split keeps as parts large chunks that do not overlap, and puts the records
// of the others, which are few and late as a rule, over them; those
// of memory from i to j come last.
func (r *reader) split(i, j int) {
	late, kept := r.late[:0], 0
	for n := range r.parts { // in order of start
		p := &r.parts[n]
		if kept > 0 && p.Start <= r.parts[kept-1].end {
			last := &r.parts[kept-1]
			if p.Header.N <= last.Header.N {
				late = append(late, *p)
				continue
			}
			late = append(late, *last)
			kept--
		}
		r.parts[kept] = *p
		kept++
	}
	r.parts, r.late = r.parts[:kept], late
	slices.SortStableFunc(late, func(a, b part) int { return int(int64(a.Gen) - int64(b.Gen)) })
	r.over.Reset()
	for k := range late {
		if err := r.over.AddChunk(&late[k].Piece); err != nil {
			r.aside(&late[k], err)
		}
	}
	r.over.AddRun(&r.head, i, j)
	r.over.Sort()
}

// feed gives s the parts, with the records i to j of over put over them; see
// weaver. A part under which nothing lies is fed as it is.
func (r *reader) feed(over *chunk.Run, rank []uint32, i, j int, s chunk.Sink) {
	for n := range r.parts {
		p := &r.parts[n]
		k := i
		for k < j && over.T[k] < p.Start {
			k++
		}
		r.weave.Flush(over, i, k, s)
		for i = k; k < j && over.T[k] <= p.end; k++ {
		}
		if i == k {
			if err := s.Chunk(&p.Piece); err != nil {
				r.aside(p, err)
			}
			continue
		}
		if err := r.weave.Feed(&p.Piece, over, rank, i, k, s); err != nil {
			r.aside(p, err)
			r.weave.Flush(over, i, k, s)
		}
		i = k
	}
	r.weave.Flush(over, i, j, s)
}
