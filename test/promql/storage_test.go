package promql_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/exemplar"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/promql"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const org = tidemark.OrgID(7)

// openEmbedded returns the real engine, with everything it is given sealed
// soon. Its clock is that of the data, so that nothing is too old to be kept.
func openEmbedded(t testing.TB, now time.Time) tsdb.Engine {
	e, err := embedded.Open(context.Background(), embedded.Options{
		Dir: t.TempDir(), GenerationRecords: 5000, MemoryBytes: 16 << 20, CacheBytes: 8 << 20,
		Now: func() time.Time { return now }, RawRetention: 100 * 365 * 24 * time.Hour, MinuteLag: 99 * 365 * 24 * time.Hour,
		MinuteRetention: 101 * 365 * 24 * time.Hour, HourRetention: 102 * 365 * 24 * time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func openMemory(testing.TB, time.Time) tsdb.Engine { return memory.New() }

// ours is a storage.Storage that promqltest can load, on an engine of ours.
type ours struct {
	storage.Storage // nil: what is not below is not used
	tsdb            tsdb.Engine
	promql          *promql.Engine
}

func newOurs(t testing.TB, open func(testing.TB, time.Time) tsdb.Engine, now time.Time) *ours {
	e := open(t, now)
	return &ours{tsdb: e, promql: promql.New(promql.Options{
		Storage: e, CaseSensitive: true, Experimental: true, Now: func() time.Time { return now },
		MaxSamples: promqltest.DefaultMaxSamplesPerQuery, Timeout: 100 * time.Second,
	})}
}

// Close closes the engine.
func (s *ours) Close() error { return s.tsdb.Close() }

// AppenderV2 returns what fills the engine.
func (s *ours) AppenderV2(ctx context.Context) storage.AppenderV2 {
	return &appender{ctx: ctx, tsdb: s.tsdb}
}

// appender collects one batch.
type appender struct {
	ctx   context.Context
	tsdb  tsdb.Engine
	batch tsdb.Batch
}

// Append adds one sample at the second it is in. What cannot be kept is left
// out: native histograms, stale markers, and times before 1970.
func (a *appender) Append(_ storage.SeriesRef, ls labels.Labels, _, t int64, v float64, h *histogram.Histogram, fh *histogram.FloatHistogram, _ storage.AppendV2Options) (storage.SeriesRef, error) {
	if h != nil || fh != nil || t < 0 || value.IsStaleNaN(v) {
		return 0, nil
	}
	var tags tidemark.Tags
	ls.Range(func(l labels.Label) {
		if l.Name != model.MetricNameLabel {
			tags = append(tags, tidemark.Tag{Name: l.Name, Value: l.Value})
		}
	})
	a.batch.Add(strings.Clone(ls.Get(model.MetricNameLabel)), tags, t/1000, v)
	return 0, nil
}

// AppendExemplar does nothing.
func (a *appender) AppendExemplar(storage.SeriesRef, labels.Labels, exemplar.Exemplar) (storage.SeriesRef, error) {
	return 0, nil
}

// Commit writes the batch.
func (a *appender) Commit() error { return a.tsdb.Write(a.ctx, org, &a.batch) }

// Rollback forgets it.
func (a *appender) Rollback() error { return nil }

// engine is a prom.QueryEngine that takes each query to the storage it is for.
type engine struct{ lookBack time.Duration }

func (e engine) NewInstantQuery(ctx context.Context, q storage.Queryable, _ prom.QueryOpts, expr string, at time.Time) (prom.Query, error) {
	s, ok := q.(*ours)
	if !ok {
		return nil, errors.New("not ours")
	}
	return s.promql.Instant(ctx, org, expr, at, promql.QueryOptions{LookBack: e.lookBack})
}

func (e engine) NewRangeQuery(ctx context.Context, q storage.Queryable, _ prom.QueryOpts, expr string, start, end time.Time, step time.Duration) (prom.Query, error) {
	s, ok := q.(*ours)
	if !ok {
		return nil, errors.New("not ours")
	}
	return s.promql.Range(ctx, org, expr, start, end, step, promql.QueryOptions{LookBack: e.lookBack})
}
