package query

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// read is what one leaf reads in one env.
type read struct {
	leaf   *leaf
	query  tsdb.Query
	shift  int64            // whole steps
	metric *tidemark.Metric // nil if it may be several
	uses   int
	parts  []*part
	index  map[string]int // of parts, by groupKey; nil if there is only one
}

// part is the share of a read that belongs to one group.
type part struct {
	values  []string // of the leaf's groups
	series  []*Series
	acc     *accumulator       // of a leaf with a fold
	metrics []*tidemark.Metric // that acc was made of
}

// read returns what l reads in sc, and registers it if it is new.
func (ev *evaluation) read(ctx context.Context, l *leaf, sc scope) (*read, error) {
	key := readKey{l, sc.at}
	if r := ev.reads[key]; r != nil {
		return r, nil
	}
	r := &read{leaf: l}
	if len(l.groups) > 0 {
		r.index = make(map[string]int)
	}
	r.ask(ev, sc)
	if err := tsdb.ScopeOf(ctx).Check(r.query.Metric); err != nil {
		return nil, err
	}
	if !tidemark.IsGlob(r.query.Metric) {
		var err error
		if r.metric, err = ev.metric(ctx, r.query.Metric); err != nil {
			return nil, err
		}
		if r.metric.Type == tidemark.Composite {
			return nil, compose.Errorf(l.at, "%s is a composite: composites cannot be used within others", r.metric.Name)
		}
		r.merge()
	}
	if ev.window.Now != 0 {
		if err := fit(ev.tiers, ev.window.Now, &r.query); err != nil {
			return nil, err
		}
	}
	ev.reads[key] = r
	ev.order = append(ev.order, r)
	return r, nil
}

// ask sets what is asked of the engine, and how its times are moved.
func (r *read) ask(ev *evaluation, sc scope) {
	l := r.leaf
	step := max(l.period, ev.window.Step)
	r.shift = floorTo(sc.at.shift+step/2, step) // to the nearest step, so that points meet
	r.query = tsdb.Query{
		Metric: l.metric, Filter: l.filter(ev, sc), Function: l.function, Quantile: l.quantile, Step: step,
		Start: max(0, ev.window.Start-r.shift), End: min(ev.window.End-r.shift, tsdb.MaxTime+1),
	}
	if step > ev.window.Step {
		// The asker knows of the resolution, not of this period: it gets whole ones.
		r.query.Start, r.query.End = floorTo(r.query.Start, step), floorTo(r.query.End+step-1, step)
	}
	if sc.at.bound {
		r.query.Metric = strings.ReplaceAll(l.metric, "&", tidemark.MetricKey(sc.at.amp))
	}
}

// merge asks for a percentile of all values of each group, where that is wanted
// and the metric has distributions.
func (r *read) merge() {
	l := r.leaf
	if l.merged == nil || !r.metric.IsDistribution() {
		return
	}
	r.query.Function, r.query.Quantile = tsdb.Percentile, *l.merged
	r.query.Group, r.query.GroupBy, r.query.GroupFunction = true, l.groups, tsdb.GroupMerge
}

// fetchAll reads everything that was registered.
func (ev *evaluation) fetchAll(ctx context.Context) error {
	if len(ev.order) == 1 {
		return ev.fetch(ctx, ev.order[0])
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(ev.limits.Parallel)
	for _, r := range ev.order {
		g.Go(func() error { return ev.fetch(ctx, r) })
	}
	return g.Wait()
}

func (ev *evaluation) fetch(ctx context.Context, r *read) error {
	if r.query.Start >= r.query.End {
		return nil
	}
	key := []byte{}
	m, name := r.metric, ""
	for s, err := range ev.engine.Select(ctx, ev.org, &r.query) {
		if err != nil {
			return err
		}
		if err := ev.work.Yield(ctx); err != nil {
			return err
		}
		ev.streams.Add(1)
		if ev.points.Add(int64(len(s.Times))) > int64(ev.limits.Points) {
			return tooMany(ev.limits.Points, "points (streams x steps)")
		}
		if r.metric == nil && name != s.Metric {
			name = s.Metric
			m = ev.promise(name)
		}
		p, err := ev.part(r, s, &key)
		if err != nil {
			return err
		}
		if err := ev.take(r, p, m, s); err != nil {
			return err
		}
	}
	if err := ev.keepPromises(ctx); err != nil {
		return err
	}
	return ev.close(r)
}

// part returns the part of r that s belongs to.
func (ev *evaluation) part(r *read, s *tsdb.Series, key *[]byte) (*part, error) {
	if r.index == nil && len(r.parts) == 1 {
		return r.parts[0], nil
	}
	*key = (*key)[:0]
	for i, tag := range r.leaf.groups {
		if i > 0 {
			*key = append(*key, 0)
		}
		v, _ := s.Tags.Get(tag)
		*key = append(*key, v...)
	}
	if i, ok := r.index[string(*key)]; ok {
		return r.parts[i], nil
	}
	if len(r.parts) >= ev.limits.Branches {
		return nil, tooMany(ev.limits.Branches, branches)
	}
	p := &part{}
	for _, tag := range r.leaf.groups {
		v, _ := s.Tags.Get(tag)
		p.values = append(p.values, v)
	}
	if r.leaf.fold != nil {
		p.acc = newAccumulator(r.leaf.fold)
	}
	if r.index != nil {
		r.index[string(*key)] = len(r.parts)
	}
	r.parts = append(r.parts, p)
	return p, nil
}

// take adds a series that was read to its part.
func (ev *evaluation) take(r *read, p *part, m *tidemark.Metric, s *tsdb.Series) error {
	about := Series{Metric: m, Leaf: r.leaf.public, Shift: r.shift, step: r.query.Step, Period: r.query.Step}
	if p.acc != nil {
		if n := len(p.metrics); n == 0 || p.metrics[n-1] != m {
			p.metrics = append(p.metrics, m)
		}
		return ev.hold(p.acc.add(&about, s.Times, s.Values), 0)
	}
	if err := ev.hold(len(s.Times), 1); err != nil {
		return err
	}
	out := new(Series)
	*out = about
	out.Tags = slices.Clone(s.Tags)
	out.Values = slices.Clone(s.Values)
	out.Times = p.times(s.Times, r.shift)
	p.series = append(p.series, out)
	return nil
}

// periodOf returns how many seconds a measurement of m stands for, or 0.
func (ev *evaluation) periodOf(l *leaf, m *tidemark.Metric) int64 {
	if l.period == 0 && m.Period != nil {
		return *m.Period
	}
	return l.period
}

// times returns a copy of times, moved by shift. Streams mostly have the same
// times as their neighbours: then they share them.
func (p *part) times(times []int64, shift int64) []int64 {
	if n := len(p.series); n > 0 && sameTimes(times, p.series[n-1].Times, shift) {
		return p.series[n-1].Times
	}
	moved := make([]int64, len(times))
	for i, t := range times {
		moved[i] = t + shift
	}
	return moved
}

// close ends the reading of r.
func (ev *evaluation) close(r *read) error {
	for _, p := range r.parts {
		if p.acc != nil {
			s := p.acc.finish()
			for i := range s.Times {
				s.Times[i] += r.shift
			}
			p.series, p.acc = []*Series{s}, nil
			if err := ev.hold(0, 1); err != nil {
				return err
			}
			for _, m := range p.metrics {
				s.Period = max(s.Period, ev.periodOf(r.leaf, m))
			}
		}
		for _, s := range p.series {
			if s.Metric != nil {
				s.Period = max(s.Period, ev.periodOf(r.leaf, s.Metric))
			}
			s.shared = r.uses > 1
		}
	}
	return nil
}
