// Package query gives composite expressions their meaning, and answers
// questions about metrics from an engine. functions.go is the list of what
// expressions can say; docs/compose.md explains it.
//
// There are two ways to ask:
//
//	e, err := query.Parse(`rate(sum(s("requests", {"dc": "%"})))`)
//	result, err := querier.Eval(ctx, org, e, query.Window{Start: from, End: to, Step: 60}, dynamic)
//
// reads and checks an expression once and evaluates it over a window, as often
// as is needed: an Expr never changes and may be shared. And
//
//	series, err := querier.Select(ctx, org, query.Request{Metric: "requests", ...})
//
// asks for one metric, which may be a persisted composite, and yields its
// series one by one. Filters come from ParseTagsSearch, TagsFilter and
// FilterOf.
//
// What is wrong with an expression is a *compose.Error, which says where and
// counts as Invalid; compose.InField puts it down to a field. A query over a
// limit fails as TooLarge, one that asks for more detail than is kept with
// ErrResolution, and one for which there is no memory beside the others as
// Unavailable.
//
// A Querier is safe for concurrent use. Evaluation first finds out what all
// series() of the expression read, then reads it, several at a time, and then
// computes. A sum, mean, min, max or multiply directly around a series() is
// done while reading, so that its streams are never in memory together.
package query

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// Catalog knows the properties of metrics. A metric that it does not know is
// a NotFound error.
type Catalog interface {
	Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error)
	// MetricsByName returns those of names that it knows, by their
	// tidemark.MetricKey, at once.
	MetricsByName(ctx context.Context, org tidemark.OrgID, names []string) (map[string]*tidemark.Metric, error)
}

// Limits bound the work of one query, and the memory of all; a limit of 0 is
// the default.
type Limits struct {
	Points   int // that are read: streams x steps
	Held     int // points that are in memory at once, at 8 to 16 bytes each
	Series   int // that are in memory at once
	Branches int // values of map(), groups of group_by() and offsets of timeshift(), taken together
	Parallel int // series() that are read at once
	Together int // points that all queries hold in memory at once; at least Held
	// Wait is how long a query waits for memory that others hold. Then it
	// fails as Unavailable.
	Wait time.Duration
}

// The default limits.
const (
	DefaultPoints   = 50_000_000
	DefaultHeld     = 10_000_000
	DefaultSeries   = 50_000
	DefaultBranches = 20_000
	DefaultParallel = 4
	DefaultTogether = 2 * DefaultHeld
	DefaultWait     = 3 * time.Second
)

// Options are what a Querier needs. Catalog may be nil: then no metric has
// properties, and every name is fine.
type Options struct {
	Engine  tsdb.Reader
	Catalog Catalog
	Limits  Limits
	// Spellings is how the tags of answers are written; nil for lower case.
	Spellings *spelling.Book
	// Organizations are the limits of each; the defaults where nil.
	Organizations *tidemark.Limits
}

// Querier answers queries from an engine.
type Querier struct {
	engine    tsdb.Reader
	catalog   Catalog
	spellings *spelling.Book
	limits    Limits
	budget    *budget
}

// New returns a Querier.
func New(o Options) *Querier {
	l := o.Limits
	for _, d := range []struct {
		limit *int
		value int
	}{
		{&l.Points, DefaultPoints}, {&l.Held, DefaultHeld}, {&l.Series, DefaultSeries},
		{&l.Branches, DefaultBranches}, {&l.Parallel, DefaultParallel}, {&l.Together, DefaultTogether},
	} {
		if *d.limit <= 0 {
			*d.limit = d.value
		}
	}
	l.Together = max(l.Together, l.Held) // one alone never waits
	if l.Wait <= 0 {
		l.Wait = DefaultWait
	}
	return &Querier{engine: tsdb.Scoped(o.Engine), catalog: o.Catalog, spellings: o.Spellings, limits: l, budget: newBudget(l.Together, l.Wait, o.Organizations)}
}

// Window is the time an expression is evaluated over, in seconds since the
// epoch: Start inclusive, End exclusive. A series() has one point a step; its
// step is Step, or its own period if that is longer.
type Window struct {
	Start, End int64
	Step       int64
	// Now, if set, makes the query fail with ErrResolution where a step is
	// finer than what is still kept.
	Now int64
}

// Series is a part of the result.
type Series struct {
	Metric *tidemark.Metric // nil if it is made of several metrics, or of none
	Tags   tidemark.Tags    // of a stream; of a combined series those of its group
	Times  []int64          // ascending
	Values []float64        // one a time; always finite
	Period int64            // seconds that one point stands for
	Shift  int64            // seconds that timeshift() moved it forward
	Leaf   *Leaf            // the series() it is made of; nil if there are several

	step     int64
	combined bool // made of several streams: its tags are those of its groups
	shared   bool // others see Values too
}

// Name returns the name of the metric, or "".
func (s *Series) Name() string {
	if s.Metric == nil {
		return ""
	}
	return s.Metric.Name
}

// Leaf is a series() as it was written.
type Leaf struct {
	Metric string
	// Tags are the tags that were asked for, or nil if the streams were asked
	// for by a text: then Search says the same as a tags_search.
	Tags   map[string][]string
	Search string
}

// MarshalJSON returns the leaf as the key query of an answer shows it.
func (l *Leaf) MarshalJSON() ([]byte, error) {
	if l.Tags == nil {
		return json.Marshal(struct {
			Metric string `json:"metric"`
			Search string `json:"tags_search"`
		}{l.Metric, l.Search})
	}
	tags := make(map[string]any, len(l.Tags))
	for name, values := range l.Tags {
		tags[name] = values
		if len(values) == 1 {
			tags[name] = values[0]
		}
	}
	return json.Marshal(struct {
		Metric string         `json:"metric"`
		Tags   map[string]any `json:"tags"`
	}{l.Metric, tags})
}

// Result is what an expression stands for.
type Result struct {
	Series  []*Series // those with at least one point
	Streams int       // that were read
	Points  int       // that were read
}

// Eval evaluates e over w. Tags that e leaves open with "%" are narrowed by
// the entry of dynamic with their name, if there is one; if it is grouped, e
// is evaluated as if within a group_by() of the tag. The result belongs to the
// caller, but its series may share their times.
func (q *Querier) Eval(ctx context.Context, org tidemark.OrgID, e *Expr, w Window, dynamic []tidemark.TagFilter) (*Result, error) {
	result, release, err := q.EvalHeld(ctx, org, e, w, dynamic)
	if err != nil {
		return nil, err
	}
	release()
	return result, nil
}

// EvalHeld is Eval for those who keep the result for longer than a moment,
// such as until a slow client has read it: it counts as being in memory until
// they call release, which they must.
func (q *Querier) EvalHeld(ctx context.Context, org tidemark.OrgID, e *Expr, w Window, dynamic []tidemark.TagFilter) (result *Result, release func(), err error) {
	words, err := q.spellings.Of(ctx, org)
	if err != nil {
		return nil, nil, err
	}
	own, err := q.budget.begin(ctx, org)
	if err != nil {
		return nil, nil, err
	}
	ev := newEvaluation(q, org, w)
	ev.dynamic, ev.share = dynamic, own
	if result, err = ev.run(ctx, e); err != nil {
		own.giveBack()
		return nil, nil, err
	}
	for _, s := range result.Series {
		s.Tags = words.Tags(s.Tags)
	}
	return result, own.giveBack, nil
}

// run evaluates e.
func (ev *evaluation) run(ctx context.Context, e *Expr) (*Result, error) {
	w := &ev.window
	if w.Step < 1 || w.Step > tidemark.MaxResolution {
		return nil, tidemark.InvalidField("resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	}
	w.Start, w.End = max(0, w.Start), min(w.End, tsdb.MaxTime+1)
	if w.Start >= w.End {
		return &Result{}, nil
	}
	ev.work = turns.Of(ctx)
	root, err := e.groupedBy(ev.dynamic)
	if err != nil {
		return nil, err
	}
	var sc scope
	if err := root.prepare(ctx, ev, sc); err != nil {
		return nil, err
	}
	if err := ev.fetchAll(ctx); err != nil {
		return nil, err
	}
	series, err := root.eval(ctx, ev, sc)
	if err != nil {
		return nil, err
	}
	if series, err = ev.finish(series); err != nil {
		return nil, err
	}
	return &Result{Series: series, Streams: int(ev.streams.Load()), Points: int(ev.points.Load())}, nil
}
