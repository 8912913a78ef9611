package migrate

import (
	"context"
	"iter"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// reader reads what an engine has of one organization.
type reader struct {
	engine  tsdb.Reader
	org     tidemark.OrgID
	streams int64
	names   []string // of metrics, or a glob for all of them
}

// streamsAtOnce is how many streams are read by one question; where there are
// more, a metric is read after the other.
const streamsAtOnce = 400_000

// newReader returns one of all metrics.
func newReader(ctx context.Context, e tsdb.Reader, st *store.Store, org tidemark.OrgID) (*reader, error) {
	stats, err := e.Stats(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{engine: e, org: org, streams: stats.Orgs[org].Streams, names: []string{"*"}}
	if r.streams <= streamsAtOnce {
		return r, nil
	}
	r.names = nil
	for name, err := range st.MetricNames(ctx, org) {
		if err != nil {
			return nil, err
		}
		r.names = append(r.names, tidemark.MetricKey(name))
	}
	return r, nil
}

// on returns one that reads the same of another engine.
func (r *reader) on(e tsdb.Reader) *reader {
	other := *r
	other.engine = e
	return &other
}

// only returns a reader of one metric.
func (r *reader) only(metric string) *reader {
	one := *r
	one.names = []string{metric}
	return &one
}

// withData returns those of windows in which either reader may have something:
// of years of summaries of hours most have nothing where a server is young.
func withData(ctx context.Context, windows []window, readers ...*reader) ([]window, error) {
	first, last := windows[0].start, windows[0].start
	for _, w := range windows {
		if w.step == hour {
			last = w.end
		}
	}
	months := make(map[int64]bool)
	for _, r := range readers {
		if len(r.names) != 1 {
			return windows, nil // as many questions as metrics
		}
		q := &tsdb.Query{Metric: r.names[0], Start: first, End: last, Step: lengths[hour], Function: tsdb.Count, Group: true, GroupFunction: tsdb.GroupSum}
		for s, err := range r.engine.Select(ctx, r.org, q) {
			if err != nil {
				return nil, err
			}
			for _, t := range s.Times {
				months[t] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(windows), func(w window) bool {
		return w.step == hour && !months[w.start/lengths[hour]*lengths[hour]]
	}), nil
}

// each calls do with the series of a window, several times for each stream if
// the window is large. They have summaries, and sketches where some are known.
func (r *reader) each(ctx context.Context, w window, do func(*tsdb.Series) error) error {
	for _, part := range w.slices(r.streams) {
		for _, name := range r.names {
			if err := r.question(ctx, name, &part, do); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) question(ctx context.Context, name string, w *window, do func(*tsdb.Series) error) error {
	q := tsdb.Query{Metric: name, Start: w.start, End: w.end, Step: w.readStep(), Function: tsdb.All}
	k := &sketches{r: r, ctx: ctx, q: q}
	defer k.end()
	for s, err := range r.engine.Select(ctx, r.org, &q) {
		if err != nil {
			return err
		}
		own := *s // the engine uses s again
		if slices.ContainsFunc(s.Summaries, func(s tsdb.Summary) bool { return !s.IsSingle() }) {
			if own.Sketches, err = k.of(s); err != nil {
				return err
			}
		}
		if err := do(&own); err != nil {
			return err
		}
	}
	return nil
}

// sketches reads distributions beside summaries. Only metrics that have
// summaries of several values are asked for them.
type sketches struct {
	r      *reader
	ctx    context.Context
	q      tsdb.Query
	metric string
	next   func() (*tsdb.Series, error, bool)
	stop   func()
	at     *tsdb.Series // the last that was read; nil at the end
}

// of returns the sketches of a series; series come in order.
func (k *sketches) of(s *tsdb.Series) ([]*sketch.Sketch, error) {
	if k.stop == nil || k.metric != s.Metric {
		k.end()
		q := k.q
		k.metric, q.Metric, q.Function = s.Metric, s.Metric, tsdb.Distributions
		k.next, k.stop = iter.Pull2(k.r.engine.Select(k.ctx, k.r.org, &q))
		if err := k.read(); err != nil {
			return nil, err
		}
	}
	for k.at != nil && k.at.Tags.Compare(s.Tags) < 0 {
		if err := k.read(); err != nil {
			return nil, err
		}
	}
	if k.at == nil || k.at.Tags.Compare(s.Tags) != 0 {
		return nil, nil
	}
	found := make([]*sketch.Sketch, len(s.Times))
	for i, t := range s.Times {
		at, ok := slices.BinarySearch(k.at.Times, t)
		if !ok || s.Summaries[i].IsSingle() { // which is its own distribution
			continue
		}
		// Where a server records meanwhile the two may be of different moments:
		// the next pass has it right.
		if sk := k.at.SketchAt(at); sk != nil && (sk.Count() < s.Summaries[i].Count || s.Summaries[i].Counts(sk)) {
			found[i] = sk
		}
	}
	return found, nil
}

// read takes the next series.
func (k *sketches) read() error {
	s, err, ok := k.next()
	k.at = nil
	if ok {
		k.at = s
	}
	return err
}

func (k *sketches) end() {
	if k.stop != nil {
		k.stop()
	}
	k.stop = nil
}
