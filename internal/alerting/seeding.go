package alerting

import "context"

// seedSlots is how many alerts have their past read at a time.
const seedSlots = 4

// seeding is the reading of an alert's past, apart from the evaluator's loop:
// one that is slow to read holds up no other. It fills a copy of the watch,
// which belongs to it alone; what comes for the alert meanwhile waits.
type seeding struct {
	copy    *watch
	now     int64
	waiting []waitingReading
}

// waitingReading is a measurement that came while the past was being read.
type waitingReading struct {
	to      route
	t, seen int64
	reading float64
}

// maxSeedWaiting is how many of them are kept; where more come, the past is
// read again.
const maxSeedWaiting = maxInbox

// isSeeding reports whether w does not know its past yet.
func (w *watch) isSeeding() bool { return w.seeding != nil }

// startSeeding has the past of w read. An alert that is switched off has none.
func (e *Evaluator) startSeeding(ctx context.Context, w *watch, now int64, with *shared) {
	s := &seeding{copy: w.copyForSeeding(), now: now}
	w.seeding = s
	past := func(ctx context.Context) error { return e.seed(ctx, s.copy, now, with) }
	if len(w.conditions) == 0 {
		e.finishSeeding(ctx, w, past(ctx), now)
		return
	}
	e.seeds.submit(ctx, &e.Reader, &evaluation{org: w.Org, watch: w, seeding: s, past: past})
}

// copyForSeeding returns a watch like w that knows nothing and shares nothing
// that changes.
func (w *watch) copyForSeeding() *watch {
	c := &watch{WatchedAlert: w.WatchedAlert, fingerprint: w.fingerprint}
	for i, of := range w.conditions {
		v := newCondition(c, &w.Alert.Conditions[i], of.source)
		v.rule.suspend(of.suspended, of.step)
		c.conditions = append(c.conditions, v)
	}
	return c
}

// finishSeedings takes over the pasts that were read, after waiting a moment
// for them.
func (e *Evaluator) finishSeedings(ctx context.Context, now int64) {
	e.waitFor(ctx, e.seeds)
	for _, t := range e.seeds.take() {
		if t.watch.seeding == t.seeding && e.watched[t.watch.Alert.ID] == t.watch {
			e.finishSeeding(ctx, t.watch, t.err, now)
		}
	}
}

// finishSeeding takes over what was read of w's past, and evaluates what came
// meanwhile.
func (e *Evaluator) finishSeeding(ctx context.Context, w *watch, err error, now int64) {
	s := w.seeding
	w.seeding = nil
	switch {
	case err != nil:
		e.setupFailed(ctx, &w.WatchedAlert, now, err)
		return
	case len(s.waiting) >= maxSeedWaiting:
		e.startSeeding(ctx, w, now, newShared())
		return
	}
	w.adoptPast(s.copy)
	for i := range s.waiting {
		r := &s.waiting[i]
		r.to.condition.feed(r.to.signal, r.t, r.seen, r.reading)
	}
	e.setupDone(ctx, w)
}

// adoptPast takes over what a copy of w knows.
func (w *watch) adoptPast(from *watch) {
	for i, c := range w.conditions {
		past := from.conditions[i]
		for name, s := range past.signals {
			// Where measurements came meanwhile, they are on their way to ours.
			*c.signal(name) = *s
		}
		if c.poll != nil {
			c.poll.from, c.poll.known = past.poll.from, past.poll.known
		}
		for _, s := range c.signals {
			c.note(s)
			c.planFor(s)
		}
		c.silenced = past.silenced
	}
	w.dirty = true
}

// keepForLater has a measurement wait until the past of its alert is known.
func (to route) keepForLater(t, seen int64, reading float64) {
	s := to.condition.watch.seeding
	if len(s.waiting) < maxSeedWaiting {
		s.waiting = append(s.waiting, waitingReading{to, t, seen, reading})
	}
}

// restartSeedings has the pasts read again that are being read, since the
// clock was set meanwhile.
func (e *Evaluator) restartSeedings(ctx context.Context, now int64) {
	with := newShared()
	for _, w := range e.watched {
		if w.isSeeding() {
			e.startSeeding(ctx, w, now, with)
		}
	}
}

// seedingLate returns for how long the past of w is being read.
func (w *watch) seedingLate(now int64) int64 {
	if !w.isSeeding() {
		return 0
	}
	return now - w.seeding.now
}
