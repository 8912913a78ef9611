package alerting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// poisoned is a store that refuses to save some alerts, and with them any
// batch that holds one.
type poisoned struct {
	*model
	bad   map[int64]error
	tries map[int64]int // of alerts alone
}

func (p *poisoned) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	for _, c := range changes {
		if len(changes) == 1 {
			p.tries[c.Alert.ID]++
		}
		if err := p.bad[c.Alert.ID]; err != nil {
			return err
		}
	}
	return p.model.SaveStates(ctx, changes)
}

// poison makes b's store refuse an alert.
func (b *bench) poison(a *tidemark.Alert, err error) *poisoned {
	p, ok := b.eval.Store.(*poisoned)
	if !ok {
		p = &poisoned{model: b.store, bad: map[int64]error{}, tries: map[int64]int{}}
		b.eval.Store = p
	}
	p.bad[a.ID] = err
	return p
}

// TestOneCannotBeSaved has two organizations, one of which has an alert that
// cannot be saved: the other's is saved in the same pass, before and after a
// restart.
func TestOneCannotBeSaved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		good, bad := b.add(cpuAbove(5)), b.add(cpuAbove(5))
		b.store.alerts[bad.ID].Org = 2
		b.pass()
		var log bytes.Buffer
		b.eval.Logger = slog.New(slog.NewTextHandler(&log, nil))
		refused := tidemark.InvalidField("description", "is longer than 32768 characters")
		store := b.poison(bad, refused)
		fire := func() {
			b.write("cpu", "a", 9)
			b.writeOf(2, "cpu", "a", 0, 9)
		}
		fire()
		if !b.firing(good) || b.firing(bad) {
			t.Errorf("firing: good %v, bad %v", b.firing(good), b.firing(bad))
		}
		if b.eval.EvaluatedAt() != time.Now().Unix() {
			t.Error("the evaluation counts as late for all")
		}
		want := map[int64]tidemark.AlertTrouble{bad.ID: {Since: time.Now().Unix(), Reason: refused.Error()}}
		if diff := cmp.Diff(want, b.eval.Troubles(2)); diff != "" {
			t.Error(diff)
		}
		if len(b.eval.Troubles(1)) != 0 {
			t.Error("it is said of another organization")
		}

		store.tries[bad.ID] = 0
		for range 2 * 3600 {
			time.Sleep(roundEvery)
			b.pass()
		}
		if n := store.tries[bad.ID]; n < 10 || n > 70 {
			t.Errorf("tried %d times in an hour", n)
		}
		if n := strings.Count(log.String(), fmt.Sprintf("org=2 alert=%d", bad.ID)); n != 1 {
			t.Errorf("logged %d times:\n%s", n, log.String())
		}

		b.restart()
		b.eval.Store = store
		b.pass()
		fire()
		if !b.firing(good) || b.firing(bad) || len(b.eval.Troubles(2)) != 1 {
			t.Error("after a restart they hold each other up")
		}
		b.write("cpu", "a", 1)
		if b.firing(good) {
			t.Error("not cleared")
		}

		delete(store.bad, bad.ID)
		fire()
		time.Sleep(maxBackoff * time.Second)
		if !b.firing(bad) || len(b.eval.Troubles(2)) != 0 {
			t.Error("not saved after the trouble is over")
		}
	})
}

// TestTroubleIsNotToldInFull keeps what the store says from the owner.
func TestTroubleIsNotToldInFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a := b.add(cpuAbove(5))
		b.pass()
		b.poison(a, errors.New("constraint incidents_secret of 10.0.0.1 failed"))
		b.write("cpu", "a", 9)
		b.firing(a)
		if got := b.eval.Troubles(1)[a.ID].Reason; got == "" || strings.Contains(got, "secret") {
			t.Errorf("reason %q", got)
		}
		// An edit makes it another alert, which is tried at once.
		b.store.change(a.ID, time.Now().Unix(), func(w *tidemark.WatchedAlert) { w.Alert.Conditions[0].Threshold = new(100.0) })
		delete(b.eval.Store.(*poisoned).bad, a.ID)
		b.pass()
		if got := b.store.alerts[a.ID].State.Conditions; got != tidemark.Fingerprint(b.store.alerts[a.ID].Alert.Conditions) {
			t.Error("not saved after the edit")
		}
		if len(b.eval.Troubles(1)) != 0 {
			t.Error("the trouble outlives the edit")
		}
	})
}

// TestManyCannotBeSaved has more alerts that cannot be saved than are tried
// in a row: the others are saved all the same.
func TestManyCannotBeSaved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		var good []*tidemark.Alert
		var bad []*tidemark.Alert
		for range 5 * maxFailures {
			bad = append(bad, b.add(cpuAbove(5)))
			good = append(good, b.add(cpuAbove(5)))
		}
		b.pass()
		for _, a := range bad {
			b.poison(a, errBusy)
		}
		b.write("cpu", "a", 9)
		for range 20 {
			b.pass()
			time.Sleep(roundEvery)
		}
		for _, a := range good {
			if !b.store.alerts[a.ID].State.Firing {
				t.Fatalf("alert %d does not fire", a.ID)
			}
		}
		if n := len(b.eval.Troubles(1)); n != len(bad) {
			t.Errorf("%d alerts are in trouble, want %d", n, len(bad))
		}
	})
}
