package tidemark

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// refusal is a change to something valid, and the one field that the error
// names then; "" where it stays valid.
type refusal[T any] struct {
	name   string
	change func(v *T)
	field  string
}

// checkRefusals makes each change to something valid.
func checkRefusals[T any](t *testing.T, valid func() *T, validate func(*T) error, list []refusal[T]) {
	t.Helper()
	if err := validate(valid()); err != nil {
		t.Fatalf("what should be valid is not: %v", err)
	}
	for _, r := range list {
		v := valid()
		r.change(v)
		err := validate(v)
		if r.field == "" {
			if err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid {
			t.Errorf("%s: got %v, want an error that names %s", r.name, err, r.field)
			continue
		}
		if fields := slices.Sorted(maps.Keys(e.Fields)); !slices.Equal(fields, []string{r.field}) {
			t.Errorf("%s: the error names %v, want %s", r.name, fields, r.field)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func times[T any](n int, v T) []T { return slices.Repeat([]T{v}, n) }

// validAlert watches one metric.
func validAlert() *Alert {
	a := NewAlert()
	a.Name = "cpu.high"
	a.Conditions = []Condition{*validCondition()}
	return a
}

func validCondition() *Condition {
	return &Condition{Type: Above, MetricName: "cpu", Threshold: new(90.0)}
}

func TestAlertRefusals(t *testing.T) {
	t.Parallel()
	checkRefusals(t, validAlert, (*Alert).Validate, []refusal[Alert]{
		{"no name", func(a *Alert) { a.Name = "" }, "name"},
		{"the longest name", func(a *Alert) { a.Name = long(255) }, ""},
		{"a name too long", func(a *Alert) { a.Name = long(256) }, "name"},
		{"a name with a slash", func(a *Alert) { a.Name = "a/b" }, "name"},
		{"a name with blanks", func(a *Alert) { a.Name = "Disk full: db-1" }, ""},
		{"a description too long", func(a *Alert) { a.Description = new(long(maxText + 1)) }, "description"},
		{"a description with a null byte", func(a *Alert) { a.Description = new("a\x00b") }, "description"},
		{"a description of several lines", func(a *Alert) { a.Description = new("a\nb\tc\r\n") }, ""},
		{"a negative rearm", func(a *Alert) { a.RearmSeconds = -60 }, "rearm_seconds"},
		{"no rearm", func(a *Alert) { a.RearmSeconds = 0 }, ""},
		{"the longest rearm", func(a *Alert) { a.RearmSeconds = maxRearm }, ""},
		{"a minute longer", func(a *Alert) { a.RearmSeconds = maxRearm + 60 }, "rearm_seconds"},
		{"a rearm that is not whole minutes", func(a *Alert) { a.RearmSeconds = 90 }, "rearm_seconds"},
		{"the old version", func(a *Alert) { a.Version = 1 }, "version"},
		{"the most conditions", func(a *Alert) { a.Conditions = times(maxConditions, *validCondition()) }, ""},
		{"one more", func(a *Alert) { a.Conditions = times(maxConditions+1, *validCondition()) }, "conditions"},
		{"too many services", func(a *Alert) { a.ServiceIDs = times(maxServices+1, int64(1)) }, "services"},
		{"a runbook that is no text", func(a *Alert) { a.Attributes["runbook_url"] = 5.0 }, "attributes.runbook_url"},
		{"an attribute too long", func(a *Alert) { a.Attributes["own"] = long(maxText + 1) }, "attributes.own"},
		{"an attribute of any shape", func(a *Alert) { a.Attributes["own"] = map[string]any{"a": []any{1.0}} }, ""},
		{"a shape too long", func(a *Alert) { a.Attributes["own"] = []any{long(maxText)} }, "attributes.own"},
		{"a severity of another service", func(a *Alert) { a.Severity = "fatal" }, "severity"},
		{"a severity of ours", func(a *Alert) { a.Severity = Warning }, ""},
		{"a label without a value", func(a *Alert) { a.Labels = map[string]string{"team": ""} }, "labels"},
		{"a label with a bad name", func(a *Alert) { a.Labels = map[string]string{"a b": "c"} }, "labels"},
		{"a label with a long name", func(a *Alert) { a.Labels = map[string]string{long(65): "c"} }, "labels"},
		{"a wrong condition", func(a *Alert) { a.Conditions[0].Type = "over" }, "conditions.type"},
	})
}

// TestEscalationRefusals: steps follow each other in whole minutes, and each
// tells somebody.
func TestEscalationRefusals(t *testing.T) {
	t.Parallel()
	step := func(after Seconds, services ...int64) EscalationStep {
		return EscalationStep{After: after, Services: services}
	}
	set := func(steps ...EscalationStep) func(*Alert) {
		return func(a *Alert) { a.Escalation = steps }
	}
	many := make([]EscalationStep, maxSteps+1)
	for i := range many {
		many[i] = step(MinRearm*Seconds(i+1), 1)
	}
	checkRefusals(t, validAlert, (*Alert).Validate, []refusal[Alert]{
		{"two steps", set(step(300, 1), step(600, 2, 3)), ""},
		{"the most steps", set(many[:maxSteps]...), ""},
		{"one more", set(many...), "escalation"},
		{"too soon", set(step(MinRearm-60, 1)), "escalation.after_seconds"},
		{"after more than a week", set(step(maxStepAfter+60, 1)), "escalation.after_seconds"},
		{"not in whole minutes", set(step(MinRearm+1, 1)), "escalation.after_seconds"},
		{"two at once", set(step(600, 1), step(600, 2)), "escalation.after_seconds"},
		{"in the wrong order", set(step(900, 1), step(600, 2)), "escalation.after_seconds"},
		{"to nobody", set(step(600)), "escalation.services"},
		{"to too many", set(step(600, times(maxServices+1, int64(1))...)), "escalation.services"},
	})
	a := validAlert()
	set(step(300, 1), step(900, 2))(a)
	if got := a.EscalationTimes(); !slices.Equal(got, []Seconds{300, 900}) {
		t.Errorf("steps are taken after %v", got)
	}
}

func TestConditionRefusals(t *testing.T) {
	t.Parallel()
	checkRefusals(t, validCondition, (*Condition).Validate, []refusal[Condition]{
		{"no type", func(c *Condition) { c.Type = "" }, "type"},
		{"an unknown type", func(c *Condition) { c.Type = "equal" }, "type"},
		{"no threshold", func(c *Condition) { c.Threshold = nil }, "threshold"},
		{"absent without a duration", func(c *Condition) { c.Type, c.Threshold = Absent, nil }, "duration"},
		{"absent for no time", func(c *Condition) { c.Type, c.Duration = Absent, new(Seconds(0)) }, "duration"},
		{"absent for a minute", func(c *Condition) { c.Type, c.Threshold, c.Duration = Absent, nil, new(Seconds(60)) }, ""},
		{"at once", func(c *Condition) { c.Duration = new(Seconds(0)) }, ""},
		{"for less than a minute", func(c *Condition) { c.Duration = new(Seconds(59)) }, "duration"},
		{"for an hour", func(c *Condition) { c.Duration = new(Seconds(3600)) }, ""},
		{"for more than an hour", func(c *Condition) { c.Duration = new(Seconds(3601)) }, "duration"},
		{"no metric", func(c *Condition) { c.MetricName = "" }, "metric_name"},
		{"what is no metric", func(c *Condition) { c.MetricName = "a b" }, "metric_name"},
		{"an unknown function", func(c *Condition) { c.SummaryFunction = new("median") }, "summary_function"},
		{"a percentile", func(c *Condition) { c.SummaryFunction = new("p99") }, ""},
		{"a source too long", func(c *Condition) { c.Source = new(long(MaxTagValue + 1)) }, "source"},
		{"too many tags", func(c *Condition) { c.Tags = times(maxTagFilters+1, TagFilter{Name: "a"}) }, "tags"},
		{"a tag without a name", func(c *Condition) { c.Tags = []TagFilter{{}} }, "tags"},
		{"too many values", func(c *Condition) { c.Tags = []TagFilter{{Name: "a", Values: times(maxTagValues+1, "v")}} }, "tags"},
		{"a value too long", func(c *Condition) { c.Tags = []TagFilter{{Name: "a", Values: []string{long(MaxTagValue + 1)}}} }, "tags"},
	})
}

// TestAgainstRefusals: what readings are compared with has bounds of its own.
func TestAgainstRefusals(t *testing.T) {
	t.Parallel()
	set := func(g Against) func(*Condition) {
		return func(c *Condition) { c.Against = &g }
	}
	below := func(g Against) func(*Condition) {
		return func(c *Condition) { c.Type, c.Against = Below, &g }
	}
	past := Against{Kind: AgainstPast, Period: 7 * day}
	budget := func(change func(*Against)) func(*Condition) {
		g := Against{Kind: AgainstBudget, Period: 3600, Good: "good", Objective: new(99.9)}
		change(&g)
		return set(g)
	}
	checkRefusals(t, validCondition, (*Condition).Validate, []refusal[Condition]{
		{"nothing known", set(Against{Kind: "future"}), "against"},
		{"a day before", set(Against{Kind: AgainstPast, Period: day}), ""},
		{"four weeks before", set(Against{Kind: AgainstPast, Period: maxPast}), ""},
		{"five weeks before", set(Against{Kind: AgainstPast, Period: 35 * day}), "period"},
		{"an hour before", set(Against{Kind: AgainstPast, Period: 3600}), "period"},
		{"a day and a half before", set(Against{Kind: AgainstPast, Period: day + day/2}), "period"},
		{"a change within a minute", set(Against{Kind: AgainstChange, Period: 60}), ""},
		{"within a minute and a half", set(Against{Kind: AgainstChange, Period: 90}), "period"},
		{"within two days", set(Against{Kind: AgainstChange, Period: 2 * day}), "period"},
		{"a band", set(Against{Kind: AgainstBand}), ""},
		{"a band of one week", set(Against{Kind: AgainstBand, Weeks: 1}), "weeks"},
		{"a band of nine weeks", set(Against{Kind: AgainstBand, Weeks: 9}), "weeks"},
		{"a band by month", set(Against{Kind: AgainstBand, By: "month"}), "by"},
		{"a negative distance", set(Against{Kind: AgainstBand, Least: new(-1.0)}), "least"},
		{"a budget", budget(func(*Against) {}), ""},
		{"a budget that falls", below(Against{Kind: AgainstBudget, Period: 3600, Good: "good", Objective: new(99.9)}), "type"},
		{"of five minutes", budget(func(g *Against) { g.Period = 300 }), "period"},
		{"without an objective", budget(func(g *Against) { g.Objective = nil }), "objective"},
		{"of all", budget(func(g *Against) { g.Objective = new(100.0) }), "objective"},
		{"of nothing", budget(func(g *Against) { g.Objective = new(0.0) }), "objective"},
		{"of a distribution", budget(func(g *Against) { g.Good, g.Below = "", new(300.0) }), ""},
		{"of both", budget(func(g *Against) { g.Below = new(300.0) }), "good_metric"},
		{"without the good", budget(func(g *Against) { g.Good = "" }), "good_metric"},
		{"with what is no metric", budget(func(g *Against) { g.Good = "a b" }), "good_metric"},
		{"a silence", func(c *Condition) { c.Type, c.Duration, c.Against = Absent, new(Seconds(60)), &past }, "against"},
		{"a derivative", func(c *Condition) { c.SummaryFunction, c.Against = new("derivative"), &past }, "summary_function"},
		{"a distance of nothing", func(c *Condition) { c.Threshold, c.Against = new(0.0), &Against{Kind: AgainstBand} }, "threshold"},
		{"a percentage of nothing", func(c *Condition) { c.Threshold, c.Against = new(0.0), &past }, ""},
	})
}
