package alerting

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

const (
	// roundEvery is how often what came is evaluated.
	roundEvery = 500 * time.Millisecond
	// refreshEvery is how often definitions are loaded though nothing says
	// that they changed: metrics may have become composites meanwhile.
	refreshEvery = 5 * time.Minute
	// saveAtOnce is how many states are saved in one transaction.
	saveAtOnce = 200
	// troubleLogEvery is how often the same trouble with an alert is logged.
	troubleLogEvery = 10 * minute
)

// Evaluator evaluates the alerts that its store has. Make one with
// NewEvaluator, and feed it what is written by Wrote. Evaluators has one for
// each organization.
//
// Where several processes share the alerts, each must evaluate those alone that
// are leased to it; load is the place to leave the others out.
type Evaluator struct {
	Options
	inbox inbox
	index atomic.Pointer[index]

	// What follows belongs to Run.
	watched   map[int64]*watch
	topics    map[topicKey]*topic
	polled    []*condition
	version   int64 // of what is loaded; -1 if nothing is, or it must be again
	latest    func(context.Context) (int64, error)
	loadedAt  time.Time // when it was
	loadTook  time.Duration
	retryAt   time.Time
	complaint map[int64]int64 // when trouble with an alert was last logged
	storeLog  int64           // when trouble with the store was

	failed map[int64]*setupFailure // with setting alerts up

	work            *turns.Work // the round's turn at the processors; nil where nobody takes turns
	fast, slow      *desk
	seeds           *desk
	patience        time.Duration // how long a round waits for what is read
	spent           atomic.Int64  // nanoseconds of work in pools, less those that rounds waited for it
	clock           clock
	passed          atomic.Int64
	health          health
	saving, reading troubles
}

type topicKey struct {
	org    tidemark.OrgID
	metric string
}

// NewEvaluator returns an Evaluator. It does nothing until Run.
func NewEvaluator(o Options) *Evaluator { return newEvaluator(o, newPools()) }

// pools are what evaluators read measurements in.
type pools struct{ fast, slow, seeds *pool }

func newPools() pools {
	return pools{newPool(fastSlots, fastDeadline), newPool(slowSlots, slowDeadline), newPool(seedSlots, seedDeadline)}
}

func newEvaluator(o Options, p pools) *Evaluator {
	e := &Evaluator{
		Options: o, version: -1, latest: o.Store.AlertsVersion,
		watched: make(map[int64]*watch), topics: make(map[topicKey]*topic), complaint: make(map[int64]int64), failed: make(map[int64]*setupFailure),
		patience: pollPatience, clock: newClock(),
	}
	e.fast, e.slow = &desk{pool: p.fast, spent: &e.spent}, &desk{pool: p.slow, spent: &e.spent}
	e.seeds = &desk{pool: p.seeds, spent: &e.spent}
	e.index.Store(&index{})
	return e
}

// Run evaluates until ctx is done. An alert that cannot be evaluated keeps its
// state and does not hold up the others.
func (e *Evaluator) Run(ctx context.Context) error {
	tick := time.NewTicker(roundEvery)
	defer tick.Stop()
	defer e.close()
	for {
		e.round(ctx, time.Now())
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// close ends what is under way.
func (e *Evaluator) close() {
	e.fast.close()
	e.slow.close()
	e.seeds.close()
}

// EvaluatedAt returns when the last pass over the alerts was finished, in
// seconds since 1970; 0 if there was none yet.
func (e *Evaluator) EvaluatedAt() int64 { return e.passed.Load() }

// round evaluates what came, and looks at the alerts that it or the time concerns.
func (e *Evaluator) round(ctx context.Context, at time.Time) {
	now := at.Unix()
	e.followClock(ctx, at)
	if err := e.refresh(ctx, at); err != nil {
		if ctx.Err() == nil { // that the server stops is no error
			e.Logger.ErrorContext(ctx, "load alerts", slog.Any("err", err))
		}
		if e.version < 0 {
			return
		}
	}
	e.finishSeedings(ctx, now)
	e.evaluateInbox(now)
	e.catchUp(ctx, now)
	e.pollAll(ctx, now)
	if e.evaluateAll(ctx, now) {
		e.passed.Store(now)
	}
	e.measure(at)
}

// evaluateAll looks at the alerts whose time has come and saves what changed.
// It reports whether all of it was saved, but for alerts that are set aside.
func (e *Evaluator) evaluateAll(ctx context.Context, now int64) bool {
	ok, forgot := true, false
	outdated := sync.OnceValue(func() bool { return e.isOutdated(ctx) })
	var changes []*tidemark.StateChange
	for _, w := range e.watched {
		if !w.dirty && now < w.due || w.trouble.isWaiting(now) {
			continue
		}
		c := w.evaluate(now)
		forgot, w.forgot = forgot || w.forgot, false
		if w.waitsWith(c, outdated) {
			continue
		}
		if c != nil {
			e.addNotice(ctx, w, c)
			changes = append(changes, c)
		}
		if len(changes) == saveAtOnce {
			ok = e.save(ctx, changes) && ok
			changes = nil
		}
	}
	if forgot {
		e.publish() // what comes of those streams again must find its way back
	}
	return e.save(ctx, changes) && ok
}

func (e *Evaluator) logEvent(ctx context.Context, c *tidemark.StateChange) {
	words := map[tidemark.AlertTransitionKind]string{tidemark.Triggered: "alert triggered", tidemark.Cleared: "alert cleared"}
	if text, ok := words[c.Transition.Kind]; ok {
		e.Logger.LogAttrs(ctx, slog.LevelInfo, text, slog.Int64("org", int64(c.Org)), slog.Int64("alert", c.Alert.ID),
			slog.String("incident", c.Incident.Key), slog.String("reason", c.Transition.Reason))
	}
}

// logTrouble logs trouble with an alert, but not all the time.
func (e *Evaluator) logTrouble(ctx context.Context, w *watch, err error) {
	now := time.Now().Unix()
	if now-e.complaint[w.Alert.ID] < troubleLogEvery {
		return
	}
	e.complaint[w.Alert.ID] = now
	e.Logger.ErrorContext(ctx, "evaluate alert", slog.Int64("org", int64(w.Org)), slog.Int64("alert", w.Alert.ID), slog.Any("err", err))
}
