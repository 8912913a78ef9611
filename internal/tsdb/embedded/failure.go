package embedded

import "slices"

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

// corrupt is told by Pebble that it found a damaged block.
func (e *Engine) corrupt(err error) { e.loss("table", err) }

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
