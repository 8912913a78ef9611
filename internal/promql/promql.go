// Package promql answers PromQL over an engine of package tsdb. Prometheus'
// own engine evaluates; what is here is the storage below it: a metric is a
// __name__, its tags are labels, a record is a sample at a whole second.
//
// Data is read while it is evaluated, one series after the other, so that a
// query holds its result in memory and not what it was made from.
package promql

import (
	"context"
	"time"

	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// reach is how far back Prometheus' engine looks for a sample. How
// long a sample really lasts depends on its stream, and is said by markers
// where it ends: see series.go. It is more than twice the longest period.
const reach = 3 * tidemark.MaxResolution * time.Second

// Options are the settings of an Engine. Only Storage is needed.
type Options struct {
	Storage tsdb.Reader

	// Periods returns how many seconds apart the records of metrics are meant
	// to be, for those of names (in lower case) of which it is known. A sample
	// lasts twice that long.
	Periods func(ctx context.Context, org tidemark.OrgID, names []string) (map[string]int64, error)

	// Names returns what metrics were first called, by their names in storage;
	// those that it leaves out are called as they are there. Spellings has the
	// same for tags.
	Names     func(ctx context.Context, org tidemark.OrgID, keys []string) (map[string]string, error)
	Spellings *spelling.Book

	LookBack   time.Duration // how long a sample lasts at least; 5 minutes
	MaxSamples int           // that one query may hold in memory; 50 million
	Timeout    time.Duration // of one query; 2 minutes
	Concurrent int           // queries that are evaluated at once, others wait; 20

	// SubqueryStep is that of subqueries that name none, such as [5m:], as
	// Prometheus' evaluation_interval is; 15 seconds.
	SubqueryStep time.Duration

	// Experimental turns on what Prometheus has behind feature flags of its
	// own: functions, arithmetic of durations, fill modifiers, smoothed ranges.
	Experimental bool

	Now func() time.Time // time.Now
}

// Engine evaluates PromQL. It is safe for concurrent use.
type Engine struct {
	o      Options
	prom   *prom.Engine
	parser parser.Parser
	plain  bool // for tests: read every record that an expression names
}

// New returns an engine.
func New(o Options) *Engine {
	o.setDefaults()
	o.Storage = tsdb.Scoped(o.Storage)
	p := NewParser(parser.Options{
		EnableExperimentalFunctions: o.Experimental, ExperimentalDurationExpr: o.Experimental,
		EnableExtendedRangeSelectors: o.Experimental, EnableBinopFillModifiers: o.Experimental,
	})
	return &Engine{o: o, parser: p, prom: prom.NewEngine(prom.EngineOpts{
		Parser:     p,
		MaxSamples: o.MaxSamples, Timeout: o.Timeout, ActiveQueryTracker: newGate(o.Concurrent),
		LookbackDelta:    reach,
		EnableAtModifier: true, EnableNegativeOffset: true, EnableDelayedNameRemoval: o.Experimental,
		NoStepSubqueryIntervalFn: func(int64) int64 { return o.SubqueryStep.Milliseconds() },
	})}
}

func (o *Options) setDefaults() {
	if o.LookBack <= 0 {
		o.LookBack = 5 * time.Minute
	}
	if o.MaxSamples <= 0 {
		o.MaxSamples = 50_000_000
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Concurrent <= 0 {
		o.Concurrent = 20
	}
	if o.SubqueryStep <= 0 {
		o.SubqueryStep = 15 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Parser returns the parser of the dialect that e understands.
func (e *Engine) Parser() parser.Parser { return e.parser }

// QueryOptions are what a caller may say about one query.
type QueryOptions struct {
	LookBack time.Duration // how long every sample lasts; 0 means as usual
}

// Instant returns the evaluation of an expression at one time. The error says
// what is wrong with the expression.
func (e *Engine) Instant(ctx context.Context, org tidemark.OrgID, expr string, at time.Time, o QueryOptions) (prom.Query, error) {
	from := e.queryable(org, o)
	q, err := e.prom.NewInstantQuery(ctx, from, o.prom(), expr, at)
	if err != nil {
		return nil, err
	}
	return q, from.prepare(q)
}

// Range returns the evaluation of an expression from start to end, both
// inclusive, a step apart.
func (e *Engine) Range(ctx context.Context, org tidemark.OrgID, expr string, start, end time.Time, step time.Duration, o QueryOptions) (prom.Query, error) {
	from := e.queryable(org, o)
	q, err := e.prom.NewRangeQuery(ctx, from, o.prom(), expr, start, end, step)
	if err != nil {
		return nil, err
	}
	return q, from.prepare(q)
}

func (o QueryOptions) prom() prom.QueryOpts { return prom.NewPrometheusQueryOpts(false, o.LookBack) }

// Querier returns what org has, from mint to maxt in milliseconds.
func (e *Engine) Querier(org tidemark.OrgID, mint, maxt int64) storage.Querier {
	return e.queryable(org, QueryOptions{}).querier(mint, maxt)
}
