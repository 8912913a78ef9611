package chunk

import (
	"math"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Cut returns where the chunk that starts with record i of a resolved run
// ends, and the operation of its records. Runs are cut at the borders of
// buckets of the given length, where the kind changes, at the most that a chunk
// may hold, and at inOrder: what is before that came late. In one chunk with
// the rest it would make that lie over the chunk before it. So would a first
// record that was late itself.
func (r *Run) Cut(i int, bucket, inOrder uint32) (j int, op uint8) {
	op = r.kind(i)
	border := uint64(r.T[i]/bucket+1) * uint64(bucket)
	if r.T[i] < inOrder {
		border = min(border, uint64(inOrder))
	}
	j = i + 1
	for j < len(r.T) && j-i < maxRecords && uint64(r.T[j]) < border && r.kind(j) == op && (r.T[i] < inOrder || !r.leap(j)) {
		j++
	}
	return j, op
}

// kind is what the records of one chunk have in common.
func (r *Run) kind(i int) uint8 {
	if !r.Has {
		return 0
	}
	k := r.Op[i] & OpFold
	if !IsPlain(&r.Sum[i]) || r.Sketch(i) != nil {
		k |= OpSummary
	}
	return k
}

// leap reports whether record i starts something new after a long gap: what
// comes before it came late. In one chunk the two would lie over everything
// between them.
func (r *Run) leap(i int) bool {
	gap := r.T[i] - r.T[i-1]
	return gap > minLeap && i+1 < len(r.T) && gap/32 > r.T[i+1]-r.T[i]
}

const minLeap = 1800

// AppendRun appends a chunk of the records i to j of r, which are of one kind.
func AppendRun(dst []byte, r *Run, i, j int, s *Scratch) []byte {
	kind, flags := r.kind(i), byte(0)
	if kind&OpFold != 0 {
		flags = flagFold
	}
	if r.sketches.any(i, j) {
		dst = appendSummaries(dst, r.T[i:j], r.Sum[i:j], flags|flagSketch, s)
		return r.sketches.append(dst, i, j)
	}
	if kind&OpSummary != 0 {
		return appendSummaries(dst, r.T[i:j], r.Sum[i:j], flags, s)
	}
	return appendChunk(dst, r.T[i:j], r.V[i:j], flags, s)
}

// IsPlain reports whether s is exactly what its sum alone would give.
func IsPlain(s *tsdb.Summary) bool {
	v := math.Float64bits(s.Sum)
	return s.Count == 1 && math.Float64bits(s.Min) == v && math.Float64bits(s.Max) == v &&
		math.Float64bits(s.Last) == v && math.Float64bits(s.M2) == 0
}
