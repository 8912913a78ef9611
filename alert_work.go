package tidemark

import (
	"maps"
	"slices"
)

// How bad it is that an alert fires.
const (
	Critical = "critical"
	Warning  = "warning"
	Info     = "info"
)

// Severities are all there are, the worst first.
var Severities = []string{Critical, Warning, Info}

const (
	maxLabels     = 20
	maxSteps      = 10
	maxLabelName  = 64
	maxLabelValue = 255
	maxStepAfter  = 7 * 24 * 3600
)

// EscalationStep is who else is notified of an incident that nobody has
// acknowledged for a while after services were first notified of it.
type EscalationStep struct {
	After    Seconds     `json:"after_seconds"`
	Services ServiceRefs `json:"services"`
}

// Escalation is the notification of the services of a step.
type Escalation struct {
	Step     int // from 1
	Services []int64
	Notice   *Notice
}

// EscalationTimes is after how long each step of a's escalation is taken.
func (a *Alert) EscalationTimes() []Seconds {
	times := make([]Seconds, len(a.Escalation))
	for i := range a.Escalation {
		times[i] = a.Escalation[i].After
	}
	return times
}

// validateWork checks what people work with: severity, labels, escalation.
func (a *Alert) validateWork(p *Problems) {
	p.Check(a.Severity == "" || slices.Contains(Severities, a.Severity), "severity", "must be critical, warning or info")
	checkLabels(p, "labels", a.Labels)
	p.Check(len(a.Escalation) <= maxSteps, "escalation", "has more than %d steps", maxSteps)
	before := Seconds(0)
	for _, step := range a.Escalation {
		p.Check(step.After >= MinRearm && step.After <= maxStepAfter, "escalation.after_seconds", "must be %d to %d", MinRearm, maxStepAfter)
		p.Check(step.After%60 == 0, "escalation.after_seconds", "must be a multiple of 60")
		p.Check(step.After > before, "escalation.after_seconds", "must be more than that of the step before")
		p.Check(len(step.Services) > 0, "escalation.services", "is not present")
		p.Check(len(step.Services) <= maxServices, "escalation.services", "has more than %d entries", maxServices)
		before = step.After
	}
}

// checkLabels checks names and values that somebody attached to something.
func checkLabels(p *Problems, field string, labels map[string]string) {
	p.Check(len(labels) <= maxLabels, field, "has more than %d entries", maxLabels)
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		p.Check(IsMetricName(name) && len(name) <= maxLabelName, field, "%q is not a name: it may have 1 to %d letters, digits and . : - _", name, maxLabelName)
		p.Text(field, labels[name], 1, maxLabelValue)
	}
}

// applyWork makes the part of the change that is about how people work with a.
func (u AlertUpdate) applyWork(a *Alert) {
	if u.Severity.Set {
		a.Severity = u.Severity.V
	}
	if u.Labels.Set {
		a.Labels = u.Labels.V
	}
	if u.Escalation.Set {
		a.Escalation = u.Escalation.V
	}
}
