package clickhouse

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// followEvery is how often a server looks for what others changed. Writers
// look at each commit.
const followEvery = 500 * time.Millisecond

type metricKey struct {
	org  tidemark.OrgID
	name string
}

// metric is how the records of a metric are kept at present.
type metric struct {
	gen    int64
	mode   tsdb.Mode
	folded bool // ever, in this generation: rows of one second may add up
	change int64
}

// hash is that of a generation of a metric.
func (key metricKey) hash(gen int64) uint64 {
	b := binary.LittleEndian.AppendUint64(nil, uint64(key.org))
	b = binary.LittleEndian.AppendUint64(b, uint64(gen))
	return xxhash.Sum64(append(b, key.name...))
}

// learn takes over what the ledger says of a metric; e.mu is held.
func (e *Engine) learn(m *store.EngineMetric) {
	key := metricKey{m.Org, m.Name}
	if e.metric(key).change <= m.Change {
		e.metrics[key] = metric{gen: m.Generation, mode: tsdb.Mode{Fold: m.Fold, Period: m.Period}, folded: m.Folded, change: m.Change}
	}
}

// metric returns the state of a metric, of which nothing need be known; e.mu is
// held.
func (e *Engine) metric(key metricKey) metric { return e.metrics[key] }

// marks are how far the work that one server does for all has come.
type marks struct {
	hours   int64 // all commits up to this one are in the hours
	until   int64 // of hours before this time
	rawFrom int64 // records before this time may be gone
}

const (
	hoursMark = "hours"
	untilMark = "hours_until"
	rawMark   = "raw_from"
)

// refresh learns what the ledger knows and e does not. Others wait for one who
// does so, but no longer than they have time for.
func (e *Engine) refresh(ctx context.Context) error {
	select {
	case e.refreshing <- struct{}{}:
		defer func() { <-e.refreshing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	e.mu.RLock()
	after := e.change
	e.mu.RUnlock()
	changed, err := e.o.Ledger.EngineMetrics(ctx, after)
	if err != nil {
		return err
	}
	var now marks
	if now.hours, err = e.o.Ledger.EngineMark(ctx, hoursMark); err != nil {
		return err
	}
	if now.until, err = e.o.Ledger.EngineMark(ctx, untilMark); err != nil {
		return err
	}
	if now.rawFrom, err = e.o.Ledger.EngineMark(ctx, rawMark); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range changed {
		e.learn(m)
		e.change = max(e.change, m.Change)
	}
	e.marks = now
	return nil
}

// refreshFor is refresh for one who has no deadline.
func (e *Engine) refreshFor(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return e.refresh(ctx)
}

// follow learns of changes by other servers until ctx is done, and goes back
// to the first address of ClickHouse once that works again.
func (e *Engine) follow(ctx context.Context) {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := e.refreshFor(ctx, e.o.WriteWait); err != nil && ctx.Err() == nil {
			e.o.Failed("follow changes of metrics", err)
		}
		if n%10 == 9 {
			e.client.home(ctx)
			if err := e.saveSamples(ctx); err != nil && ctx.Err() == nil {
				e.o.Failed("save statistics", err)
			}
		}
	}
}

// SetMode says how records of a metric are kept from now on.
func (e *Engine) SetMode(ctx context.Context, org tidemark.OrgID, name string, m tsdb.Mode) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if err := e.begin(ctx); err != nil {
		return err
	}
	changed, err := e.o.Ledger.SetEngineMode(ctx, org, name, m.Fold, m.Period)
	return e.changed(changed, err)
}

// Delete forgets a metric: a new generation begins, and what the old one has
// is removed later.
func (e *Engine) Delete(ctx context.Context, org tidemark.OrgID, name string) error {
	if err := e.begin(ctx); err != nil {
		return err
	}
	changed, err := e.o.Ledger.DeleteEngineMetric(ctx, org, name)
	e.rosters.forget(org)
	return e.changed(changed, err)
}

// changed takes over a change of our own. Others may have come before it, so
// that the next commit still asks for all since the last that is known.
func (e *Engine) changed(m *store.EngineMetric, err error) error {
	if err != nil {
		return e.unavailable("the metric cannot be changed at present", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.learn(m)
	return nil
}
