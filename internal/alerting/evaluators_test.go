package alerting

import (
	"context"
	"iter"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// runAll runs Evaluators instead of one evaluator until the test ends.
func (b *bench) runAll(limits *tidemark.Limits) *Evaluators {
	b.t.Helper()
	g := NewEvaluators(Options{Store: b.store, Reader: b.eval.Reader, Logger: slog.New(slog.DiscardHandler), Limits: limits})
	ctx, stop := context.WithCancel(b.t.Context())
	done := make(chan error)
	go func() { done <- g.Run(ctx) }()
	b.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.t.Error(err)
		}
	})
	return g
}

// record writes a value of a metric of org, and tells g.
func (b *bench) record(g *Evaluators, org tidemark.OrgID, metric string, values ...float64) {
	b.t.Helper()
	var batch tsdb.Batch
	for _, v := range values {
		batch.Add(metric, tidemark.Tags{{Name: "host", Value: "a"}}, time.Now().Unix(), v)
	}
	if err := b.engine.Write(b.t.Context(), org, &batch); err != nil {
		b.t.Fatal(err)
	}
	g.Wrote(org, &batch)
}

// addOf adds an alert of org.
func (b *bench) addOf(org tidemark.OrgID, c tidemark.Condition) *tidemark.Alert {
	a := b.add(c)
	b.store.mu.Lock()
	defer b.store.mu.Unlock()
	b.store.alerts[a.ID].Org = org
	return a
}

// TestOneLoopEach has one organization whose alerts take for ever to load, one
// whose measurements take for ever to be read back, and one whose states take
// for ever to be saved: the alert of another fires meanwhile.
func TestOneLoopEach(t *testing.T) {
	t.Parallel()
	stuck := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for name, prepare := range map[string]func(b *bench) func(g *Evaluators){
		"loading": func(b *bench) func(*Evaluators) {
			b.eval.Reader.Engine = &selecting{Reader: b.engine, how: func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
				if org == 1 {
					return b.engine.Select(ctx, org, q)
				}
				return func(yield func(*tsdb.Series, error) bool) { yield(nil, stuck(ctx)) }
			}}
			return func(*Evaluators) {}
		},
		"reading back": func(b *bench) func(*Evaluators) {
			var flooded atomic.Bool
			b.eval.Reader.Engine = &selecting{Reader: b.engine, how: func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
				if org == 1 || !flooded.Load() {
					return b.engine.Select(ctx, org, q)
				}
				return func(yield func(*tsdb.Series, error) bool) { yield(nil, stuck(ctx)) }
			}}
			return func(g *Evaluators) {
				flooded.Store(true)
				b.record(g, 2, "cpu", make([]float64, maxInbox+1)...)
			}
		},
		"saving": func(b *bench) func(*Evaluators) {
			b.eval.Store = &stuckStore{b.store}
			return func(g *Evaluators) { b.record(g, 2, "cpu", 9) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.addOf(2, cpuAbove(5))
				attack := prepare(b)
				options := Options{Store: b.eval.Store, Reader: b.eval.Reader, Logger: slog.New(slog.DiscardHandler)}
				quiet := b.addOf(1, cpuAbove(5))
				g := NewEvaluators(options)
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- g.Run(ctx) }()
				time.Sleep(2 * time.Second)
				attack(g)
				time.Sleep(2 * roundEvery)
				b.record(g, 1, "cpu", 9)
				time.Sleep(2 * roundEvery)
				if !b.isFiring(quiet) {
					t.Error("an organization waits for another")
				}
				stop()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// stuckStore does not get to save the states of organization 2.
type stuckStore struct{ *model }

func (s *stuckStore) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	for _, c := range changes {
		if c.Org == 2 && c.Transition.Kind == tidemark.Triggered {
			<-ctx.Done()
			return ctx.Err()
		}
	}
	return s.model.SaveStates(ctx, changes)
}

// TestInboxIsShared has an organization send more than fits: what another
// sends is evaluated without being read back.
func TestInboxIsShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.addOf(2, cpuAbove(5))
		quiet := b.addOf(1, cpuAbove(5))
		var read atomic.Bool
		b.eval.Reader.Engine = &selecting{Reader: b.engine, how: func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
			if org == 1 {
				read.Store(true)
			}
			return b.engine.Select(ctx, org, q)
		}}
		g := b.runAll(nil)
		time.Sleep(2*time.Second + time.Millisecond)
		read.Store(false) // the past was
		b.record(g, 2, "cpu", make([]float64, maxInbox+1)...)
		b.record(g, 1, "cpu", 9)
		time.Sleep(2 * roundEvery)
		if !b.isFiring(quiet) || read.Load() {
			t.Errorf("firing %v, read back %v", b.isFiring(quiet), read.Load())
		}
		if n := g.inbox.Load(); n != 0 {
			t.Errorf("%d measurements wait that nobody sent", n)
		}
	})
}

// TestEvaluationShare has an organization whose composites take far more than
// its share: they are evaluated as often as that allows, and the alerts of
// others at once.
func TestEvaluationShare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var work [3]atomic.Int64
		b.eval.Reader.Composites = compositeFunc(func(ctx context.Context, org tidemark.OrgID, text string, start, end, step int64) ([]*tsdb.Series, error) {
			began := time.Now()
			defer func() { work[org].Add(int64(time.Since(began))) }()
			return slowComposites(ctx, org, text, start, end, step)
		})
		for range 400 {
			b.addComposite(2, "200ms")
		}
		quiet := b.addOf(1, cpuAbove(5))
		limits := tidemark.NewLimits(nil)
		limits.SetOrgs(map[tidemark.OrgID]map[tidemark.LimitName]int64{2: {tidemark.LimitEvaluation: 100}})
		g := b.runAll(limits)
		const while = time.Hour
		time.Sleep(while)
		// What is under way when the share is used up is not cut off.
		if got, most := time.Duration(work[2].Load()), while/10+2*time.Minute; got > most || got < while/20 {
			t.Errorf("%v of work within %v", got, while)
		}
		if limits.Refused(tidemark.LimitEvaluation) == 0 {
			t.Error("nobody counts it")
		}
		b.record(g, 1, "cpu", 9)
		time.Sleep(2 * roundEvery)
		if !b.isFiring(quiet) {
			t.Error("an organization waits for the share of another")
		}
		if late := time.Now().Unix() - g.EvaluatedAtOf(1); late > 2 {
			t.Errorf("evaluated %d seconds ago", late)
		}
	})
}

// TestEvaluatorsFollow has alerts come and go: those of an organization that
// had none are evaluated, and one that has none left costs nothing.
func TestEvaluatorsFollow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		g := b.runAll(nil)
		time.Sleep(time.Minute)
		if g.EvaluatedAt() < time.Now().Unix()-2 {
			t.Error("a server without alerts is late")
		}
		a := b.addOf(7, cpuAbove(5))
		time.Sleep(2 * time.Second)
		b.record(g, 7, "cpu", 9)
		time.Sleep(2 * roundEvery)
		if !b.isFiring(a) || g.Health().Behind(time.Now().Unix()) != 0 {
			t.Errorf("firing %v, %+v", b.isFiring(a), g.Health())
		}
		if got := strings.Join(g.Watched()[7], " "); got != "cpu" {
			t.Errorf("watched: %s", got)
		}
		b.store.mu.Lock()
		b.store.alerts[a.ID].Alert.Active = false
		b.store.version++
		b.store.mu.Unlock()
		time.Sleep(time.Minute)
		if got := g.Watched()[7]; len(got) != 0 || b.isFiring(a) {
			t.Errorf("watched: %v, firing %v", got, b.isFiring(a))
		}
	})
}
