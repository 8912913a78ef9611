package embedded

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
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
	e.cat.mu.Lock()
	m := e.cat.metric(org, name)
	if m == nil && mode.Fold {
		m = e.cat.defineMetric(org, name)
	}
	e.cat.mu.Unlock()
	if m == nil || m.mode == mode {
		return nil
	}
	return e.logAlone(appendMode(make([]byte, wal.FrameHeader), m.id, mode), func() { e.applyMode(m, mode) })
}

// logAlone makes one entry durable and then applies it. Whoever seals its
// generation waits for that: the log of the generation goes with the seal, and
// the change would be in neither.
func (e *Engine) logAlone(frame []byte, apply func()) error {
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
	e.cat.mu.Lock()
	defer e.cat.mu.Unlock()
	apply()
	return nil
}

func (e *Engine) applyMode(m *metric, mode tsdb.Mode) {
	m.mode = mode
	e.cat.special = e.cat.special || mode.Fold
	e.changesMu.Lock()
	e.modeChanged[m.id] = struct{}{}
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
	e.cat.mu.RLock()
	m := e.cat.metric(org, name)
	e.cat.mu.RUnlock()
	if m == nil {
		return nil
	}
	if err := e.logAlone(appendDeletion(make([]byte, wal.FrameHeader), m.id), func() { e.applyDrop(m) }); err != nil {
		return err
	}
	e.tiers.forget(m.ids)
	return nil
}

func (e *Engine) applyDrop(m *metric) {
	e.cat.drop(m)
	e.streamCount.Store(int64(e.cat.streams))
	e.changesMu.Lock()
	delete(e.modeChanged, m.id)
	e.toDrop = append(e.toDrop, m.id)
	e.changesMu.Unlock()
}
