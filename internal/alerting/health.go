package alerting

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
)

// Health is how alerting is doing, as of the last round.
type Health struct {
	EvaluatedAt int64   // when all alerts were last evaluated; 0 if never
	Alerts      int     // that are evaluated
	SetAside    int     // of them: those that cannot be evaluated or saved
	LateMax     float64 // by how many seconds the latest is evaluated too late
	LateP99     float64 // and 99 of 100 at most
	Unsaved     int64   // changes of state that could not be saved, since the start
}

const (
	// healthEvery is how often lateness is measured, in seconds.
	healthEvery = 10
	// OnTime is how many seconds after the last round evaluation is behind.
	OnTime = 30
)

// Behind returns by how many seconds evaluation is behind at now: 0 if it is
// on time, or has not begun yet.
func (h Health) Behind(now int64) int64 {
	if h.EvaluatedAt == 0 || now-h.EvaluatedAt <= OnTime {
		return 0
	}
	return now - h.EvaluatedAt
}

// health measures how an evaluator is doing.
type health struct {
	measured atomic.Pointer[Health]
	unsaved  atomic.Int64

	// What follows belongs to Run.
	at     int64     // of the last measurement
	before time.Time // when the last round began
	gap    float64   // longest time between two rounds since the last measurement
}

// Health returns how e is doing.
func (e *Evaluator) Health() Health {
	var h Health
	if m := e.health.measured.Load(); m != nil {
		h = *m
	}
	h.EvaluatedAt, h.Unsaved = e.passed.Load(), e.health.unsaved.Load()
	return h
}

// measure measures, now and then, how late each alert is evaluated.
func (e *Evaluator) measure(at time.Time) {
	m := &e.health
	if !m.before.IsZero() {
		m.gap = max(m.gap, (at.Sub(m.before) - roundEvery).Seconds())
	}
	m.before = at
	now := at.Unix()
	if now-m.at < healthEvery && now >= m.at {
		return
	}
	late := make([]float64, 0, len(e.watched))
	for _, w := range e.watched {
		late = append(late, max(w.late(now), m.gap))
	}
	h := &Health{Alerts: len(e.watched) + len(e.failed), SetAside: e.saving.count() + e.reading.count()}
	for _, f := range e.failed {
		late = append(late, float64(now-f.since))
	}
	if len(late) > 0 {
		slices.SortFunc(late, cmp.Compare)
		h.LateMax, h.LateP99 = late[len(late)-1], late[(len(late)-1)*99/100]
	}
	m.measured.Store(h)
	m.at, m.gap = now, 0
}

// late returns for how many seconds something of w should have been evaluated,
// or saved.
func (w *watch) late(now int64) float64 {
	late := w.seedingLate(now)
	if w.trouble.failures > 0 {
		late = now - w.trouble.since
	}
	for _, c := range w.conditions {
		if c.poll != nil {
			late = max(late, now-(c.poll.from+c.step+c.lag))
		}
	}
	return float64(late)
}

func (t *troubles) count() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, alerts := range t.all {
		n += len(alerts)
	}
	return n
}
