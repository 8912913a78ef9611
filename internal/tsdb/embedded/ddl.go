package embedded

import (
	"context"

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
	e.ddl.Lock()
	defer e.ddl.Unlock()
	if !mode.Fold {
		mode = tsdb.Mode{}
	}
	c := e.cat.Edit()
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

// logAlone makes one entry durable and then applies it. Whoever seals its
// generation waits for that: the log of the generation goes with the seal, and
// the change would be in neither.
func (e *Engine) logAlone(frame []byte, apply func(c catalog.Edit)) error {
	e.changing.Lock()
	defer e.changing.Unlock()
	wal.Frame(frame)
	seq, err := e.log.Append(frame, func(_, _ uint64, buf []byte) []byte { return e.logDefinitions(buf) })
	if err == nil {
		err = e.log.Wait(seq)
	}
	if err != nil {
		return refusal(err)
	}
	c := e.cat.Edit()
	defer c.Close()
	apply(c)
	return nil
}

func (e *Engine) applyMode(c catalog.Edit, m *catalog.Metric, mode tsdb.Mode) {
	c.SetMode(m, mode)
	e.changesMu.Lock()
	e.modeChanged[m.ID] = struct{}{}
	e.changesMu.Unlock()
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
	e.ddl.Lock()
	defer e.ddl.Unlock()
	c := e.cat.View()
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
	e.streamCount.Store(int64(c.Count()))
	e.changesMu.Lock()
	delete(e.modeChanged, m.ID)
	e.toDrop = append(e.toDrop, m.ID)
	e.changesMu.Unlock()
}
