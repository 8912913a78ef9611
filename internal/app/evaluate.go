package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
	"golang.org/x/sync/errgroup"
)

const (
	// alertsLease is held by the server that evaluates the alerts. It is
	// renewed often enough, and lasts so short, that another one evaluates
	// them within 15 seconds of its death.
	alertsLease = "alerts"
	leaseFor    = 10 * time.Second
	renewEvery  = 2 * time.Second
	// fetchEvery is how often what other servers wrote is fetched.
	fetchEvery = 500 * time.Millisecond
	// evaluatedMark is when the alerts were last evaluated.
	evaluatedMark = "alerts_evaluated_at"
)

// arriving is an engine that several servers write to.
type arriving interface {
	Arrivals(ctx context.Context) (*clickhouse.Arrivals, error)
}

// runEvaluator evaluates alerts until ctx is done: all the time where the
// measurements are this server's alone, else while it holds the lease.
func (rm *rooms) runEvaluator(ctx context.Context, log *slog.Logger) error {
	engine, shared := rm.engine.(arriving)
	if !shared {
		return rm.watch.evaluator.Load().Run(ctx)
	}
	t := &leadership{rm: rm, engine: engine, log: log}
	ticker := time.NewTicker(renewEvery)
	defer ticker.Stop()
	for {
		t.renew(ctx)
		select {
		case <-ctx.Done():
			t.end()
			t.release()
			return nil
		case <-ticker.C:
		}
	}
}

// leadership is about which of several servers evaluates the alerts: the one that
// holds the lease.
type leadership struct {
	rm     *rooms
	engine arriving
	log    *slog.Logger

	lease store.Lease
	until time.Time // when the lease may be another's, by our clock
	stop  func()    // ends the turn and waits for its end; nil if it is not ours
}

// renew takes or renews the lease, and begins or ends the turn accordingly.
func (t *leadership) renew(ctx context.Context) {
	asked := time.Now()
	lease, held, err := t.rm.store.TakeLease(ctx, alertsLease, t.rm.node, leaseFor)
	switch {
	case err != nil:
		if t.stop != nil && time.Now().After(t.until) { // the holder is unknown
			t.log.Warn("the lease of the alerts could not be renewed: another server evaluates them now", slog.Any("err", err))
			t.end()
		}
		return
	case !held:
		t.end()
	case t.stop != nil && lease.Fence != t.lease.Fence: // another had it in between
		t.end()
		t.begin(ctx, lease)
	case t.stop == nil:
		t.begin(ctx, lease)
	}
	t.until = asked.Add(leaseFor - time.Second)
	t.share(ctx)
}

// share publishes when the alerts were evaluated, or reads it from the other
// servers.
func (t *leadership) share(ctx context.Context) {
	if t.stop != nil {
		if at := t.rm.watch.evaluator.Load().EvaluatedAt(); at > 0 {
			_ = t.rm.store.SetEngineMark(ctx, t.lease, evaluatedMark, at) // for people to see: the next one will do
		}
		return
	}
	if at, err := t.rm.store.EngineMark(ctx, evaluatedMark); err == nil {
		t.rm.watch.elsewhere.Store(at)
	}
}

// begin starts a turn, with an evaluator that knows nothing yet: it reads the
// past back as after a restart, and what is written meanwhile is fetched from
// before that on.
func (t *leadership) begin(ctx context.Context, lease store.Lease) {
	arrivals, err := t.engine.Arrivals(ctx)
	if err != nil {
		t.log.Warn("begin to evaluate the alerts", slog.Any("err", err)) // tried again with the next renewal
		return
	}
	evaluator := t.rm.newEvaluator(&fenced{Store: t.rm.store, lease: lease}, t.log)
	t.rm.watch.evaluator.Store(evaluator)
	t.lease = lease
	turn, cancel := context.WithCancel(ctx)
	g, turn := errgroup.WithContext(turn)
	g.Go(func() error { return evaluator.Run(turn) })
	g.Go(func() error { return t.feed(turn, arrivals, evaluator) })
	t.stop = func() {
		cancel()
		_ = g.Wait() // both end without an error
	}
	t.log.Info("this server evaluates the alerts now")
}

// feed gives the evaluator what any server writes.
func (t *leadership) feed(ctx context.Context, arrivals *clickhouse.Arrivals, evaluator *alerting.Evaluators) error {
	ticker := time.NewTicker(fetchEvery)
	defer ticker.Stop()
	for {
		if err := arrivals.Fetch(ctx, evaluator.Watched(), evaluator.Wrote); err != nil && ctx.Err() == nil {
			t.log.Warn("fetch measurements for alerts", slog.Any("err", err)) // they are fetched again
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// end ends the turn, if it is ours.
func (t *leadership) end() {
	if t.stop == nil {
		return
	}
	t.stop()
	t.stop = nil
	t.rm.watch.evaluator.Store(t.rm.newEvaluator(t.rm.store, t.log)) // which evaluates nothing
	t.log.Info("this server does not evaluate the alerts any more")
}

// release lets another server begin at once.
func (t *leadership) release() {
	if t.lease.Fence == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := t.rm.store.ReleaseLease(ctx, t.lease); err != nil {
		t.log.Warn("release the lease of the alerts", slog.Any("err", err))
	}
}

// fenced is the store for one who holds a lease: what it saves after another
// has taken over is refused.
type fenced struct {
	*store.Store
	lease store.Lease
}

// SaveStates saves changes while the lease is held.
func (f *fenced) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	return f.SaveStatesUnder(ctx, f.lease, changes)
}
