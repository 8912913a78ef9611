package embedded

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// SetMode says how records of a metric are kept from now on; see tsdb.Engine.
func (e *Engine) SetMode(ctx context.Context, org tidemark.OrgID, name string, mode tsdb.Mode) error {
	if err := mode.Validate(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	e.changes.one.Lock()
	defer e.changes.one.Unlock()
	if !mode.Fold {
		mode = tsdb.Mode{}
	}
	c := e.catalog.Edit()
	m := c.Metric(org, name)
	if m == nil && mode.Fold {
		m = c.DefineMetric(org, name)
	}
	c.Close()
	if m == nil || m.Mode == mode {
		return nil
	}
	return e.logAlone(appendMode(make([]byte, wal.FrameHeader), m.ID, mode), func(c catalog.Edit) { e.applyMode(c, m, mode) })
}

// logAlone makes one entry durable and then applies it. A seal of its
// generation waits for that: the log of the generation goes with the seal, and
// the change would be in neither.
func (e *Engine) logAlone(frame []byte, apply func(c catalog.Edit)) error {
	e.changes.applying.Lock()
	defer e.changes.applying.Unlock()
	wal.Frame(frame)
	seq, err := e.log.Append(frame, func(_, _ uint64, buf []byte) []byte { return e.logDefinitions(buf) })
	if err == nil {
		err = e.log.Wait(seq)
	}
	if err != nil {
		return refusal(err)
	}
	c := e.catalog.Edit()
	defer c.Close()
	apply(c)
	return nil
}

func (e *Engine) applyMode(c catalog.Edit, m *catalog.Metric, mode tsdb.Mode) {
	c.SetMode(m, mode)
	e.changes.setMode(m.ID)
}

// Delete forgets a metric and its data; see tsdb.Engine. Its ids are never
// used again, so that its data is out of reach at once; it is purged later.
func (e *Engine) Delete(ctx context.Context, org tidemark.OrgID, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	e.changes.one.Lock()
	defer e.changes.one.Unlock()
	c := e.catalog.View()
	m := c.Metric(org, name)
	c.Close()
	if m == nil {
		return nil
	}
	if err := e.logAlone(appendDeletion(make([]byte, wal.FrameHeader), m.ID), func(c catalog.Edit) { e.applyDrop(c, m) }); err != nil {
		return err
	}
	e.tiers.forget(m.AllStreams())
	return nil
}

func (e *Engine) applyDrop(c catalog.Edit, m *catalog.Metric) {
	c.Drop(m)
	e.head.streamCount.Store(int64(c.Count()))
	e.changes.drop(m.ID)
}

// changes are those of metrics that Pebble does not know of yet.
type changes struct {
	one      sync.Mutex // one SetMode or Delete at a time
	applying sync.Mutex // held while a change is in the log and not yet in memory

	mu          sync.Mutex
	modeChanged map[uint32]struct{} // metrics whose mode is not saved
	toDrop      []uint32            // deleted metrics, that they are is not saved
	toPurge     []uint32            // deleted metrics whose data is still there
}

func (c *changes) setMode(metric uint32) {
	c.mu.Lock()
	c.modeChanged[metric] = struct{}{}
	c.mu.Unlock()
}

func (c *changes) drop(metric uint32) {
	c.mu.Lock()
	delete(c.modeChanged, metric)
	c.toDrop = append(c.toDrop, metric)
	c.mu.Unlock()
}

// unsaved returns the metrics whose mode changed, and those that were deleted.
func (c *changes) unsaved() (modes, dropped []uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.modeChanged)), slices.Clone(c.toDrop)
}

// saved notes that metrics, and that others were deleted, are saved.
func (c *changes) saved(metrics map[uint32][]byte, dropped []uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range metrics {
		delete(c.modeChanged, id)
	}
	c.toDrop = slices.DeleteFunc(c.toDrop, func(id uint32) bool { return slices.Contains(dropped, id) })
	c.toPurge = append(c.toPurge, dropped...)
}

// unpurged returns the deleted metrics whose data is still there, in order.
func (c *changes) unpurged() []uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.toPurge)
	slices.Sort(list)
	return slices.Compact(list) // one may have been deleted again by replay
}

// purged notes that the data of metrics is gone.
func (c *changes) purged(metrics []uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.toPurge = slices.DeleteFunc(c.toPurge, func(id uint32) bool { return slices.Contains(metrics, id) })
}
