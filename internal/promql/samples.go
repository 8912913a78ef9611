package promql

import (
	"sort"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
)

// milliseconds has a name of its own so that go vet does not take Seek for
// that of io.Seeker.
type milliseconds = int64

// samples is an iterator over the samples of one series, and the memory that
// they are in.
type samples struct {
	t   []int64
	v   []float64
	at  int // one more than the position
	err error
}

func (s *samples) reset() { *s = samples{t: s.t[:0], v: s.v[:0]} }

func (s *samples) add(t int64, v float64) { s.t, s.v = append(s.t, t), append(s.v, v) }

// Next goes to the next sample.
func (s *samples) Next() chunkenc.ValueType {
	if s.at >= len(s.t) {
		s.at = len(s.t) + 1
		return chunkenc.ValNone
	}
	s.at++
	return chunkenc.ValFloat
}

// Seek goes to the first sample at or after t, never back.
func (s *samples) Seek(t milliseconds) chunkenc.ValueType {
	i := max(0, s.at-1)
	if i >= len(s.t) {
		return chunkenc.ValNone
	}
	// The next one is near more often than not.
	step := 1
	for i+step < len(s.t) && s.t[i+step] < t {
		step *= 2
	}
	hi := min(i+step, len(s.t))
	i += sort.Search(hi-i, func(k int) bool { return s.t[i+k] >= t })
	s.at = i + 1
	if i == len(s.t) {
		return chunkenc.ValNone
	}
	return chunkenc.ValFloat
}

// At returns the sample.
func (s *samples) At() (int64, float64) { return s.t[s.at-1], s.v[s.at-1] }

// AtT returns its time.
func (s *samples) AtT() int64 { return s.t[s.at-1] }

// AtST returns 0: nothing is known of when a counter began.
func (s *samples) AtST() int64 { return 0 }

// AtHistogram is never called: there are no native histograms.
func (s *samples) AtHistogram(*histogram.Histogram) (int64, *histogram.Histogram) { return 0, nil }

// AtFloatHistogram is never called either.
func (s *samples) AtFloatHistogram(*histogram.FloatHistogram) (int64, *histogram.FloatHistogram) {
	return 0, nil
}

// Err returns why there are no more samples.
func (s *samples) Err() error { return s.err }
