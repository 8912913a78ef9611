package alerting

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// postgres is a model of what servers agree on by PostgreSQL: the store of the
// alerts, leases, and the ledger of the measurements. Its clock is everybody's.
type postgres struct {
	part
	*model
	mu      sync.Mutex
	commits int64
	changes int64
	metrics map[string]*store.EngineMetric
	marks   map[string]int64
	leases  map[string]*store.Lease
	savers  map[string]*server // by lease and fence: who saved under it
	doubles []string           // saved by two under one fence
}

func newPostgres() *postgres {
	return &postgres{part: part{name: "postgres"}, model: newModel(), metrics: make(map[string]*store.EngineMetric), marks: make(map[string]int64),
		leases: make(map[string]*store.Lease), savers: make(map[string]*server)}
}

// check is the fence of a transaction; p.mu is held.
func (p *postgres) check(s *server, lease store.Lease) error {
	now := p.leases[lease.Name]
	if now == nil || now.Fence != lease.Fence {
		return tidemark.Errorf(tidemark.Conflict, "another server has taken over %s", lease.Name)
	}
	key := fmt.Sprint(lease.Name, lease.Fence)
	if other := p.savers[key]; other != nil && other != s {
		p.doubles = append(p.doubles, fmt.Sprintf("%s and %s save under number %d of %s", other.draws.who, s.draws.who, lease.Fence, lease.Name))
	}
	p.savers[key] = s
	return nil
}

// isHolder reports whether a server evaluates the alerts.
func (p *postgres) isHolder(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.leases[alertsLease]
	return l != nil && l.Holder == name
}

// edit changes an engine metric.
func (p *postgres) edit(org tidemark.OrgID, name string, change func(*store.EngineMetric)) *store.EngineMetric {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.metrics[name]
	if m == nil {
		m = &store.EngineMetric{Org: org, Name: name}
		p.metrics[name] = m
	}
	change(m)
	p.changes++
	m.Change = p.changes
	c := *m
	return &c
}

// control is the control store as one server has it.
type control struct {
	*server
	db *postgres
}

var (
	_ LeaseStore = (*control)(nil)
)

// do asks something that has no answer.
func (c *control) do(ctx context.Context, what string, effect func() error) error {
	_, err := ask(ctx, c.server, &c.db.part, what, func(*trip) (struct{}, error) { return struct{}{}, effect() })
	return err
}

// get asks something.
func get[T any](ctx context.Context, c *control, what string, effect func() (T, error)) (T, error) {
	return ask(ctx, c.server, &c.db.part, what, func(*trip) (T, error) { return effect() })
}

func (c *control) BeginCommit(ctx context.Context) (commit, change int64, err error) {
	both, err := get(ctx, c, "BeginCommit", func() ([2]int64, error) {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		c.db.commits++
		return [2]int64{c.db.commits, c.db.changes}, nil
	})
	return both[0], both[1], err
}

func (c *control) EngineMetrics(ctx context.Context, after int64) ([]*store.EngineMetric, error) {
	return get(ctx, c, "EngineMetrics", func() ([]*store.EngineMetric, error) {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		var found []*store.EngineMetric
		for _, m := range c.db.metrics {
			if m.Change > after {
				copied := *m
				found = append(found, &copied)
			}
		}
		slices.SortFunc(found, func(a, b *store.EngineMetric) int { return cmp.Compare(a.Change, b.Change) })
		return found, nil
	})
}

func (c *control) SetEngineMode(ctx context.Context, org tidemark.OrgID, name string, fold bool, period int64) (*store.EngineMetric, error) {
	return get(ctx, c, "SetEngineMode", func() (*store.EngineMetric, error) {
		return c.db.edit(org, name, func(m *store.EngineMetric) { m.Fold, m.Period, m.Folded = fold, period, m.Folded || fold }), nil
	})
}

func (c *control) DeleteEngineMetric(ctx context.Context, org tidemark.OrgID, name string) (*store.EngineMetric, error) {
	return get(ctx, c, "DeleteEngineMetric", func() (*store.EngineMetric, error) {
		return c.db.edit(org, name, func(m *store.EngineMetric) { m.Generation, m.Fold, m.Folded = m.Generation+1, false, false }), nil
	})
}

// RemovedGenerations, AddSamples and Samples are of the upkeep, which is not
// played.
func (c *control) RemovedGenerations(context.Context, tidemark.OrgID, string, int64) error {
	return nil
}

func (c *control) AddSamples(context.Context, map[tidemark.OrgID]int64) error { return nil }

func (c *control) Samples(context.Context) (map[tidemark.OrgID]int64, error) { return nil, nil }

func (c *control) EngineMark(ctx context.Context, name string) (int64, error) {
	return get(ctx, c, "EngineMark", func() (int64, error) {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		return c.db.marks[name], nil
	})
}

func (c *control) SetEngineMark(ctx context.Context, lease store.Lease, name string, value int64) error {
	return c.do(ctx, "SetEngineMark", func() error {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		if err := c.db.check(c.server, lease); err != nil {
			return err
		}
		c.db.marks[name] = value
		return nil
	})
}

func (c *control) SwapEngineMark(ctx context.Context, name string, from, to int64) (bool, error) {
	return get(ctx, c, "SwapEngineMark", func() (bool, error) {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		if c.db.marks[name] != from {
			return false, nil
		}
		c.db.marks[name] = to
		return true, nil
	})
}

// taken is the answer of TakeLease.
type taken struct {
	lease store.Lease
	held  bool
}

// TakeLease follows store.TakeLease: whole seconds, of the database.
func (c *control) TakeLease(ctx context.Context, mine store.Lease, ttl time.Duration) (store.Lease, bool, error) {
	got, err := get(ctx, c, "TakeLease", func() (taken, error) {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		now := time.Now().Unix()
		l := c.db.leases[mine.Name]
		switch {
		case l == nil:
			l = &store.Lease{Name: mine.Name, Holder: mine.Holder, Fence: 1}
			c.db.leases[mine.Name] = l
		case l.Holder == mine.Holder && l.Fence == mine.Fence:
		case l.ExpiresAt < now, l.Holder == mine.Holder && mine.Fence == 0:
			l.Holder, l.Fence = mine.Holder, l.Fence+1
		default:
			return taken{*l, false}, nil
		}
		l.ExpiresAt = now + int64(ttl/time.Second)
		return taken{*l, true}, nil
	})
	return got.lease, got.held, err
}

func (c *control) ReleaseLease(ctx context.Context, lease store.Lease) error {
	return c.do(ctx, "ReleaseLease", func() error {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		if l := c.db.leases[lease.Name]; l != nil && l.Holder == lease.Holder && l.Fence == lease.Fence {
			l.ExpiresAt = 0
		}
		return nil
	})
}

// SaveStatesUnder works on copies: who has given up does not see what becomes
// of what it asked for.
func (c *control) SaveStatesUnder(ctx context.Context, lease store.Lease, changes []*tidemark.StateChange) error {
	copies := make([]*tidemark.StateChange, len(changes))
	for i, one := range changes {
		copies[i] = copyChange(one)
	}
	err := c.do(ctx, "SaveStatesUnder", func() error {
		c.db.mu.Lock()
		defer c.db.mu.Unlock()
		if err := c.db.check(c.server, lease); err != nil {
			return err
		}
		return c.db.model.SaveStates(ctx, copies)
	})
	if err != nil {
		return err
	}
	for i, one := range changes {
		one.Saved, one.State = copies[i].Saved, copyState(copies[i].State)
		if one.Incident != nil {
			*one.Incident = *copyIncident(copies[i].Incident)
		}
	}
	return nil
}

func copyChange(c *tidemark.StateChange) *tidemark.StateChange {
	copied := *c
	copied.State = copyState(c.State)
	if c.Incident != nil {
		copied.Incident = copyIncident(c.Incident)
	}
	if c.Notice != nil {
		notice := *c.Notice
		copied.Notice = &notice
	}
	return &copied
}

func (c *control) SaveStates(context.Context, []*tidemark.StateChange) error {
	return tidemark.Errorf(tidemark.Internal, "a server saves without a lease")
}

func (c *control) AlertsVersion(ctx context.Context) (int64, error) {
	return get(ctx, c, "AlertsVersion", func() (int64, error) { return c.db.model.AlertsVersion(ctx) })
}

func (c *control) AlertsVersions(ctx context.Context) (map[tidemark.OrgID]int64, error) {
	return get(ctx, c, "AlertsVersions", func() (map[tidemark.OrgID]int64, error) {
		all, err := c.db.model.AlertsVersions(ctx)
		return maps.Clone(all), err
	})
}

func (c *control) AlertsVersionOf(ctx context.Context, org tidemark.OrgID) (int64, error) {
	return get(ctx, c, "AlertsVersionOf", func() (int64, error) { return c.db.model.AlertsVersionOf(ctx, org) })
}

func (c *control) WatchedAlerts(ctx context.Context) ([]*tidemark.WatchedAlert, error) {
	return get(ctx, c, "WatchedAlerts", func() ([]*tidemark.WatchedAlert, error) { return c.db.model.WatchedAlerts(ctx) })
}

func (c *control) WatchedAlertsOf(ctx context.Context, org tidemark.OrgID) ([]*tidemark.WatchedAlert, error) {
	return get(ctx, c, "WatchedAlertsOf", func() ([]*tidemark.WatchedAlert, error) { return c.db.model.WatchedAlertsOf(ctx, org) })
}

func (c *control) TakeDue(ctx context.Context, q tidemark.DueQuery) ([]*tidemark.Delivery, error) {
	return get(ctx, c, "TakeDue", func() ([]*tidemark.Delivery, error) { return c.db.model.TakeDue(ctx, q) })
}

func (c *control) RewindDeliveries(ctx context.Context, now, latest int64) error {
	return c.do(ctx, "RewindDeliveries", func() error { return c.db.model.RewindDeliveries(ctx, now, latest) })
}

func (c *control) Release(ctx context.Context, ids []int64, due int64) error {
	return c.do(ctx, "Release", func() error { return c.db.model.Release(ctx, ids, due) })
}

func (c *control) Finish(ctx context.Context, o *tidemark.Outcome) error {
	return c.do(ctx, "Finish", func() error { return c.db.model.Finish(ctx, o) })
}

func (c *control) Recipient(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Service, error) {
	return get(ctx, c, "Service", func() (*tidemark.Service, error) { return c.db.model.Recipient(ctx, org, id) })
}

func (c *control) PruneAlerting(context.Context, int64) error { return nil }
