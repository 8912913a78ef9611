package embedded

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
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

// mend opens the tables anew if their list could not be written, once a probe
// has shown that writing works again. Until then they can be read as they are.
func (e *Engine) mend(context.Context) error {
	if !e.store.broken.Load() {
		return nil
	}
	if err := e.store.probe(); err != nil {
		return fmt.Errorf("tables cannot be written: %w", err)
	}
	return e.store.reopen()
}

// probe writes as much as opening the tables may need, and removes it.
func (s *store) probe() (err error) {
	path := s.fs.PathJoin(s.dir, tablePrefix+"probe")
	file, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, 1<<20))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close(), s.fs.Remove(path))
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
	var changes []change
	for _, k := range keys {
		v, err := e.store.get(k)
		if errors.Is(err, pebble.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		changes = append(changes, change{key: k}, change{append([]byte{keyQuarantine}, k...), v})
	}
	if len(changes) == 0 {
		return nil
	}
	err := e.store.apply(ctx, false, func(w *tableWriter) error { return writeChanges(w, changes) })
	if err != nil {
		return fmt.Errorf("quarantine: %w", err)
	}
	return nil
}

// get returns a copy of what is at key, never nil.
func (s *store) get(key []byte) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return nil, errNoTables
	}
	v, closer, err := s.db.Get(key)
	if err != nil {
		return nil, err
	}
	v = append([]byte{}, v...)
	return v, closer.Close()
}
