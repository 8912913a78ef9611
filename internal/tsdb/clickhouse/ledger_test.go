package clickhouse_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// ledger is one in memory, that several engines may share.
type ledger struct {
	mu      sync.Mutex
	commits int64
	changes int64
	metrics map[string]*store.EngineMetric
	samples map[tidemark.OrgID]int64
	marks   map[string]int64
	holder  string
	fail    error  // of every call, if it is set
	unset   error  // of SetEngineMark
	begun   func() // called by BeginCommit
}

func newLedger() *ledger {
	return &ledger{metrics: make(map[string]*store.EngineMetric), samples: make(map[tidemark.OrgID]int64), marks: make(map[string]int64)}
}

func (l *ledger) BeginCommit(context.Context) (commit, change int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.commits++
	if l.begun != nil {
		l.begun()
	}
	return l.commits, l.changes, l.fail
}

func (l *ledger) EngineMetrics(_ context.Context, after int64) ([]*store.EngineMetric, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []*store.EngineMetric
	for _, m := range l.metrics {
		if m.Change > after {
			c := *m
			found = append(found, &c)
		}
	}
	slices.SortFunc(found, func(a, b *store.EngineMetric) int { return cmp.Compare(a.Change, b.Change) })
	return found, l.fail
}

func (l *ledger) edit(org tidemark.OrgID, name string, change func(*store.EngineMetric)) (*store.EngineMetric, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return nil, l.fail
	}
	key := string(rune(org)) + name
	m := l.metrics[key]
	if m == nil {
		m = &store.EngineMetric{Org: org, Name: name}
		l.metrics[key] = m
	}
	change(m)
	l.changes++
	m.Change = l.changes
	c := *m
	return &c, nil
}

func (l *ledger) SetEngineMode(_ context.Context, org tidemark.OrgID, name string, fold bool, period int64) (*store.EngineMetric, error) {
	return l.edit(org, name, func(m *store.EngineMetric) { m.Fold, m.Period, m.Folded = fold, period, m.Folded || fold })
}

func (l *ledger) DeleteEngineMetric(_ context.Context, org tidemark.OrgID, name string) (*store.EngineMetric, error) {
	return l.edit(org, name, func(m *store.EngineMetric) { m.Generation, m.Fold, m.Folded = m.Generation+1, false, false })
}

func (l *ledger) RemovedGenerations(_ context.Context, org tidemark.OrgID, name string, before int64) error {
	_, err := l.edit(org, name, func(m *store.EngineMetric) { m.Removed = before })
	return err
}

func (l *ledger) AddSamples(_ context.Context, samples map[tidemark.OrgID]int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for org, n := range samples {
		l.samples[org] += n
	}
	return l.fail
}

func (l *ledger) Samples(context.Context) (map[tidemark.OrgID]int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.samples), l.fail
}

func (l *ledger) EngineMark(_ context.Context, name string) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.marks[name], l.fail
}

func (l *ledger) SetEngineMark(_ context.Context, _ store.Lease, name string, value int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unset != nil {
		return l.unset
	}
	l.marks[name] = value
	return l.fail
}

func (l *ledger) SwapEngineMark(_ context.Context, name string, from, to int64) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil || l.marks[name] != from {
		return false, l.fail
	}
	l.marks[name] = to
	return true, nil
}

func (l *ledger) TakeLease(_ context.Context, mine store.Lease, _ time.Duration) (store.Lease, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder = cmp.Or(l.holder, mine.Holder)
	return store.Lease{Name: mine.Name, Holder: l.holder, Fence: 1}, l.holder == mine.Holder, l.fail
}

func (l *ledger) ReleaseLease(context.Context, store.Lease) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder = ""
	return nil
}
