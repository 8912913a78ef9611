// Package clickhouse is a time-series engine for many servers on one
// ClickHouse. They keep nothing themselves: a write is acknowledged when
// ClickHouse has it on disk, on a quorum of replicas where there are some.
//
// Each record is a row. Rows have numbers that grow with each commit and come
// from the ledger, which all servers share: of two rows of one stream and
// second the one with the larger number remains, so that the same rows may be
// sent as often as one likes. In a metric that folds, the number is part of
// the key, and rows of one second add up when they are read.
package clickhouse

import (
	"context"
	"crypto/tls"
	"errors"
	"hash/maphash"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/spare"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Ledger is what all servers on one ClickHouse agree on. The control store is
// one; tests have one in memory.
type Ledger interface {
	BeginCommit(ctx context.Context) (commit, change int64, err error)
	EngineMetrics(ctx context.Context, after int64) ([]*store.EngineMetric, error)
	SetEngineMode(ctx context.Context, org tidemark.OrgID, name string, fold bool, period int64) (*store.EngineMetric, error)
	DeleteEngineMetric(ctx context.Context, org tidemark.OrgID, name string) (*store.EngineMetric, error)
	RemovedGenerations(ctx context.Context, org tidemark.OrgID, name string, before int64) error
	AddSamples(ctx context.Context, samples map[tidemark.OrgID]int64) error
	Samples(ctx context.Context) (map[tidemark.OrgID]int64, error)
	EngineMark(ctx context.Context, name string) (int64, error)
	SetEngineMark(ctx context.Context, lease store.Lease, name string, value int64) error
	SwapEngineMark(ctx context.Context, name string, from, to int64) (swapped bool, err error)
	TakeLease(ctx context.Context, mine store.Lease, ttl time.Duration) (lease store.Lease, held bool, err error)
	ReleaseLease(ctx context.Context, lease store.Lease) error
}

// Options are the settings of an engine.
type Options struct {
	URLs     []string // http or https, in the order in which they are used
	User     string
	Password string
	Database string // made if it is not there
	Cluster  string // whose servers get the tables; "" for one server
	TLS      *tls.Config

	Ledger Ledger
	Node   string // tells servers apart

	RawRetention  time.Duration
	HourRetention time.Duration

	// CommitInterval is how much time is between commits under load, at most, as
	// long as ClickHouse copes.
	CommitInterval time.Duration
	// WriteWait is how long a commit is tried before it is refused.
	WriteWait time.Duration
	// Transport replaces the network, for tests.
	Transport http.RoundTripper
	// Now is the clock, for tests.
	Now func() time.Time
	// Failed is called with background work that failed; it is tried again.
	Failed func(doing string, err error)
	// Unknown is called with an error of ClickHouse that callers are told nothing
	// of but that there is one.
	Unknown func(code int, err error)
}

func (o *Options) setDefaults() {
	if o.Database == "" {
		o.Database = "tidemark"
	}
	if o.RawRetention == 0 {
		o.RawRetention = 8 * 24 * time.Hour
	}
	if o.HourRetention == 0 {
		o.HourRetention = 5 * 366 * 24 * time.Hour
	}
	if o.CommitInterval == 0 {
		o.CommitInterval = 100 * time.Millisecond
	}
	if o.WriteWait == 0 {
		o.WriteWait = 15 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Failed == nil {
		o.Failed = func(string, error) {}
	}
	if o.Unknown == nil {
		o.Unknown = func(int, error) {}
	}
}

// Engine is a tsdb.Engine on ClickHouse.
type Engine struct {
	o      Options
	client *client
	shape  shape
	queue  *queue
	known  known
	spare  *spare.List[rows] // of the commits before
	// Where streams are limited.
	rosters rosters
	stats   stats

	mu      sync.RWMutex // guards what follows
	closed  bool
	metrics map[metricKey]metric
	change  int64 // the latest of the ledger that metrics knows
	marks   marks

	refreshing chan struct{} // has room for the one who refreshes
	stop       context.CancelFunc
	done       sync.WaitGroup
}

var _ tsdb.Engine = (*Engine)(nil)

// errClosed is the refusal of whatever comes after Close.
var errClosed = tidemark.Errorf(tidemark.Unavailable, "storage is shutting down")

// Open connects to ClickHouse and makes the tables that are missing.
func Open(ctx context.Context, o Options) (*Engine, error) {
	o.setDefaults()
	if o.Ledger == nil {
		return nil, errors.New("clickhouse: no ledger")
	}
	c, err := newClient(&o)
	if err != nil {
		return nil, err
	}
	e := &Engine{o: o, client: c, queue: newQueue(), spare: spare.NewList[rows](1), metrics: make(map[metricKey]metric), refreshing: make(chan struct{}, 1),
		rosters: rosters{seed: maphash.MakeSeed(), orgs: make(map[tidemark.OrgID]*roster)}}
	if e.shape, err = c.setUp(ctx, &o); err != nil {
		return nil, err
	}
	c.settings = e.shape.everyQuestion()
	if e.shape.replicas > 1 {
		c.agreement = newAgreement(o.Ledger, e.syncReplica)
	}
	if err := e.refresh(ctx); err != nil {
		return nil, err
	}
	life, stop := context.WithCancel(context.Background())
	e.stop = stop
	e.done.Go(func() { e.commitLoop(life) })
	e.done.Go(func() { e.follow(life) })
	return e, nil
}

// Tiers returns the resolutions that are kept, finest first.
func (e *Engine) Tiers() []tsdb.Tier {
	return []tsdb.Tier{
		{Window: 1, Retention: int64(e.o.RawRetention / time.Second)},
		{Window: hour, Retention: int64(max(e.o.HourRetention, e.o.RawRetention) / time.Second)},
	}
}

const (
	hour = 3600
	day  = 86400
)

// begin refuses a call whose caller has given up, or that comes too late.
func (e *Engine) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return errClosed
	}
	return nil
}

// Close finishes what was begun and refuses the rest.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	e.mu.Unlock()
	e.queue.close()
	e.stop()
	e.done.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := e.saveSamples(ctx)
	e.client.http.CloseIdleConnections()
	return err
}
