package objectives

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// tallyReader counts what objectives of one answer count. What several of them
// look at is read once.
type tallyReader struct {
	api     *API
	org     tidemark.OrgID
	now     int64
	windows []*tidemark.Maintenance
	read    map[countKey]*counted
}

// history is what was counted of one value of the tag that an objective groups
// by, or of all where it does not: by hours, and since three days ago finer.
type history struct {
	value         string
	hours, recent tidemark.Tallies
}

// newTallyReader returns a reader for objectives, with the maintenance windows
// of the days before now where one of them leaves these out.
func (s *API) newTallyReader(ctx context.Context, org tidemark.OrgID, days int, of ...*tidemark.Objective) (*tallyReader, error) {
	r := &tallyReader{api: s, org: org, now: s.Now().Unix(), read: make(map[countKey]*counted)}
	if !slices.ContainsFunc(of, func(o *tidemark.Objective) bool { return o.WithoutMaintenance }) {
		return r, nil
	}
	var err error
	r.windows, err = s.Store.WindowsIn(ctx, org, r.now-int64(days+1)*shared.DaySeconds)
	return r, err
}

// windowsOf returns the maintenance windows that o leaves out.
func (r *tallyReader) windowsOf(o *tidemark.Objective) []*tidemark.Maintenance {
	if !o.WithoutMaintenance {
		return nil
	}
	var all []*tidemark.Maintenance
	for _, w := range r.windows {
		if w.Covers.ConcernsObjective(o) {
			all = append(all, w)
		}
	}
	return all
}

// recentSince is since when fine steps are counted: the longest window in which
// the budget is watched, from a whole hour on.
func (r *tallyReader) recentSince() int64 {
	longest := tidemark.BurnWindows[len(tidemark.BurnWindows)-1].Long
	return (r.now - longest) / hour * hour
}

// histories returns what o counted in the last days, by value of its tag in
// order; there is one without a value where it has none.
func (r *tallyReader) histories(ctx context.Context, o *tidemark.Objective, days int) ([]*history, error) {
	start := (r.now - int64(days+1)*shared.DaySeconds) / hour * hour
	since := r.recentSince()
	past, until, err := r.past(ctx, o, start, since)
	if err != nil {
		return nil, err
	}
	fine := r.stepOf(o, until, r.now, fiveMinutes)
	recent, err := r.tallies(ctx, o, until, r.now, fine)
	if err != nil {
		return nil, err
	}
	values := make(map[string]*history)
	for value, t := range past {
		values[value] = &history{value: value, hours: t}
	}
	for value, t := range recent {
		if values[value] == nil {
			values[value] = &history{value: value}
		}
		h := values[value]
		h.hours, h.recent = append(h.hours, t.Folded(hour)...), t
	}
	if o.GroupBy == "" && len(values) == 0 {
		values[""] = &history{}
	}
	return sortedHistories(values), nil
}

func sortedHistories(values map[string]*history) []*history {
	all := make([]*history, 0, len(values))
	for _, h := range values {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b *history) int { return strings.Compare(a.value, b.value) })
	return all
}

// past counts hours of [start, end), from what was read before where that is
// recent enough. It returns up to when.
func (r *tallyReader) past(ctx context.Context, o *tidemark.Objective, start, end int64) (map[string]tidemark.Tallies, int64, error) {
	if start >= end {
		return nil, start, nil
	}
	step := r.stepOf(o, start, end, hour)
	// Of what is older only hours are kept: these are left out whole.
	coarse := start
	if tiers := r.api.Engine.Tiers(); step < hour && len(tiers) > 1 {
		coarse = min(max(start, (r.now-tiers[1].Retention)/hour*hour+hour), end)
	}
	all, err := r.tallies(ctx, o, start, coarse, hour)
	if err != nil {
		return nil, 0, err
	}
	rest, err := r.tallies(ctx, o, coarse, end, step)
	if err != nil {
		return nil, 0, err
	}
	for value, t := range rest {
		all[value] = append(all[value], t.Folded(hour)...)
	}
	return all, end, nil
}

// stepOf is in which steps o is counted in [start, end): in the given ones, or
// in such that maintenance begins and ends with one.
func (r *tallyReader) stepOf(o *tidemark.Objective, start, end, step int64) int64 {
	for _, w := range r.windowsOf(o) {
		for _, i := range w.Between(start, end) {
			step = divisor(divisor(step, i.Start/minute*minute), (i.End+minute-1)/minute*minute)
		}
	}
	return step
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// tallies counts what o counts in steps of [start, end), by value of its tag.
// What is not there was not counted: a metric may be gone.
func (r *tallyReader) tallies(ctx context.Context, o *tidemark.Objective, start, end, step int64) (map[string]tidemark.Tallies, error) {
	all := make(map[string]tidemark.Tallies)
	if start >= end {
		return all, nil
	}
	total, err := r.counts(ctx, keyOf(o, o.Total, step), o.Tags, o.Below, start, end)
	if err != nil {
		return nil, err
	}
	good := total.upTo
	if o.Below == nil {
		of, err := r.counts(ctx, keyOf(o, o.Good, step), o.Tags, nil, start, end)
		if err != nil {
			return nil, err
		}
		good = of.all
	}
	windows, fixed := r.windowsOf(o), tidemark.FixedTags(o.Tags)
	for value, counted := range total.all {
		out := tidemark.LeftOut(windows, fixed.With(r.tagOf(o, value)), start, end)
		all[value] = tally(counted, good[value], out, start, end, step)
	}
	return all, nil
}

func (r *tallyReader) tagOf(o *tidemark.Objective, value string) tidemark.Tags {
	if o.GroupBy == "" {
		return nil
	}
	return tidemark.Tags{{Name: o.GroupBy, Value: value}}
}

// tally puts together what was counted, but for steps that are left out.
func tally(total, good map[int64]float64, out []tidemark.Interval, start, end, step int64) tidemark.Tallies {
	var all tidemark.Tallies
	for at := start - start%step; at < end; at += step {
		if n, there := total[at]; there && !tidemark.IsLeftOut(out, at, at+step) {
			all = append(all, tidemark.Tally{At: at, Good: good[at], Total: n})
		}
	}
	return all
}

// countKey is what is read: what two objectives have in common is read once.
type countKey struct {
	org           tidemark.OrgID
	metric, limit string
	tags, groupBy string
	step          int64
	start, end    int64
}

func keyOf(o *tidemark.Objective, metric string, step int64) countKey {
	k := countKey{metric: tidemark.MetricKey(metric), groupBy: o.GroupBy, step: step}
	if o.Below != nil {
		k.limit = strconv.FormatFloat(*o.Below, 'g', -1, 64)
	}
	var b strings.Builder
	for _, f := range o.Tags {
		b.WriteString(strconv.Quote(f.Name))
		for _, v := range f.Values {
			b.WriteString(strconv.Quote(v) + " ")
		}
	}
	k.tags = b.String()
	return k
}

// counted is what was counted, by value of a tag and step; of distributions
// also how many of the values are up to the limit.
type counted struct {
	all, upTo map[string]map[int64]float64
	read      int64 // when
}

// counts reads what is not known yet.
func (r *tallyReader) counts(ctx context.Context, k countKey, tags []tidemark.TagFilter, limit *float64, start, end int64) (*counted, error) {
	k.org, k.start, k.end = r.org, start, end
	if c := r.read[k]; c != nil {
		return c, nil
	}
	isPast := end <= r.recentSince()
	if isPast {
		if c := r.api.counts.find(k, r.now); c != nil {
			return c, nil
		}
	}
	c, err := r.readCounts(ctx, k, tags, limit)
	if err != nil {
		return nil, err
	}
	r.read[k] = c
	if isPast {
		r.api.counts.keep(k, c)
	}
	return c, nil
}

// readCounts asks the engine.
func (r *tallyReader) readCounts(ctx context.Context, k countKey, tags []tidemark.TagFilter, limit *float64) (*counted, error) {
	c := &counted{all: make(map[string]map[int64]float64), upTo: make(map[string]map[int64]float64), read: r.now}
	q := query.Request{
		Metric: k.metric, Start: k.start, End: k.end - 1, Resolution: k.step, Filter: query.FilterOf(tags, nil),
		GroupBy: []string{"*"}, GroupFunction: "sum", Summary: "sum", Distributions: limit != nil,
	}
	if k.groupBy != "" {
		q.GroupBy = []string{k.groupBy}
	}
	series, err := r.api.Querier.Select(ctx, r.org, q)
	if err != nil && tidemark.KindOf(err) == tidemark.NotFound {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	for one, err := range series {
		if err != nil {
			return nil, err
		}
		value, _ := one.Tags.Find(k.groupBy)
		if limit == nil {
			add(c.all, value, one.Times, one.Values)
			continue
		}
		all, upTo := one.CountUpTo(*limit)
		add(c.all, value, all.Times, all.Values)
		add(c.upTo, value, upTo.Times, upTo.Values)
	}
	return c, nil
}

func add(to map[string]map[int64]float64, value string, times []int64, values []float64) {
	if to[value] == nil {
		to[value] = make(map[int64]float64)
	}
	for i, at := range times {
		to[value][at] += values[i]
	}
}
