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
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
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
	spellings       *spelling.Book
	names           map[string]string // of metrics, as they were sent
	promql          *promql.Engine
}

func newOurs(t testing.TB, open func(testing.TB, time.Time) tsdb.Engine, now time.Time) *ours {
	s := &ours{tsdb: open(t, now), spellings: spelling.New(&spelling.Memory{}, nil), names: make(map[string]string)}
	s.use(promql.Options{
		Experimental: true, Now: func() time.Time { return now },
		MaxSamples: promqltest.DefaultMaxSamplesPerQuery, Timeout: 100 * time.Second,
	})
	return s
}

// use makes s evaluate with o.
func (s *ours) use(o promql.Options) {
	o.Storage, o.Spellings = s.tsdb, s.spellings
	o.SubqueryStep = time.Minute // as that of Prometheus' own tests
	o.Names = func(context.Context, tidemark.OrgID, []string) (map[string]string, error) { return s.names, nil }
	s.promql = promql.New(o)
}

// Close closes the engine.
func (s *ours) Close() error { return s.tsdb.Close() }

// AppenderV2 returns what fills the engine.
func (s *ours) AppenderV2(ctx context.Context) storage.AppenderV2 {
	return &appender{ctx: ctx, ours: s}
}

// appender collects one batch.
type appender struct {
	ctx   context.Context
	ours  *ours
	batch tsdb.Batch
	first []*tidemark.Spelling
}

// note keeps how a text is spelled, and returns it as storage has it.
func (a *appender) note(tag, text string) string {
	if tidemark.HasUpper(text) {
		a.first = append(a.first, &tidemark.Spelling{Tag: tag, Text: text})
	}
	return strings.ToLower(text)
}

// Append adds one sample at the second it is in. What cannot be kept is left
// out: native histograms, stale markers, and times before 1970.
func (a *appender) Append(_ storage.SeriesRef, ls labels.Labels, _, t int64, v float64, h *histogram.Histogram, fh *histogram.FloatHistogram, _ storage.AppendV2Options) (storage.SeriesRef, error) {
	if h != nil || fh != nil || t < 0 || value.IsStaleNaN(v) {
		return 0, nil
	}
	tags := make(map[string]string)
	ls.Range(func(l labels.Label) {
		if l.Name != model.MetricNameLabel {
			name := a.note("", protocol.LabelName(l.Name))
			tags[name] = a.note(name, protocol.LabelValue(l.Value))
		}
	})
	name := protocol.MetricName(strings.Clone(ls.Get(model.MetricNameLabel)))
	a.ours.names[strings.ToLower(name)] = name
	a.batch.Add(strings.ToLower(name), tidemark.MakeTags(tags), t/1000, v)
	return 0, nil
}

// AppendExemplar does nothing.
func (a *appender) AppendExemplar(storage.SeriesRef, labels.Labels, exemplar.Exemplar) (storage.SeriesRef, error) {
	return 0, nil
}

// Commit writes the batch.
func (a *appender) Commit() error {
	none := func(texts []spelling.Text) ([]bool, error) { return make([]bool, len(texts)), nil }
	if err := a.ours.spellings.Note(a.ctx, org, a.first, none); err != nil {
		return err
	}
	return a.ours.tsdb.Write(a.ctx, org, &a.batch)
}

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
