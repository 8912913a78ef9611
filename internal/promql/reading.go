package promql

import (
	"iter"
	"math"
	"strings"

	"github.com/prometheus/prometheus/model/value"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// reading is the way of a selection through its streams. Prometheus' engine
// takes the series one after the other, in order, so storage is asked once
// for all of them and read as it goes on.
type reading struct {
	sources []source
	metric  string
	tags    tidemark.Tags
}

// source is one segment of time.
type source struct {
	segment
	next func() (*tsdb.Series, error, bool)
	stop func()
	cur  *tsdb.Series // nil at the end
	err  error
}

// begin starts to read, from the first stream.
func (s *selection) begin() {
	r := &reading{}
	for _, g := range s.q.e.segments(s.firstSecond(), floorSecond(s.window.end)+1) {
		src := source{segment: g}
		src.next, src.stop = iter.Pull2(s.all(g))
		r.sources = append(r.sources, src)
	}
	for i := range r.sources {
		r.sources[i].advance()
	}
	s.reading = r
	s.q.open = append(s.q.open, r)
}

func (r *reading) stop() {
	for i := range r.sources {
		r.sources[i].stop()
		r.sources[i].cur = nil
	}
}

func (s *source) advance() {
	x, err, ok := s.next()
	if s.cur = x; !ok || err != nil {
		s.cur, s.err = nil, err
	}
}

// find goes to a stream and returns its points, or nil where it has none.
func (s *source) find(metric string, tags tidemark.Tags) (*tsdb.Series, error) {
	for s.cur != nil && compareStreams(s.cur.Metric, s.cur.Tags, metric, tags) < 0 {
		s.advance()
	}
	if s.cur == nil || compareStreams(s.cur.Metric, s.cur.Tags, metric, tags) > 0 {
		return nil, s.err
	}
	return s.cur, nil
}

// compareStreams orders streams as engines do.
func compareStreams(metric string, tags tidemark.Tags, otherMetric string, otherTags tidemark.Tags) int {
	if c := strings.Compare(metric, otherMetric); c != 0 {
		return c
	}
	return tags.Compare(otherTags)
}

// load fills dst with the samples of x.
func (s *selection) load(x *series, dst *samples) error {
	r := s.reading
	if r == nil || compareStreams(x.metric, x.tags, r.metric, r.tags) < 0 {
		if r != nil {
			r.stop() // it is past x
		}
		s.begin()
		r = s.reading
	}
	r.metric, r.tags = x.metric, x.tags
	before := cap(dst.t)
	f := s.filler(dst)
	for i := range r.sources {
		points, err := r.sources[i].find(x.metric, x.tags)
		if err != nil {
			return storageError(err)
		}
		if points != nil {
			f.add(points, s.q.e.lasts(x.period, r.sources[i].step))
		}
	}
	f.finish()
	return s.q.hold(cap(dst.t) - before)
}

// filler makes samples of points. Where the times of evaluation are known it
// leaves out what none of them sees.
type filler struct {
	dst   *samples
	marks bool
	span  int64
	first int64 // time of evaluation
	step  int64 // of those; 0 if they are not known
	until int64 // when the latest sample ends
}

func (s *selection) filler(dst *samples) *filler {
	w := &s.window
	f := &filler{dst: dst, marks: w.marks, span: w.span, step: w.step, first: w.first(s.q.lookBack), until: math.MaxInt64}
	if s.q.e.plain {
		f.step = 0
	}
	return f
}

// add appends the points of one segment, each of which lasts so long.
func (f *filler) add(points *tsdb.Series, lasts int64) {
	for i, sec := range points.Times {
		t := 1000 * sec
		if f.marks && t > f.until {
			f.mark()
		}
		switch {
		case f.step == 0:
		case f.span > 0:
			if f.seenAt(t)-f.span >= t {
				continue
			}
		default:
			f.replace(t)
		}
		f.dst.add(t, points.Values[i])
		f.until = t + lasts
	}
}

// seenAt returns the first time of evaluation that is not before t.
func (f *filler) seenAt(t int64) int64 {
	if t <= f.first {
		return f.first
	}
	return f.first + (t-f.first+f.step-1)/f.step*f.step
}

// replace drops the latest sample if one at t comes before anybody sees it.
func (f *filler) replace(t int64) {
	if n := len(f.dst.t) - 1; n >= 0 && f.seenAt(f.dst.t[n]) >= t {
		f.dst.t, f.dst.v = f.dst.t[:n], f.dst.v[:n]
	}
}

// mark says that the latest sample has ended.
func (f *filler) mark() {
	f.dst.add(f.until, math.Float64frombits(value.StaleNaN))
}

// finish marks the end of the last sample, also beyond the window: timestamp()
// with @ and offset is evaluated after what was asked for.
func (f *filler) finish() {
	if f.marks && len(f.dst.t) > 0 {
		f.mark()
	}
}
