package alerting

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

const (
	// maxFailures is how many alerts in a row may fail to be saved before the
	// store is believed to be at fault, and the rest wait for the next pass.
	maxFailures = 10
	// maxBackoff is the longest wait, in seconds, before an alert that could
	// not be saved is tried again.
	maxBackoff = minute
)

// save saves changes and takes them over. If that fails each is saved by
// itself, so that one that cannot be saved holds up no other. It reports
// whether all were saved, but for those that are set aside.
func (e *Evaluator) save(ctx context.Context, changes []*tidemark.StateChange) bool {
	if len(changes) == 0 {
		return true
	}
	err := e.Store.SaveStates(ctx, changes)
	if err == nil {
		e.adoptSaved(ctx, changes...)
		return true
	}
	e.health.unsaved.Add(int64(len(changes)))
	failures, ok := 0, true
	for i, c := range changes {
		if len(changes) > 1 && failures < maxFailures && ctx.Err() == nil {
			err = e.Store.SaveStates(ctx, changes[i:i+1])
		}
		switch {
		case err == nil:
			failures = 0
			e.adoptSaved(ctx, c)
		case failures >= maxFailures || ctx.Err() != nil:
			e.watched[c.Alert.ID].dirty = true
			ok = false
		default:
			failures++
			ok = e.setAside(ctx, c, err) && ok
		}
	}
	if !ok && ctx.Err() == nil {
		e.logStoreTrouble(ctx, changes[0].Now, err)
	}
	return ok
}

// adoptSaved takes over changes that were saved, or overtaken.
func (e *Evaluator) adoptSaved(ctx context.Context, changes ...*tidemark.StateChange) {
	notified := false
	for _, c := range changes {
		w := e.watched[c.Alert.ID]
		if !c.Saved {
			e.version = -1 // somebody was quicker
			w.dirty = true
			continue
		}
		w.saved(c)
		e.endTrouble(ctx, w)
		e.logEvent(ctx, c)
		notified = notified || c.Transition.Notify
		if c.State.Conditions == "" {
			e.forget(w)
		}
	}
	if notified && e.OnNotice != nil {
		e.OnNotice()
	}
}

// setAside has an alert that could not be saved tried again in the next pass,
// and later and later if that fails too. It reports whether it is set aside:
// the others do not wait for it.
func (e *Evaluator) setAside(ctx context.Context, c *tidemark.StateChange, err error) bool {
	w := e.watched[c.Alert.ID]
	w.dirty = true // nothing happened yet
	if !w.trouble.failed(c.Now) {
		return false
	}
	if e.saving.begin(c.Alert.ID, c.Org, tidemark.AlertTrouble{Since: w.trouble.since, Reason: reasonOf(err, "the server cannot store it; its log says why")}) {
		e.Logger.ErrorContext(ctx, "cannot save the state of alert, setting it aside",
			slog.Int64("org", int64(c.Org)), slog.Int64("alert", c.Alert.ID), slog.Any("err", err))
	}
	return true
}

func (e *Evaluator) endTrouble(ctx context.Context, w *watch) {
	w.trouble = trouble{}
	if e.saving.end(w.Alert.ID, w.Org) {
		e.Logger.InfoContext(ctx, "alert can be saved again", slog.Int64("org", int64(w.Org)), slog.Int64("alert", w.Alert.ID))
	}
}

// logStoreTrouble logs that states cannot be saved, but not in every pass.
func (e *Evaluator) logStoreTrouble(ctx context.Context, now int64, err error) {
	if now-e.storeLog < minute {
		return
	}
	e.storeLog = now
	e.Logger.ErrorContext(ctx, "cannot save the states of alerts", slog.Any("err", err))
}

// Troubles returns the alerts of org that cannot be evaluated or saved, by id.
func (e *Evaluator) Troubles(org tidemark.OrgID) map[int64]tidemark.AlertTrouble {
	all := e.reading.of(org)
	maps.Copy(all, e.saving.of(org))
	return all
}

// trouble is how often in a row an alert could not be evaluated, or saved.
type trouble struct {
	failures int
	since    int64
	retryAt  int64
}

// failed takes note of a failure and reports whether it was not the first:
// one may be chance.
func (t *trouble) failed(now int64) bool {
	if t.failures++; t.failures == 1 {
		t.since = now
		return false
	}
	t.retryAt = now + min(int64(1)<<min(t.failures-2, 30), maxBackoff)
	return true
}

// isWaiting reports whether it is too early to try again.
func (t *trouble) isWaiting(now int64) bool { return now < t.retryAt }

// reasonOf is what the owner of an alert sees of an error: what is wrong
// with the alert, but nothing of how it is stored.
func reasonOf(err error, otherwise string) string {
	if e, ok := errors.AsType[*tidemark.Error](err); ok && e.Kind != tidemark.Internal {
		return e.Error()
	}
	return otherwise
}

// troubles is what others may know of the alerts that are set aside.
type troubles struct {
	mu  sync.Mutex
	all map[tidemark.OrgID]map[int64]tidemark.AlertTrouble
}

// begin reports whether that is new.
func (t *troubles) begin(alert int64, org tidemark.OrgID, what tidemark.AlertTrouble) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = make(map[tidemark.OrgID]map[int64]tidemark.AlertTrouble)
	}
	if t.all[org] == nil {
		t.all[org] = make(map[int64]tidemark.AlertTrouble)
	}
	known := t.all[org][alert] == what
	t.all[org][alert] = what
	return !known
}

// end reports whether there was any.
func (t *troubles) end(alert int64, org tidemark.OrgID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, there := t.all[org][alert]
	delete(t.all[org], alert)
	return there
}

func (t *troubles) of(org tidemark.OrgID) map[int64]tidemark.AlertTrouble {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make(map[int64]tidemark.AlertTrouble, len(t.all[org]))
	maps.Copy(all, t.all[org])
	return all
}
