package promql

import (
	"context"
	"iter"
	"slices"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// selection is the series of one selector: a storage.SeriesSet. The streams
// are listed first, and read when their turn comes.
type selection struct {
	ctx      context.Context
	q        *querier
	picker   *picker
	window   window
	function tsdb.Function
	quantile float64 // of a percentile
	reduce   reduction
	whole    bool // each stream is read as one summary
	folded   bool // whoever reads it aggregates it
	limit    int
	err      error

	listed  bool
	at      int
	series  []*series
	targets []target
	longest int64 // look-back of all its streams, in milliseconds
	reading *reading
}

// target is what an engine is asked for: one metric or several.
type target struct {
	metric string
	filter tsdb.Filter
}

// series is one stream of a selection.
type series struct {
	from   *selection
	metric string
	tags   tidemark.Tags
	labels labels.Labels
	period int64 // seconds; 0 if it is not known
	seen   int64
}

// Next goes to the next series.
func (s *selection) Next() bool {
	if !s.listed {
		s.listed, s.at = true, -1
		if s.err == nil {
			s.err = s.listStreams()
		}
	}
	s.at++
	return s.err == nil && s.at < len(s.series) && (s.limit == 0 || s.at < s.limit)
}

// At returns the series.
func (s *selection) At() storage.Series { return s.series[s.at] }

// Err returns why there are no more series.
func (s *selection) Err() error { return s.err }

// Warnings returns nothing: there are none.
func (s *selection) Warnings() annotations.Annotations { return nil }

// listStreams finds the streams, and how they are best asked for.
func (s *selection) listStreams() error {
	b := labels.NewScratchBuilder(8)
	for _, pattern := range s.picker.patterns {
		from, listed := len(s.series), 0
		for f, err := range s.q.find(s.ctx, s.picker, pattern, &listed) {
			if err != nil {
				return err
			}
			s.series = append(s.series, &series{from: s, metric: f.metric, tags: f.tags, labels: s.picker.labels(&b, f), seen: f.seen})
		}
		s.ask(pattern, s.series[from:], listed)
	}
	if err := s.setPeriods(); err != nil {
		return err
	}
	start := s.firstSecond()
	s.series = slices.DeleteFunc(s.series, func(x *series) bool { return x.seen < start })
	return nil
}

// ask adds the targets for the streams that were found under a pattern. Where
// many streams do not match, those that do are listed, since reading costs more
// than picking; where most streams of a glob do not, its metrics are asked for
// one by one.
func (s *selection) ask(pattern string, found []*series, listed int) {
	if len(found) == 0 {
		return
	}
	filter := s.picker.filter
	if 4*len(found) < 3*listed {
		filter = s.picker.narrow(found)
	}
	if !tidemark.IsGlob(pattern) || 2*len(found) >= listed {
		s.targets = append(s.targets, target{pattern, filter})
		return
	}
	for i, x := range found {
		if i == 0 || x.metric != found[i-1].metric {
			s.targets = append(s.targets, target{x.metric, filter})
		}
	}
}

// setPeriods finds out how far apart the records of each metric are.
func (s *selection) setPeriods() error {
	s.longest = s.q.e.lasts(0, 0)
	if !s.window.marks || s.q.e.o.Periods == nil || len(s.series) == 0 {
		return nil
	}
	var names []string
	for i, x := range s.series {
		if i == 0 || x.metric != s.series[i-1].metric {
			names = append(names, x.metric)
		}
	}
	periods, err := s.q.e.o.Periods(s.ctx, s.q.org, names)
	if err != nil {
		return storageError(err)
	}
	for _, x := range s.series {
		x.period = periods[x.metric]
		s.longest = max(s.longest, s.q.e.lasts(x.period, 0))
	}
	return nil
}

// firstSecond returns the first second that may be needed.
func (s *selection) firstSecond() int64 {
	start := s.window.start
	if s.window.marks {
		start -= s.longest - 1
		// Further back a sample may be an hour's, and last longer.
		parts := s.q.e.segments(ceilSecond(start), floorSecond(s.window.end)+1)
		if len(parts) > 0 {
			start = min(start, s.window.start-s.q.e.lasts(0, parts[0].step)+1)
		}
	}
	return clampSecond(ceilSecond(start))
}

// parts returns how the window is read.
func (s *selection) parts() []segment {
	start, end := s.firstSecond(), floorSecond(s.window.end)+1
	if s.whole && start < end {
		return []segment{{start, end, wholeStep}}
	}
	return s.q.e.segments(start, end)
}

// all yields what a segment has of all targets, in order of streams.
func (s *selection) all(g segment) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		for _, t := range s.targets {
			q := &tsdb.Query{Metric: t.metric, Filter: t.filter, Start: g.start, End: g.end, Step: g.step, Function: s.function, Quantile: s.quantile}
			for x, err := range s.q.e.o.Storage.Select(s.ctx, s.q.org, q) {
				if !yield(x, err) || err != nil {
					return
				}
			}
		}
	}
}

// Labels returns the labels of the stream.
func (x *series) Labels() labels.Labels { return x.labels }

// Iterator returns the samples of the stream, in the memory of it if that is
// one of ours.
func (x *series) Iterator(it chunkenc.Iterator) chunkenc.Iterator {
	s, ok := it.(*samples)
	if !ok {
		s = &samples{}
	}
	s.reset()
	if !x.from.window.list {
		s.err = x.from.load(x, s)
	}
	return s
}
