package embedded

import (
	"context"
	"fmt"
	"sync"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// logFailing is the log's callback: it refuses records, or accepts them again.
func (e *Engine) logFailing(err error) {
	now := ""
	if err != nil {
		now = reason(err)
	}
	switch was := e.stats.setRefusing(now); {
	case now != "" && was == "":
		e.o.Hooks.WriteRefused(now)
	case now == "" && was != "":
		e.o.Hooks.WriteResumed()
	}
}

// corrupt is Pebble's callback for a damaged block. The reader counts the loss.
func (e *Engine) corrupt(err error) { e.o.Hooks.Damaged("table", err) }

// damage is what was found that cannot be read.
type damage struct {
	mu   sync.Mutex
	keys map[string]error // of chunks
}

const maxDamaged = 10_000

// add notes a key, and reports whether it is new.
func (d *damage) add(key []byte, err error) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := d.keys[string(key)]
	if !known && len(d.keys) < maxDamaged {
		if d.keys == nil {
			d.keys = make(map[string]error)
		}
		d.keys[string(key)] = err
	}
	return !known
}

// chunks returns the keys of chunks among those that were noted.
func (d *damage) chunks() (keys [][]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for k := range d.keys {
		if _, ok := parseChunkKey([]byte(k)); ok {
			keys = append(keys, []byte(k))
		}
	}
	return keys
}

// setAside notes that what is at a key cannot be read. It is moved out of the
// way by the next maintenance.
func (e *Engine) setAside(key []byte, err error) {
	if e.damage.add(key, err) {
		e.loss("chunk", err)
	}
}

// moveAside moves damaged chunks to quarantine, for an expert to look at. Those in blocks that cannot be read stay where they are.
func (e *Engine) moveAside(ctx context.Context) error {
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	var changes []tables.Change
	for _, k := range e.damage.chunks() {
		v, err := e.tables.Get(k)
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
	err := e.tables.Apply(ctx, false, func(w *tables.Writer) error { return w.Write(changes) })
	if err != nil {
		return fmt.Errorf("quarantine: %w", err)
	}
	return nil
}
