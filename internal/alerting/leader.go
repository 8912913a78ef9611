package alerting

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"golang.org/x/sync/errgroup"
)

const (
	// alertsLease is held by the server that evaluates the alerts. It is
	// renewed often enough, and lasts so short, that another one evaluates
	// them within 15 seconds of its death.
	alertsLease = "alerts"
	leaseFor    = 8 * time.Second
	renewEvery  = 2 * time.Second
	// renewFor is how long renewing may take: a connection that is cut off
	// without a word must not cost the lease.
	renewFor = leaseFor / 2
	// saveFor is how long saving may take: after that another may hold the
	// lease.
	saveFor = leaseFor
	// fetchEvery is how often what other servers wrote is fetched, and
	// fetchFor how long that may take; longer after it did not suffice.
	fetchEvery = 500 * time.Millisecond
	fetchFor   = 10 * time.Second
	maxFetch   = 2 * time.Minute
	// evaluatedMark is when the alerts were last evaluated, and arrivalsMark
	// up to where all that was written has been fetched.
	evaluatedMark = "alerts_evaluated_at"
	arrivalsMark  = "alerts_arrivals"
)

// LeaseStore is what servers that share the alerts agree by.
type LeaseStore interface {
	Store
	TakeLease(ctx context.Context, mine store.Lease, ttl time.Duration) (lease store.Lease, held bool, err error)
	ReleaseLease(ctx context.Context, lease store.Lease) error
	SaveStatesUnder(ctx context.Context, lease store.Lease, changes []*tidemark.StateChange) error
	EngineMark(ctx context.Context, name string) (int64, error)
	SetEngineMark(ctx context.Context, lease store.Lease, name string, value int64) error
}

// Arrivals is what all servers write, as it comes to light.
type Arrivals interface {
	// Mark is up to where nothing comes to light any more. It may be called
	// at any time.
	Mark() int64
	// Fetch calls do with the records of watched metrics that came to light
	// since the last time.
	Fetch(ctx context.Context, watched map[tidemark.OrgID][]string, do func(org tidemark.OrgID, b *tsdb.Batch)) error
}

// LeaderOptions are what a Leader works with.
type LeaderOptions struct {
	Store  LeaseStore
	Node   string // tells servers apart
	Logger *slog.Logger
	// Arrivals begins to follow what is written, from a mark on; 0 if there
	// is none.
	Arrivals func(ctx context.Context, from int64) (Arrivals, error)
	// New makes an evaluator that knows nothing yet and saves to a store.
	New func(Store) *Evaluators
	// Evaluator is set to the one that evaluates, or would.
	Evaluator *atomic.Pointer[Evaluators]
	// Elsewhere is set to when another server evaluated the alerts.
	Elsewhere *atomic.Int64
}

// Leader evaluates the alerts of several servers while it holds their lease.
type Leader struct {
	LeaderOptions
	lease store.Lease // the latest that was ours
	until time.Time   // when it may be another's, by our clock
	stop  func()      // ends the turn and waits for its end; nil if it is not ours
	// arrivals are those of the turn.
	arrivals Arrivals
}

// NewLeader returns a Leader. It does nothing until Run.
func NewLeader(o LeaderOptions) *Leader {
	return &Leader{LeaderOptions: o, lease: store.Lease{Name: alertsLease, Holder: o.Node}}
}

// Run evaluates alerts until ctx is done, whenever it is this server's turn.
func (l *Leader) Run(ctx context.Context) error {
	ticker := time.NewTicker(renewEvery)
	defer ticker.Stop()
	for {
		l.renew(ctx)
		select {
		case <-ctx.Done():
			l.end()
			l.release()
			return nil
		case <-ticker.C:
		}
	}
}

// renew takes or renews the lease, and begins or ends the turn accordingly.
func (l *Leader) renew(ctx context.Context) {
	asked := time.Now()
	lease, held, err := l.take(ctx)
	if err != nil {
		l.lost(ctx, err)
		return
	}
	if !held || lease.Fence != l.lease.Fence { // another had it in between
		l.end()
	}
	if held {
		l.lease, l.until = lease, asked.Add(leaseFor-time.Second)
	}
	if held && l.stop == nil {
		l.begin(ctx)
	}
	l.share(ctx)
}

func (l *Leader) take(ctx context.Context) (lease store.Lease, held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, renewFor)
	defer cancel()
	return l.Store.TakeLease(ctx, l.lease, leaseFor)
}

// lost ends the turn once the lease may be another's. Whether the last renewal
// took it again is not known then: the next one takes it anew.
func (l *Leader) lost(ctx context.Context, err error) {
	if time.Now().Before(l.until) {
		return
	}
	l.lease.Fence = 0
	if l.stop != nil {
		l.Logger.WarnContext(ctx, "the lease of the alerts could not be renewed: another server evaluates them now", slog.Any("err", err))
		l.end()
	}
}

// share publishes how far the evaluation is, or reads it from the other
// servers. What fails is made good with the next renewal.
func (l *Leader) share(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, renewEvery)
	defer cancel()
	if l.stop != nil {
		if at := l.Evaluator.Load().EvaluatedAt(); at > 0 {
			_ = l.Store.SetEngineMark(ctx, l.lease, evaluatedMark, at) // for people to see
		}
		_ = l.Store.SetEngineMark(ctx, l.lease, arrivalsMark, l.arrivals.Mark()) // for whoever takes over
		return
	}
	if at, err := l.Store.EngineMark(ctx, evaluatedMark); err == nil {
		l.Elsewhere.Store(at)
	}
}

// begin starts a turn, with an evaluator that knows nothing yet: it reads the
// past back as after a restart, and what is written meanwhile is fetched from
// before that on.
func (l *Leader) begin(ctx context.Context) {
	arrivals, err := l.follow(ctx)
	if err != nil {
		l.Logger.WarnContext(ctx, "begin to evaluate the alerts", slog.Any("err", err)) // tried again with the next renewal
		return
	}
	l.arrivals = arrivals
	evaluator := l.New(&fenced{LeaseStore: l.Store, lease: l.lease})
	l.Evaluator.Store(evaluator)
	turn, cancel := context.WithCancel(ctx)
	g, turn := errgroup.WithContext(turn)
	g.Go(func() error { return evaluator.Run(turn) })
	g.Go(func() error { return l.feed(turn, arrivals, evaluator) })
	l.stop = func() {
		cancel()
		_ = g.Wait() // both end without an error
	}
	l.Logger.InfoContext(ctx, "this server evaluates the alerts now")
}

// follow begins where whoever held the lease before was.
func (l *Leader) follow(ctx context.Context) (Arrivals, error) {
	ctx, cancel := context.WithTimeout(ctx, renewFor)
	defer cancel()
	from, err := l.Store.EngineMark(ctx, arrivalsMark)
	if err != nil {
		return nil, err
	}
	return l.Arrivals(ctx, from)
}

// feed gives the evaluator what any server writes.
func (l *Leader) feed(ctx context.Context, arrivals Arrivals, evaluator *Evaluators) error {
	ticker := time.NewTicker(fetchEvery)
	defer ticker.Stop()
	patience := fetchFor
	for {
		err := fetch(ctx, arrivals, evaluator, patience)
		switch {
		case err == nil:
			patience = fetchFor
		case ctx.Err() == nil: // they are fetched again
			if errors.Is(err, context.DeadlineExceeded) {
				patience = min(2*patience, maxFetch)
			}
			l.Logger.WarnContext(ctx, "fetch measurements for alerts", slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

func fetch(ctx context.Context, arrivals Arrivals, evaluator *Evaluators, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return arrivals.Fetch(ctx, evaluator.Watched(), evaluator.Wrote)
}

// end ends the turn, if it is ours.
func (l *Leader) end() {
	if l.stop == nil {
		return
	}
	l.stop()
	l.stop = nil
	l.Evaluator.Store(l.New(l.Store)) // which evaluates nothing
	l.Logger.Info("this server does not evaluate the alerts any more")
}

// release lets another server begin at once.
func (l *Leader) release() {
	if l.lease.Fence == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := l.Store.ReleaseLease(ctx, l.lease); err != nil {
		l.Logger.WarnContext(ctx, "release the lease of the alerts", slog.Any("err", err))
	}
}

// fenced is the store for one who holds a lease: what it saves after another
// has taken over is refused.
type fenced struct {
	LeaseStore
	lease store.Lease
}

// SaveStates saves changes while the lease is held.
func (f *fenced) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	ctx, cancel := context.WithTimeout(ctx, saveFor)
	defer cancel()
	return f.SaveStatesUnder(ctx, f.lease, changes)
}
