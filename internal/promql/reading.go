package promql

import (
	"iter"
	"strings"

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
	for _, g := range s.parts() {
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
