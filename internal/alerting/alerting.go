// Package alerting decides when alerts fire, and sees to it that people are
// notified.
//
// The Evaluator receives every measurement as it is written, keeps a verdict
// for each stream that an alert looks at, and steps the alerts' states. A
// change of state and what follows from it (the incident, its annotation, the
// notices to deliver) are saved in one transaction. The Dispatcher takes the
// notices from there and delivers them, however often it takes.
//
// What makes a stream violate a condition is in signal.go; what becomes of an
// alert then is tidemark.AlertState.Next. Backtest runs the same two over
// stored measurements.
package alerting

import (
	"context"
	"iter"
	"log/slog"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// Store is the part of the control store that the two loops need.
type Store interface {
	// AlertsVersion returns a number that changes whenever an alert, its
	// state or a snooze is changed by anybody but SaveStates.
	AlertsVersion(ctx context.Context) (int64, error)

	// WatchedAlerts returns the alerts of every organization that are active,
	// or were when they were last evaluated.
	WatchedAlerts(ctx context.Context) ([]*tidemark.WatchedAlert, error)

	// AlertsVersions, AlertsVersionOf and WatchedAlertsOf are the same by
	// organization.
	AlertsVersions(ctx context.Context) (map[tidemark.OrgID]int64, error)
	AlertsVersionOf(ctx context.Context, org tidemark.OrgID) (int64, error)
	WatchedAlertsOf(ctx context.Context, org tidemark.OrgID) ([]*tidemark.WatchedAlert, error)

	// SaveStates saves changes: the state, the incident, its annotation and
	// the deliveries of its notice; for each alert all of it or nothing, and
	// sets Saved, and the ids that are new. A change whose alert is gone, or
	// whose state is not at the change's revision, is left out.
	SaveStates(ctx context.Context, changes []*tidemark.StateChange) error

	// TakeDue returns deliveries that are due, shared evenly among the
	// organizations that have some, and makes them due again later unless
	// they are finished. A delivery waits for those of the same incident and
	// service before it.
	TakeDue(ctx context.Context, q tidemark.DueQuery) ([]*tidemark.Delivery, error)

	// RewindDeliveries makes those due at now that wait for a time which only
	// a clock that was ahead can have set: started after now, or due after
	// latest.
	RewindDeliveries(ctx context.Context, now, latest int64) error

	// Release makes deliveries that were taken due at the given time.
	Release(ctx context.Context, ids []int64, due int64) error

	// Finish records how a try went. A delivery that is not waiting any more
	// stays as it is.
	Finish(ctx context.Context, o *tidemark.Outcome) error

	// Recipient returns one service of org, or the device of a person.
	Recipient(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Service, error)

	// PruneAlerting forgets incidents and deliveries that ended before then.
	PruneAlerting(ctx context.Context, before int64) error
}

// Reader is how stored measurements are read.
type Reader struct {
	Engine     tsdb.Reader
	Metrics    Metrics
	Composites Composites
	// Spellings is how tags of answers are written; nil for lower case. What is
	// evaluated and kept is in lower case.
	Spellings *spelling.Book
	// Windows has the maintenance windows that budgets and bands leave out, and
	// in which alerts are not evaluated; nil if there are none.
	Windows Windows
	// Turns is how organizations share the processors; nil if they do not.
	Turns *turns.Turns
}

// Windows knows maintenance windows.
type Windows interface {
	// WindowsIn returns those that are not over at a time.
	WindowsIn(ctx context.Context, org tidemark.OrgID, since int64) ([]*tidemark.Maintenance, error)
}

// Metrics knows the definitions of metrics.
type Metrics interface {
	// Metric returns a metric's definition; a NotFound error if there is none.
	Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error)
}

// Composites evaluates composites.
type Composites interface {
	// Composite evaluates a composite from start to end, end excluded.
	Composite(ctx context.Context, org tidemark.OrgID, composite string, start, end, step int64) ([]*tsdb.Series, error)
}

// Options are what an Evaluator works with.
type Options struct {
	Store  Store
	Reader Reader
	Logger *slog.Logger
	// OnNotice is called after notices were saved, so that they are delivered at
	// once. It may be nil.
	OnNotice func()
	// Limits has how much each organization may have evaluated; nil for the
	// defaults.
	Limits *tidemark.Limits
}

// source is where the readings of a condition come from.
type source struct {
	metric    string // in lower case
	filter    tsdb.Filter
	groups    []string
	composite string
	leaves    []string // metrics and globs that the composite reads, in lower case
	stepped   bool     // readings are made of whole steps, not of single measurements
	step      int64    // how long a step is; 1 if not stepped
	lag       int64    // how long to wait for stragglers

	// What readings are compared with, if not the threshold itself: readings
	// are then how they compare. Good is where those of good_metric come from.
	against *tidemark.Against
	below   bool // the lower side is the wrong one
	good    *source
	merged  bool // all streams are one where there are no groups
	// Of a band, and of a budget without maintenance: the alert that windows
	// cover, and the tags that all of a budget's streams have. Else nil.
	alert *tidemark.Alert
	fixed tidemark.Tags
}

// isDirect reports whether every measurement is a reading of its stream.
func (s *source) isDirect() bool { return !s.stepped }

// inputs lists the metrics and globs whose measurements make a reading.
func (s *source) inputs() []string {
	all := []string{s.metric}
	if s.composite != "" {
		all = s.leaves
	}
	if s.good != nil {
		all = slices.Concat(all, s.good.inputs())
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// graceful is how long a step waits for streams that reported in the step
// before but have not yet in this one.
const graceful = 30

// sourceOf finds out where the readings of c come from. Groups, composites,
// percentiles and metrics that fold their measurements are looked at in steps.
func (r *Reader) sourceOf(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, c *tidemark.Condition) (source, error) {
	s := source{metric: tidemark.MetricKey(c.MetricName), filter: filterOf(c), groups: groupsOf(c), step: 1, lag: graceful}
	m, err := r.Metrics.Metric(ctx, org, c.MetricName)
	switch {
	case tidemark.KindOf(err) == tidemark.NotFound:
		m = &tidemark.Metric{Type: tidemark.Gauge}
	case err != nil:
		return s, err
	}
	if m.SourceLag != nil {
		s.lag = max(s.lag, min(*m.SourceLag, maxLag))
	}
	folds, foldPeriod := m.Folds()
	switch {
	case m.Type == tidemark.Composite:
		s.composite, s.leaves = m.Composite, leavesOf(m.Composite)
		s.stepped, s.step = true, periodOf(m)
	case folds:
		s.stepped, s.step = true, foldPeriod
	case len(s.groups) > 0 || isPercentile(c):
		s.stepped, s.step = true, periodOf(m)
	}
	if c.Against != nil {
		return s, r.compare(ctx, org, a, c, &s)
	}
	return s, nil
}

// isPercentile reports whether a condition looks at how values are distributed,
// which a summary alone does not tell.
func isPercentile(c *tidemark.Condition) bool {
	_, ok := tidemark.Quantile(c.Function())
	return ok
}

// periodOf is how far apart the measurements of m are, as far as it says.
func periodOf(m *tidemark.Metric) int64 {
	if m.Period != nil && *m.Period > 0 {
		return *m.Period
	}
	return tidemark.DefaultPeriod
}

// leavesOf lists the metrics and globs that a composite reads, in lower case.
// There are no composites among them: those cannot be nested.
func leavesOf(composite string) []string {
	var names []string
	for _, leaf := range query.Leaves(composite) {
		if leaf = tidemark.MetricKey(leaf); !slices.Contains(names, leaf) && len(names) < maxLeaves {
			names = append(names, leaf)
		}
	}
	return names
}

// maxLeaves bounds how many metrics wake a composite; the others are read
// when the step is over for good.
const maxLeaves = 1000

// maxLag bounds how long a metric may ask to be waited for.
const maxLag = 600

// readings yields the readings of a condition's streams or groups in [start,
// end), one series each; the rule makes values of them.
func (r *Reader) readings(ctx context.Context, org tidemark.OrgID, s *source, f *rule, start, end, step int64) iter.Seq2[*tsdb.Series, error] {
	if s.against != nil {
		return r.comparedReadings(ctx, org, s, f, start, end, step)
	}
	if s.composite != "" {
		return r.compositeReadings(ctx, org, s, start, end)
	}
	q := &tsdb.Query{
		Metric: s.metric, Filter: s.filter, Start: start, End: end, Step: step, Function: f.engineFunction(), Quantile: f.quantile(),
		Group: len(s.groups) > 0 || s.merged, GroupBy: s.groups, GroupFunction: f.groupFunction(),
	}
	return r.Engine.Select(ctx, org, q)
}

// lookback is how much earlier a composite is evaluated than its values are
// needed, for functions that look back themselves.
const lookback = 15 * minute

func (r *Reader) compositeReadings(ctx context.Context, org tidemark.OrgID, s *source, start, end int64) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		from := start - start%s.step
		all, err := r.Composites.Composite(ctx, org, s.composite, from-lookback, end, s.step)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, one := range all {
			if !s.filter.Match(one.Tags) {
				continue
			}
			if !yield(cutBefore(one, from), nil) {
				return
			}
		}
	}
}

func cutBefore(s *tsdb.Series, start int64) *tsdb.Series {
	i := 0
	for i < len(s.Times) && s.Times[i] < start {
		i++
	}
	return &tsdb.Series{Metric: s.Metric, Tags: s.Tags, Times: s.Times[i:], Values: s.Values[i:]}
}
