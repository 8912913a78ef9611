package alerts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestAlertsInOrder: those that fire and nobody took on by severity, then the
// others that fire, then what is well, snoozed and inactive.
func TestAlertsInOrder(t *testing.T) {
	t.Parallel()
	order := []alertSummary{
		{State: "firing", Severity: tidemark.Critical}, {State: "firing", Severity: tidemark.Warning}, {State: "firing", Severity: tidemark.Info}, {State: "firing"},
		{State: "firing", Severity: tidemark.Critical, AcknowledgedAt: 5}, {State: "ok", Severity: tidemark.Critical}, {State: "snoozed"}, {State: "inactive"},
	}
	for i := 1; i < len(order); i++ {
		if order[i-1].rank() >= order[i].rank() {
			t.Errorf("%+v does not come before %+v", order[i-1], order[i])
		}
	}
}

// TestStateOf: inactive before snoozed before firing, each since its own time.
func TestStateOf(t *testing.T) {
	t.Parallel()
	firing := tidemark.AlertState{Firing: true, TriggeredAt: 30, ClearedAt: 20}
	nap := []tidemark.Snooze{{StartsAt: 10, EndsAt: new(int64(50))}, {StartsAt: 70}}
	for _, c := range []struct {
		w     tidemark.WatchedAlert
		now   int64
		state string
		since int64
	}{
		{tidemark.WatchedAlert{Alert: &tidemark.Alert{Active: true}, State: tidemark.AlertState{ClearedAt: 20}}, 60, "ok", 20},
		{tidemark.WatchedAlert{Alert: &tidemark.Alert{Active: true}, State: firing}, 60, "firing", 30},
		{tidemark.WatchedAlert{Alert: &tidemark.Alert{Active: true}, State: firing, Snoozes: nap}, 40, "snoozed", 10},
		{tidemark.WatchedAlert{Alert: &tidemark.Alert{Active: true}, State: firing, Snoozes: nap}, 50, "firing", 30},
		{tidemark.WatchedAlert{Alert: &tidemark.Alert{Active: true}, State: firing, Snoozes: nap}, 99, "snoozed", 70},
		{tidemark.WatchedAlert{Alert: &tidemark.Alert{UpdatedAt: 40}, State: firing, Snoozes: nap}, 40, "inactive", 40},
	} {
		if state, since := stateOf(&c.w, c.now); state != c.state || since != c.since {
			t.Errorf("at %d: %s since %d, want %s since %d", c.now, state, since, c.state, c.since)
		}
	}
}

// TestSnoozedUntil: the last end of those that leave no time between them, in
// the list and on the page.
func TestSnoozedUntil(t *testing.T) {
	t.Parallel()
	z := func(start int64, end ...int64) tidemark.Snooze {
		s := tidemark.Snooze{StartsAt: start}
		if len(end) > 0 {
			s.EndsAt = &end[0]
		}
		return s
	}
	for _, c := range []struct {
		name         string
		snoozes      []tidemark.Snooze
		since, until int64
	}{
		{"one", []tidemark.Snooze{z(10, 90)}, 10, 90},
		{"a longer one within", []tidemark.Snooze{z(10, 60), z(20, 90)}, 10, 90},
		{"a shorter one within", []tidemark.Snooze{z(10, 90), z(20, 60)}, 10, 90},
		{"one that begins later", []tidemark.Snooze{z(10, 60), z(55, 90)}, 10, 90},
		{"one right after", []tidemark.Snooze{z(10, 60), z(60, 90)}, 10, 90},
		{"one after a while", []tidemark.Snooze{z(10, 60), z(61, 90)}, 10, 60},
		{"until somebody resumes", []tidemark.Snooze{z(10, 60), z(20), z(30, 90)}, 10, 0},
		{"the second of two apart", []tidemark.Snooze{z(10, 30), z(40, 90)}, 40, 90},
	} {
		v := (&overview{now: 50}).view(&tidemark.WatchedAlert{Alert: &tidemark.Alert{Active: true}, Snoozes: c.snoozes})
		if v.State != "snoozed" || v.Since != c.since || v.SnoozedUntil != c.until {
			t.Errorf("%s: %s from %d to %d, want %d to %d", c.name, v.State, v.Since, v.SnoozedUntil, c.since, c.until)
		}
	}
	if s := tidemark.SnoozeAt([]tidemark.Snooze{z(10, 30), z(60, 90)}, 50); s != nil {
		t.Errorf("snoozed between two: %+v", s)
	}
}

// TestWorst: the stream furthest beyond the first threshold; those that are
// absent only where nothing else violates.
func TestWorst(t *testing.T) {
	t.Parallel()
	o := &overview{units: map[string]string{"cpu": "%", "mem": "B"}}
	above := tidemark.Condition{ID: 1, Type: tidemark.Above, MetricName: "cpu"}
	below := tidemark.Condition{ID: 1, Type: tidemark.Below, MetricName: "cpu"}
	absent := tidemark.Condition{ID: 2, Type: tidemark.Absent, MetricName: "mem"}
	v := func(stream string, condition int64, value float64) tidemark.Violation {
		return tidemark.Violation{Stream: stream, Metric: map[int64]string{1: "CPU", 2: "mem"}[condition], Condition: condition, Value: value}
	}
	for _, c := range []struct {
		name       string
		conditions []tidemark.Condition
		violations []tidemark.Violation
		want       string
	}{
		{"nothing", []tidemark.Condition{above}, nil, ""},
		{"the highest", []tidemark.Condition{above}, []tidemark.Violation{v("a", 1, 5), v("b", 1, 9), v("c", 1, 7)}, "b 9 %"},
		{"the lowest", []tidemark.Condition{below}, []tidemark.Violation{v("a", 1, 5), v("b", 1, 2), v("c", 1, 7)}, "b 2 %"},
		{"a value before silence", []tidemark.Condition{absent, above}, []tidemark.Violation{v("a", 2, 99), v("b", 1, 3)}, "b 3 %"},
		{"silence alone: the first", []tidemark.Condition{absent}, []tidemark.Violation{v("a", 2, 1), v("b", 2, 9)}, "a 1 B"},
		{"of a condition that is gone", []tidemark.Condition{absent}, []tidemark.Violation{v("a", 1, 4)}, "a 4 %"},
	} {
		w := &tidemark.WatchedAlert{Alert: &tidemark.Alert{Conditions: c.conditions}, State: tidemark.AlertState{Violations: c.violations}}
		got := ""
		if worst := o.worst(w); worst != nil {
			got = fmt.Sprintf("%s %v %s", worst.Stream, worst.Value, worst.Unit)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestViolating: a stream that violates has the worst value of the incident,
// also where it is better by now, and says whether it joined after the alert
// fired, also where it was fine in between.
func TestViolating(t *testing.T) {
	t.Parallel()
	o := &overview{units: map[string]string{"cpu": "%"}}
	v := func(stream string, value float64, since int64) tidemark.Violation {
		return tidemark.Violation{Stream: stream, Metric: "cpu", Condition: 1, Value: value, Since: since}
	}
	for _, c := range []struct {
		name     string
		kind     string
		incident []tidemark.Violation
		now      tidemark.Violation
		want     string
	}{
		{"better by now", tidemark.Above, []tidemark.Violation{v("b", 99, 90), v("a", 9, 90)}, v("a", 7, 90), "7 peak 9 joined false"},
		{"worse by now", tidemark.Above, []tidemark.Violation{v("a", 9, 90)}, v("a", 12, 90), "12 peak 12 joined false"},
		{"the lowest is the worst", tidemark.Below, []tidemark.Violation{v("a", 3, 90)}, v("a", 5, 90), "5 peak 3 joined false"},
		{"it joined", tidemark.Above, []tidemark.Violation{v("a", 9, 160)}, v("a", 9, 160), "9 peak 9 joined true"},
		{"it was fine in between", tidemark.Above, []tidemark.Violation{v("a", 9, 90)}, v("a", 9, 160), "9 peak 9 joined false"},
		{"not saved yet", tidemark.Above, nil, v("a", 9, 90), "9 peak 9 joined false"},
	} {
		w := &tidemark.WatchedAlert{
			Alert:    &tidemark.Alert{Conditions: []tidemark.Condition{{ID: 1, Type: c.kind, MetricName: "cpu"}}},
			Incident: &tidemark.Incident{TriggeredAt: 100, Violations: c.incident},
		}
		s := o.violating(w, &c.now)
		if got := fmt.Sprintf("%v peak %v joined %v", s.Value, s.Peak, s.Joined); got != c.want || s.Unit != "%" {
			t.Errorf("%s: %s %s, want %s", c.name, got, s.Unit, c.want)
		}
	}
}

// TestNextNotifications: reminders and the steps that are left, in order of
// time and never in the past; nothing but the end of what keeps people from
// being notified.
func TestNextNotifications(t *testing.T) {
	t.Parallel()
	const now = 10_000
	services := []serviceSummary{{ID: 1}}
	firing := func() (*tidemark.WatchedAlert, *alertDetail) {
		w := &tidemark.WatchedAlert{Alert: &tidemark.Alert{RearmSeconds: 600}, State: tidemark.AlertState{Firing: true, LastNotifiedAt: now - 100}}
		v := &alertDetail{Escalation: []stepView{
			{At: now - 50, Taken: true, Services: services}, {At: now + 100, Services: services}, {At: now + 900, Services: services}, {At: now + 950},
		}}
		v.Services = services
		return w, v
	}
	for name, c := range map[string]struct {
		change func(w *tidemark.WatchedAlert, v *alertDetail)
		want   string
	}{
		"as it is":         {func(*tidemark.WatchedAlert, *alertDetail) {}, "escalation 2 at 100, reminder 0 at 500, escalation 3 at 900"},
		"reminder overdue": {func(w *tidemark.WatchedAlert, _ *alertDetail) { w.State.LastNotifiedAt = 1 }, "reminder 0 at 0, escalation 2 at 100, escalation 3 at 900"},
		"never notified":   {func(w *tidemark.WatchedAlert, _ *alertDetail) { w.State.LastNotifiedAt = 0 }, "escalation 2 at 100, escalation 3 at 900"},
		"nobody to notify": {func(_ *tidemark.WatchedAlert, v *alertDetail) { v.Services, v.Escalation = nil, nil }, ""},
		"snoozed": {func(_ *tidemark.WatchedAlert, v *alertDetail) {
			v.Snooze = &tidemark.Snooze{EndsAt: new(int64(now + 70))}
		}, "snooze over 0 at 70"},
		"snoozed for ever":  {func(_ *tidemark.WatchedAlert, v *alertDetail) { v.Snooze = &tidemark.Snooze{} }, ""},
		"under maintenance": {func(_ *tidemark.WatchedAlert, v *alertDetail) { v.Maintenance = &maintenanceNow{Until: now + 80} }, "maintenance over 0 at 80"},
		"a rearm of no time": {func(w *tidemark.WatchedAlert, v *alertDetail) {
			w.Alert.RearmSeconds, w.State.LastNotifiedAt, v.Escalation = 0, now-10, nil
		}, fmt.Sprintf("reminder 0 at %d", tidemark.MinRearm-10)},
	} {
		w, v := firing()
		c.change(w, v)
		var got []string
		for _, n := range nextOf(w, v, now) {
			got = append(got, fmt.Sprintf("%s %d at %d", n.Kind, n.Step, n.At-now))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

func TestAlertMatches(t *testing.T) {
	t.Parallel()
	v := alertSummary{Name: "Disk full", Labels: map[string]string{"team": "Databases"}}
	for q, want := range map[string]bool{"disk": true, "full": true, "team=data": true, "databases": true, "cpu": false, "": true} {
		if got := v.matches(q); got != want {
			t.Errorf("%q matches: %v", q, got)
		}
	}
}
