package store_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// manyHosts is a condition whose sentence is longer than a description may be.
func manyHosts(metric string) tidemark.Condition {
	c := above(metric, 90)
	hosts := make([]string, 1000)
	for i := range hosts {
		hosts[i] = fmt.Sprintf("host-%036d", i)
	}
	c.Tags = []tidemark.TagFilter{{Name: "host", Values: hosts}}
	return c
}

// trigger is the change that makes an alert fire at 1000.
func trigger(org tidemark.OrgID, a *tidemark.Alert) *tidemark.StateChange {
	v := tidemark.Violation{Stream: "host=a", Metric: "cpu", Value: 95, RecordedAt: 1000, Condition: a.Conditions[0].ID, Since: 1000}
	c := &tidemark.StateChange{Org: org, Alert: a, Now: 1000, Transition: tidemark.AlertTransition{Kind: tidemark.Triggered, Notify: true}}
	c.State = tidemark.AlertState{Firing: true, TriggeredAt: 1000, LastNotifiedAt: 1000, Conditions: "f", Violations: []tidemark.Violation{v}}
	c.Incident = &tidemark.Incident{Alert: a.ID, TriggeredAt: 1000, Violations: c.State.Violations}
	c.Notice = tidemark.NewNotice(org, a, nil)
	c.Notice.Kind, c.Notice.Time = tidemark.NoticeTrigger, 1000
	return c
}

// TestLongSentences saves alerts of two organizations at once. What is to be
// said of one of them is far too long for an annotation: by its hosts, by a
// unit that was stored before units were bounded, or by both.
func TestLongSentences(t *testing.T) {
	for name, tt := range map[string]struct {
		cond tidemark.Condition
		unit string
	}{
		"hosts": {manyHosts("cpu"), "%"},
		"unit":  {above("cpu", 90), strings.Repeat("ü", 32768)},
		"both":  {manyHosts("cpu"), strings.Repeat("ü", 32768)},
	} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s *store.Store, ours tidemark.OrgID) {
				theirs := addOrg(t, s, "theirs")
				addMetrics(t, s, ours, "cpu")
				addMetrics(t, s, theirs, "cpu")
				ok(t, store.SetAttributes(t.Context(), s, theirs, "cpu", map[string]any{"display_units_short": tt.unit}))
				good, bad := newAlert("good", above("cpu", 90)), newAlert("bad", tt.cond)
				bad.ServiceIDs = []int64{addService(t, s, theirs, "ops").ID}
				ok(t, s.CreateAlert(t.Context(), ours, operator, good))
				ok(t, s.CreateAlert(t.Context(), theirs, operator, bad))
				changes := []*tidemark.StateChange{trigger(ours, good), trigger(theirs, bad)}
				ok(t, s.SaveStates(t.Context(), changes))
				same(t, "saved", []bool{true, true}, []bool{changes[0].Saved, changes[1].Saved})

				said := *must(s.Events(t.Context(), theirs, tidemark.AlertStream, tidemark.AnnotationEventQuery{}))(t)[0].Description
				if n := utf8.RuneCountInString(said); n == 0 || n > 2000 || !utf8.ValidString(said) {
					t.Errorf("the annotation has %d characters: %.60q", n, said)
				}
				taken := must(s.TakeDue(t.Context(), tidemark.DueQuery{Now: 1000, Until: 1030, Limit: 10}))(t)
				if n := utf8.RuneCountInString(taken[0].Notice.Sentence); n == 0 || n > 2000 {
					t.Errorf("the notification has %d characters", n)
				}
				ok(t, s.ResolveAlert(t.Context(), theirs, operator, bad.ID, 1001))
			})
		})
	}
}

// TestUnits is about the length of units, on every way to write them, and
// about those that were stored before it was bounded.
func TestUnits(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		unit := func(key string, n int) func(*tidemark.Metric) {
			return func(m *tidemark.Metric) { m.Attributes[key] = strings.Repeat("µ", n) }
		}
		put := func(change func(*tidemark.Metric)) func() error {
			return func() error { _, _, err := s.PutMetric(ctx, org, operator, "cpu", change); return err }
		}
		ok(t, put(unit("display_units_short", 32))())
		ok(t, put(unit("display_units_long", 255))())
		checkKinds(t, []wrong{
			{"short", put(unit("display_units_short", 33)), tidemark.Invalid},
			{"long", put(unit("display_units_long", 256)), tidemark.Invalid},
		})
		if err := put(unit("display_units_short", 33))(); !strings.Contains(err.Error(), "attributes.display_units_short") {
			t.Errorf("%v does not name the field", err)
		}

		ok(t, store.SetAttributes(ctx, s, org, "cpu", map[string]any{
			"display_units_short": strings.Repeat("µ", 1000), "display_units_long": strings.Repeat("m", 1000),
		}))
		long := must(s.Metric(ctx, org, "cpu"))(t)
		same(t, "unit", strings.Repeat("µ", 31)+"…", long.Unit())
		same(t, "units of all", map[string]string{"cpu": long.Unit()}, must(s.UnitsOf(ctx, org))(t))
		ok(t, put(func(m *tidemark.Metric) { m.DisplayName = new(string) })())
		changed := must(s.UpdateMetrics(ctx, org, operator, []string{"c*"}, nil, func(m *tidemark.Metric) { m.SourceLag = new(int64) }))(t)
		same(t, "changed", 1, len(changed))
		same(t, "unit after a change", long.Unit(), changed[0].Attributes["display_units_short"].(string))
	})
}
