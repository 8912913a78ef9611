package embedded

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// logFailing is told by the log that it refuses records, or takes them again.
func (e *Engine) logFailing(err error) {
	e.statsMu.Lock()
	was := e.refusing
	e.refusing = ""
	if err != nil {
		e.refusing = reason(err)
	}
	now := e.refusing
	e.statsMu.Unlock()
	switch {
	case now != "" && was == "":
		e.o.Events.WriteRefused(now)
	case now == "" && was != "":
		e.o.Events.WriteResumed()
	}
}

// sealFailure returns why the last seal failed, or nil.
func (e *Engine) sealFailure() error {
	e.statsMu.Lock()
	defer e.statsMu.Unlock()
	return e.sealError
}

// corrupt is told by Pebble that it found a damaged block. Whoever was
// reading it counts the loss.
func (e *Engine) corrupt(err error) { e.o.Events.Damaged("table", err) }

// setAside notes that what is at a key cannot be read. It is moved out of the
// way by the next maintenance.
func (e *Engine) setAside(key []byte, err error) {
	e.damagedMu.Lock()
	_, known := e.damaged[string(key)]
	if !known && len(e.damaged) < maxDamaged {
		if e.damaged == nil {
			e.damaged = make(map[string]error)
		}
		e.damaged[string(slices.Clone(key))] = err
	}
	e.damagedMu.Unlock()
	if !known {
		e.loss("chunk", err)
	}
}

const maxDamaged = 10_000

// moveAside moves damaged chunks to where nobody reads them, for an expert to
// look at. Those in blocks that cannot be read stay where they are.
func (e *Engine) moveAside(ctx context.Context) error {
	e.background.Lock()
	defer e.background.Unlock()
	e.damagedMu.Lock()
	var keys [][]byte
	for k := range e.damaged {
		if _, ok := parseChunkKey([]byte(k)); ok {
			keys = append(keys, []byte(k))
		}
	}
	e.damagedMu.Unlock()
	var changes []tables.Change
	for _, k := range keys {
		v, err := e.store.Get(k)
		if err != nil {
			return err
		}
		if v == nil {
			continue
		}
		changes = append(changes, tables.Change{Key: k}, tables.Change{Key: append([]byte{keyQuarantine}, k...), Value: v})
	}
	if len(changes) == 0 {
		return nil
	}
	err := e.store.Apply(ctx, false, func(w *tables.Writer) error { return w.Write(changes) })
	if err != nil {
		return fmt.Errorf("quarantine: %w", err)
	}
	return nil
}
