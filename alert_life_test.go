package tidemark

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// life is what a bystander knows of an alert: who was notified of what, and
// when.
type life struct {
	firing       bool
	notified     bool             // services heard of the open incident
	lastNotified int64            // when they last did
	signals      map[string]int64 // the same, for each stream
	steps        int              // of the escalation that were taken
	firstHeard   int64
}

// drawEvaluation draws what one look at an alert finds.
func drawEvaluation(t *rapid.T, now int64, perSignal bool) Evaluation {
	e := Evaluation{Now: now, Active: rapid.IntRange(0, 15).Draw(t, "inactive") > 0, Conditions: "c", WrittenAt: now, Rearm: 300, PerSignal: perSignal,
		Met: rapid.IntRange(0, 3).Draw(t, "unmet") > 0, Expired: rapid.Bool().Draw(t, "expired"), Snoozed: rapid.IntRange(0, 5).Draw(t, "snoozed") == 0, Escalation: []Seconds{120, 600}}
	if rapid.IntRange(0, 15).Draw(t, "edited") == 0 {
		e.Conditions += strconv.FormatInt(now, 10)
	}
	if e.Met {
		for _, stream := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3, rapid.ID[string]).Draw(t, "streams") {
			e.Violations = append(e.Violations, Violation{Stream: stream, SeenAt: now - rapid.SampledFrom([]int64{0, 0, 100}).Draw(t, "age")})
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "maintenance") == 0 {
		e.Window, e.Windows = 9, []int64{9}
	}
	return e
}

// see checks a transition against what the bystander knows, and learns from it.
func (l *life) see(t *rapid.T, e Evaluation, ev AlertTransition, acknowledged bool) {
	quiet := e.Snoozed || e.Window != 0 || acknowledged
	switch {
	case ev.Kind == Triggered && l.firing, ev.Kind == Cleared && !l.firing, ev.Kind == Reminded && !l.firing:
		t.Fatalf("%+v while firing is %v", ev, l.firing)
	case ev.Kind == Cleared && ev.Notify != l.notified:
		t.Fatalf("the end is notified of: %v, the beginning was: %v", ev.Notify, l.notified)
	case ev.Kind == Reminded != (ev.Notify && l.firing && ev.Kind != Cleared):
		t.Fatalf("%+v is no reminder, or one that nobody hears", ev)
	case ev.Kind != Cleared && quiet && (ev.Notify || len(ev.Steps) > 0):
		t.Fatalf("%+v, though nobody is to be notified", ev)
	}
	if ev.Kind == Cleared {
		*l = life{signals: make(map[string]int64)}
		return
	}
	l.firing = l.firing || ev.Kind == Triggered
	if ev.Notify {
		l.hear(t, e, ev)
	}
	for _, step := range ev.Steps {
		if step != l.steps || e.Now < l.firstHeard+int64(e.Escalation[step]) || !l.notified {
			t.Fatalf("step %d after %d s, the next is %d", step, e.Now-l.firstHeard, l.steps)
		}
		l.steps++
	}
}

// hear checks that services are not notified again too soon.
func (l *life) hear(t *rapid.T, e Evaluation, ev AlertTransition) {
	if !e.PerSignal && l.notified && !ev.Resumed && e.Now-l.lastNotified < 300 {
		t.Fatalf("notified again after %d s", e.Now-l.lastNotified)
	}
	if e.PerSignal != (ev.Signals != nil) {
		t.Fatalf("signals %v", ev.Signals)
	}
	for _, signal := range ev.Signals {
		violates := slices.ContainsFunc(e.Violations, func(v Violation) bool { return v.Stream == signal })
		if at := l.signals[signal]; !violates || at != 0 && !ev.Resumed && e.Now-at < 300 {
			t.Fatalf("notified of %s, which violates: %v, again after %d s", signal, violates, e.Now-at)
		}
		l.signals[signal] = e.Now
	}
	if !l.notified {
		l.firstHeard = e.Now
	}
	l.notified, l.lastNotified = true, e.Now
}

// TestLifeOfAnAlert: whatever happens to an alert, incidents begin and end by
// turns, nobody is notified who should not be, nor too soon again, and whoever
// heard of a beginning hears of its end.
func TestLifeOfAnAlert(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, l := AlertState{Conditions: "c"}, life{signals: make(map[string]int64)}
		perSignal := rapid.Bool().Draw(t, "per signal")
		now := int64(1_000_000)
		for range rapid.IntRange(1, 40).Draw(t, "looks") {
			now += rapid.SampledFrom([]int64{1, 60, 60, 120, 400}).Draw(t, "later")
			if s.Firing && rapid.IntRange(0, 7).Draw(t, "acknowledged") == 0 {
				s.AcknowledgedAt, s.AcknowledgedBy = now, "ann"
			}
			acknowledged := s.AcknowledgedAt != 0
			e := drawEvaluation(t, now, perSignal)
			var ev AlertTransition
			s, ev = s.Next(e)
			l.see(t, e, ev, acknowledged)
			if s.Firing != l.firing || s.Escalated != l.steps {
				t.Fatalf("the state is %+v, the bystander knows %+v", s, l)
			}
			if !s.Firing && (s.TriggeredAt != 0 || s.LastNotified != nil || s.AcknowledgedBy != "" || s.Window != 0 || s.Violations != nil) {
				t.Fatalf("something of the last incident is left: %+v", s)
			}
		}
	})
}

// TestNextKeepsNothingOfItsInput: a state that was evaluated can be evaluated
// again, as after a failed save, with the same outcome.
func TestNextKeepsNothingOfItsInput(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := AlertState{Conditions: "c"}
		now := int64(1_000_000)
		for range rapid.IntRange(1, 10).Draw(t, "looks") {
			now += rapid.SampledFrom([]int64{60, 60, 400, -90}).Draw(t, "later") // clocks are set back
			e := drawEvaluation(t, now, true)
			before := maps.Clone(s.LastNotified)
			once, first := s.Next(e)
			if !maps.Equal(s.LastNotified, before) {
				t.Fatalf("the state from before was changed: %v, then %v", before, s.LastNotified)
			}
			twice, second := s.Next(e)
			if first.Kind != second.Kind || first.Notify != second.Notify || !slices.Equal(first.Signals, second.Signals) || once.LastNotifiedAt != twice.LastNotifiedAt || len(once.LastNotified) != len(twice.LastNotified) {
				t.Fatalf("first %+v, then %+v", first, second)
			}
			s = once
		}
	})
}

// TestIsNothing: a transition that changes what is kept, or that somebody hears of,
// is something.
func TestIsNothing(t *testing.T) {
	t.Parallel()
	for _, ev := range []AlertTransition{{Kind: Triggered}, {Kind: Reminded}, {Kind: Cleared}, {Steps: []int{0}}, {Window: true}} {
		if ev.IsNothing() {
			t.Errorf("%+v is nothing", ev)
		}
	}
	if ev := (AlertTransition{}); !ev.IsNothing() {
		t.Error("nothing is something")
	}
}
