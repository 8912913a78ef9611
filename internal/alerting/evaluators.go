package alerting

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Evaluators evaluates the alerts of all organizations, those of each in a
// loop of its own: whatever an organization has evaluated, loaded or saved, it
// waits for itself. What the loops share (slots for reading, the memory of
// measurements that wait) is divided fairly.
type Evaluators struct {
	Options
	pools pools
	inbox atomic.Int64 // measurements that wait, of all

	seen  atomic.Int64 // when it was last looked which organizations have alerts
	orgs  atomic.Pointer[map[tidemark.OrgID]*orgEvaluator]
	group sync.WaitGroup

	// What follows belongs to Run.
	version int64 // of all alerts
}

// NewEvaluators returns Evaluators. They do nothing until Run.
func NewEvaluators(o Options) *Evaluators {
	g := &Evaluators{Options: o, pools: newPools(), version: -1}
	g.orgs.Store(&map[tidemark.OrgID]*orgEvaluator{})
	return g
}

// orgEvaluator evaluates the alerts of one organization.
type orgEvaluator struct {
	*Evaluator
	org     tidemark.OrgID
	version atomic.Int64
	alerts  atomic.Int64 // that it evaluates, or should
	share   share
	wake    chan struct{}
}

// Run evaluates until ctx is done.
func (g *Evaluators) Run(ctx context.Context) error {
	tick := time.NewTicker(roundEvery)
	defer tick.Stop()
	defer g.group.Wait()
	for {
		if err := g.follow(ctx); err != nil && ctx.Err() == nil {
			g.Logger.ErrorContext(ctx, "load alerts", slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// follow has the alerts of organizations loaded that changed.
func (g *Evaluators) follow(ctx context.Context) error {
	version, err := g.Store.AlertsVersion(ctx)
	if err != nil {
		return err
	}
	if version != g.version {
		versions, err := g.Store.AlertsVersions(ctx)
		if err != nil {
			return err
		}
		g.start(ctx, versions)
		g.version = version
	}
	g.seen.Store(time.Now().Unix())
	return nil
}

// start starts evaluators of organizations that have none, and has the others
// load what changed.
func (g *Evaluators) start(ctx context.Context, versions map[tidemark.OrgID]int64) {
	orgs := maps.Clone(*g.orgs.Load())
	for org, version := range versions {
		if o := orgs[org]; o != nil {
			if o.version.Swap(version) != version {
				o.look()
			}
			continue
		}
		o := g.newOrg(org, version)
		orgs[org] = o
		g.group.Go(func() { o.run(ctx) })
	}
	g.orgs.Store(&orgs)
}

func (g *Evaluators) newOrg(org tidemark.OrgID, version int64) *orgEvaluator {
	o := &orgEvaluator{org: org, wake: make(chan struct{}, 1)}
	o.version.Store(version)
	options := g.Options
	options.Store = &orgStore{Store: g.Store, org: org, version: &o.version}
	o.Evaluator = newEvaluator(options, g.pools)
	o.Evaluator.inbox.all = &g.inbox
	o.Evaluator.latest = func(ctx context.Context) (int64, error) { return g.Store.AlertsVersionOf(ctx, org) }
	return o
}

// run evaluates until ctx is done: twice a second, or as often as the share of
// the organization allows.
func (o *orgEvaluator) run(ctx context.Context) {
	defer o.close()
	ctx = store.ForOrg(ctx, o.org)
	o.work = o.Reader.Turns.Work(o.org)
	for ctx.Err() == nil {
		if err := o.work.Begin(ctx); err != nil {
			return
		}
		began := time.Now()
		o.round(ctx, began)
		o.work.Pause()
		o.alerts.Store(int64(len(o.watched) + len(o.failed)))
		work := time.Since(began) + time.Duration(o.spent.Swap(0))
		owed := o.share.owed(time.Now(), work, o.Limits.Of(o.org, tidemark.LimitEvaluation))
		if owed > 0 {
			o.Limits.Count(tidemark.LimitEvaluation)
		}
		o.rest(ctx, max(owed, roundEvery), owed <= 0)
	}
}

// rest waits for the next round. An organization without alerts waits until
// it has some.
func (o *orgEvaluator) rest(ctx context.Context, pause time.Duration, wakes bool) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	next, wake := timer.C, o.wake
	if !wakes {
		wake = nil
	}
	if wakes && o.alerts.Load() == 0 && o.Evaluator.version == o.version.Load() {
		next = nil
	}
	select {
	case <-ctx.Done():
	case <-next:
	case <-wake:
	}
}

// look has the next round begin at once.
func (o *orgEvaluator) look() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Wrote takes note of measurements that were written.
func (g *Evaluators) Wrote(org tidemark.OrgID, b *tsdb.Batch) {
	if o := (*g.orgs.Load())[org]; o != nil {
		o.Evaluator.Wrote(org, b)
	}
}

// Watched returns the names and globs of the metrics that alerts look at, by
// organization.
func (g *Evaluators) Watched() map[tidemark.OrgID][]string {
	all := make(map[tidemark.OrgID][]string)
	for _, o := range *g.orgs.Load() {
		maps.Copy(all, o.Evaluator.Watched())
	}
	return all
}

// Troubles returns the alerts of org that cannot be evaluated or saved, by id.
func (g *Evaluators) Troubles(org tidemark.OrgID) map[int64]tidemark.AlertTrouble {
	if o := (*g.orgs.Load())[org]; o != nil {
		return o.Evaluator.Troubles(org)
	}
	return map[int64]tidemark.AlertTrouble{}
}

// EvaluatedAtOf returns when the alerts of org were last evaluated, in seconds
// since 1970; 0 if never.
func (g *Evaluators) EvaluatedAtOf(org tidemark.OrgID) int64 {
	if o := (*g.orgs.Load())[org]; o != nil && o.alerts.Load() > 0 {
		return o.EvaluatedAt()
	}
	return g.seen.Load()
}

// EvaluatedAt returns when the alerts of half of the organizations were last
// evaluated: one whose alerts take long is late by itself, and does not make
// the server late.
func (g *Evaluators) EvaluatedAt() int64 {
	var at []int64
	for _, o := range *g.orgs.Load() {
		if o.alerts.Load() > 0 || o.EvaluatedAt() == 0 {
			at = append(at, o.EvaluatedAt())
		}
	}
	if len(at) == 0 {
		return g.seen.Load()
	}
	slices.Sort(at)
	return min(at[(len(at)-1)/2], g.seen.Load())
}

// Health returns how the evaluation of all alerts is doing.
func (g *Evaluators) Health() Health {
	all := Health{EvaluatedAt: g.EvaluatedAt()}
	now := time.Now().Unix()
	for _, o := range *g.orgs.Load() {
		h := o.Evaluator.Health()
		all.Alerts += h.Alerts
		all.SetAside += h.SetAside
		all.Unsaved += h.Unsaved
		if h.Alerts > 0 && now-h.EvaluatedAt > OnTime { // its loop measures nothing meanwhile
			h.LateMax = max(h.LateMax, float64(now-h.EvaluatedAt))
		}
		all.LateMax = max(all.LateMax, h.LateMax)
		all.LateP99 = max(all.LateP99, h.LateP99)
	}
	return all
}

// orgStore is the store as if there were one organization.
type orgStore struct {
	Store
	org     tidemark.OrgID
	version *atomic.Int64
}

func (s *orgStore) AlertsVersion(context.Context) (int64, error) { return s.version.Load(), nil }

func (s *orgStore) WatchedAlerts(ctx context.Context) ([]*tidemark.WatchedAlert, error) {
	return s.Store.WatchedAlertsOf(ctx, s.org)
}
