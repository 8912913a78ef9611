package alerting

import (
	"context"
	"log/slog"
	"reflect"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// retryLoad is how long to wait after alerts could not be loaded.
const retryLoad = 5 * time.Second

// loadPause is how long, in times that loading takes, nothing is loaded after
// it: an organization that changes its alerts all the time has the server load
// for a twentieth of the time. maxLoadPause is how late a change may be for that.
const (
	loadPause    = 20
	maxLoadPause = 30 * time.Second
)

// seedDeadline bounds the reading of one alert's past.
const seedDeadline = 20 * time.Second

// refresh loads the alerts again if any has changed, or could not be set up
// before. Loading costs; a flood of changes does not make it go on all the
// time.
func (e *Evaluator) refresh(ctx context.Context, at time.Time) error {
	if at.Before(e.retryAt) {
		return nil
	}
	version, err := e.Store.AlertsVersion(ctx)
	if err != nil {
		return err
	}
	stale := at.Sub(e.loadedAt) >= refreshEvery
	if version == e.version && !stale && !e.isRetryDue(at.Unix()) || e.version >= 0 && at.Sub(e.loadedAt) < min(loadPause*e.loadTook, maxLoadPause) {
		return nil
	}
	start := time.Now()
	if err := e.load(ctx, at.Unix(), stale); err != nil {
		e.retryAt = at.Add(retryLoad)
		return err
	}
	e.version, e.loadedAt, e.loadTook = version, at, time.Since(start)
	return nil
}

// isOutdated reports whether alerts were changed since they were loaded, and has
// the next round load them: a window or a snooze that was saved before the
// measurement came decides whether anybody is notified of it.
func (e *Evaluator) isOutdated(ctx context.Context) bool {
	version, err := e.latest(ctx)
	if err != nil || version == e.version {
		return false
	}
	e.version = -1
	return true
}

// isRetryDue reports whether an alert that could not be set up is to be tried
// again.
func (e *Evaluator) isRetryDue(now int64) bool {
	for _, f := range e.failed {
		if !f.isWaiting(now) {
			return true
		}
	}
	return false
}

// load makes the watched alerts those that the store has. With afresh the
// sources of all conditions are looked up again. An alert that cannot be set
// up is left out until the next try, and holds up no other.
func (e *Evaluator) load(ctx context.Context, now int64, afresh bool) error {
	all, err := e.Store.WatchedAlerts(ctx)
	if err != nil {
		return err
	}
	there := make(map[int64]bool, len(all))
	var fresh []*watch
	for _, a := range all {
		there[a.Alert.ID] = true
		if f := e.failed[a.Alert.ID]; f != nil && f.isWaiting(now) && f.written == a.Alert.UpdatedAt {
			continue
		}
		w, err := e.adopt(ctx, a, now, afresh)
		if err != nil {
			e.setupFailed(ctx, a, now, err)
		}
		if w != nil {
			fresh = append(fresh, w)
		}
	}
	e.dropMissing(there)
	e.publish()
	// Only now, when all that is written comes here, is the past read: what
	// comes twice does no harm, what came in between would be missed.
	with := newShared()
	for _, w := range fresh {
		e.startSeeding(ctx, w, now, with)
	}
	return nil
}

// dropMissing forgets the alerts that are not there any more.
func (e *Evaluator) dropMissing(there map[int64]bool) {
	for id, w := range e.watched {
		if !there[id] {
			e.forget(w)
		}
	}
	for id := range e.failed {
		if !there[id] {
			delete(e.failed, id)
		}
	}
}

// setupFailure is that an alert, as it was written then, cannot be set up.
type setupFailure struct {
	trouble
	written int64
}

// setupFailed leaves an alert out until it is tried again, later and later.
// What was known of it is of conditions that it has no more.
func (e *Evaluator) setupFailed(ctx context.Context, a *tidemark.WatchedAlert, now int64, err error) {
	id := a.Alert.ID
	if w := e.watched[id]; w != nil {
		e.forget(w)
	}
	if e.failed[id] == nil {
		e.failed[id] = &setupFailure{}
	}
	e.failed[id].written = a.Alert.UpdatedAt
	if ctx.Err() == nil && e.failed[id].failed(now) {
		reason := reasonOf(err, "its measurements cannot be read; the server's log says why")
		e.beginReadTrouble(ctx, a.Org, id, e.failed[id].since, reason, err)
	}
}

func (e *Evaluator) setupDone(ctx context.Context, w *watch) {
	if _, failed := e.failed[w.Alert.ID]; !failed {
		return
	}
	delete(e.failed, w.Alert.ID)
	if e.reading.end(w.Alert.ID, w.Org) {
		e.Logger.InfoContext(ctx, "alert can be evaluated again", slog.Int64("org", int64(w.Org)), slog.Int64("alert", w.Alert.ID))
	}
}

// adopt takes over an alert as it is stored. It returns its watch if that
// must be seeded with the past.
func (e *Evaluator) adopt(ctx context.Context, a *tidemark.WatchedAlert, now int64, afresh bool) (*watch, error) {
	if a.Unreadable != "" {
		return nil, tidemark.Errorf(tidemark.Invalid, "it cannot be read: %s", a.Unreadable)
	}
	fingerprint := tidemark.Fingerprint(a.Alert.Conditions)
	w, known := e.watched[a.Alert.ID]
	same := known && w.fingerprint == fingerprint && a.Alert.Active == w.Alert.Active && w.looksAt(a.Alert.Conditions)
	if same && !(afresh && e.isMoved(ctx, w)) {
		changed := a.State.Revision != w.State.Revision
		w.update(a)
		w.suspend(now)
		if changed && w.isSeeding() {
			return w, nil // what was resolved meanwhile is part of its past
		}
		return nil, nil
	}
	fresh := &watch{WatchedAlert: *a, fingerprint: fingerprint, dirty: true}
	fresh.incident.keep(a.Incident)
	defer fresh.suspend(now)
	if a.Alert.Active {
		for i := range a.Alert.Conditions {
			s, err := e.Reader.sourceOf(ctx, a.Org, a.Alert, &a.Alert.Conditions[i])
			if err != nil {
				return nil, err
			}
			fresh.conditions = append(fresh.conditions, newCondition(fresh, &a.Alert.Conditions[i], s))
		}
	}
	if known {
		e.forget(w)
	}
	e.watched[a.Alert.ID] = fresh
	return fresh, nil
}

// looksAt reports whether the conditions, whose fingerprint is that of w, also
// look at the same streams. If not, w is set up again as after a start: what is
// left out is forgotten, and what goes on is in its state.
func (w *watch) looksAt(conditions []tidemark.Condition) bool {
	return slices.EqualFunc(w.Alert.Conditions, conditions, func(a, b tidemark.Condition) bool { return reflect.DeepEqual(a.Tags, b.Tags) })
}

// update takes over what may change without a new start.
func (w *watch) update(a *tidemark.WatchedAlert) {
	resolved := a.State.ResolvedAt != w.State.ResolvedAt
	known := w.State
	if a.State.Revision != w.State.Revision {
		w.incident.keep(a.Incident)
		known = a.State
	}
	w.WatchedAlert = *a
	w.State = known // with what was not worth saving
	for i, c := range w.conditions {
		c.id = a.Alert.Conditions[i].ID // they may have been written again
	}
	if resolved {
		for _, c := range w.conditions {
			c.acknowledge()
		}
	}
	w.dirty = true
}

// isMoved reports whether the readings of a condition come from elsewhere now.
func (e *Evaluator) isMoved(ctx context.Context, w *watch) bool {
	for i, c := range w.conditions {
		s, err := e.Reader.sourceOf(ctx, w.Org, w.Alert, &w.Alert.Conditions[i])
		if err == nil && (s.stepped != c.stepped || s.step != c.step || s.composite != c.composite || !slices.Equal(s.leaves, c.leaves)) {
			return true
		}
	}
	return false
}

// forget stops watching w.
func (e *Evaluator) forget(w *watch) {
	delete(e.watched, w.Alert.ID)
	delete(e.complaint, w.Alert.ID)
	e.saving.end(w.Alert.ID, w.Org)
	e.reading.end(w.Alert.ID, w.Org)
	w.conditions = nil
}

// publish makes the topics those of the watched alerts' conditions.
func (e *Evaluator) publish() {
	old := e.topics
	e.topics = make(map[topicKey]*topic, len(old))
	e.polled = nil
	for _, w := range e.watched {
		for _, c := range w.conditions {
			e.subscribe(old, c)
		}
	}
	next := make(index)
	for k, t := range e.topics {
		if next[k.org] == nil {
			next[k.org] = &subscriptions{byName: make(map[string]*topic)}
		}
		next[k.org].add(t)
	}
	e.index.Store(&next)
}

// subscribe adds c to the topics of its measurements. A topic of before is kept, with
// the measurements in the inbox that point to it.
func (e *Evaluator) subscribe(old map[topicKey]*topic, c *condition) {
	if c.poll != nil {
		e.polled = append(e.polled, c)
	}
	for _, metric := range c.source.inputs() {
		k := topicKey{c.watch.Org, metric}
		t, ok := e.topics[k]
		if !ok {
			if t = old[k]; t == nil {
				t = &topic{org: k.org, metric: k.metric}
			}
			t.direct, t.polled, t.streams = nil, nil, make(map[string]*stream)
			e.topics[k] = t
		}
		if c.poll == nil {
			t.direct = append(t.direct, c)
		} else {
			t.polled = append(t.polled, c)
		}
	}
}
