package chunk

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Overdue is a record that came when raw records of its age were gone.
// A chunk of them is
//
//	{uvarint(time - start) count sum min max last M2, 8 bytes each}...
//
// A record with a sketch has its length (uvarint) and the sketch after that,
// and a time that is larger by span, the time that a chunk may cover.
type Overdue struct {
	T      uint32
	Sum    tsdb.Summary
	Sketch []byte // encoded, or nil
}

// Join adds the record that came next to r, and reports true, if both are of
// one window and have no sketches: then all that becomes of them is that they
// are added to its summary. A history that is moved in has many such in a row.
func (r *Overdue) Join(next *Overdue, window uint32) bool {
	if r.Sketch != nil || next.Sketch != nil || r.T-r.T%window != next.T-next.T%window {
		return false
	}
	r.Sum.Merge(&next.Sum)
	return true
}

// SummaryLen is the length of a summary that is not packed.
const SummaryLen = 48

// AppendSummary appends a summary as it is, 8 bytes for each part.
func AppendSummary(dst []byte, s *tsdb.Summary) []byte {
	for _, f := range [6]float64{s.Count, s.Sum, s.Min, s.Max, s.Last, s.M2} {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
	}
	return dst
}

// ReadSummary reads what appendSummary wrote, summaryLen bytes.
func ReadSummary(b []byte, s *tsdb.Summary) {
	for i, f := range [6]*float64{&s.Count, &s.Sum, &s.Min, &s.Max, &s.Last, &s.M2} {
		*f = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
}

// AppendOverdue appends a record to a chunk that starts at the given time and
// is not longer than span.
func AppendOverdue(dst []byte, r *Overdue, start, span uint32) []byte {
	if r.Sketch == nil {
		return AppendSummary(binary.AppendUvarint(dst, uint64(r.T-start)), &r.Sum)
	}
	dst = AppendSummary(binary.AppendUvarint(dst, uint64(r.T-start)+uint64(span)), &r.Sum)
	return append(binary.AppendUvarint(dst, uint64(len(r.Sketch))), r.Sketch...)
}

// ReadOverdue appends the records of a chunk that starts at the given time and
// is not longer than span.
func ReadOverdue(v []byte, start, span uint32, dst []Overdue) ([]Overdue, error) {
	for len(v) > 0 {
		d, k := binary.Uvarint(v)
		if k <= 0 || len(v) < k+SummaryLen || d >= 2*uint64(span) {
			return dst, ErrDamaged
		}
		r := Overdue{T: start + uint32(d%uint64(span))}
		ReadSummary(v[k:], &r.Sum)
		v = v[k+SummaryLen:]
		if d >= uint64(span) {
			n, k := binary.Uvarint(v)
			if k <= 0 || n > uint64(len(v)-k) {
				return dst, ErrDamaged
			}
			r.Sketch, v = bytes.Clone(v[k:k+int(n)]), v[k+int(n):]
		}
		dst = append(dst, r)
	}
	return dst, nil
}

// place returns where w is among times, or belongs, and whether it is there;
// at is where the one before was. Overdue records come in order as a rule.
func place[T int64 | uint32](times []T, at int, w T) (int, bool) {
	if at < len(times) && times[at] == w {
		return at, true
	}
	if at++; at < len(times) && times[at] == w {
		return at, true
	}
	return slices.BinarySearch(times, w)
}
