package alerting

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// addWork adds to an evaluation how people work with the alert: escalation and
// maintenance.
func (w *watch) addWork(e *tidemark.Evaluation) tidemark.MaintenanceState {
	e.Escalation = w.Alert.EscalationTimes()
	m := tidemark.MaintenanceOf(w.Windows, e.Violations, e.Now)
	e.Windows, e.Muted = m.On, m.Muted
	if m.Window != nil {
		e.Window = m.Window.ID
	}
	return m
}

// noteMaintenance has the incident say that a maintenance window keeps people
// from being notified of it, or does not any more.
func (w *watch) noteMaintenance(c *tidemark.StateChange, m tidemark.MaintenanceState) {
	if !c.Transition.Window {
		return
	}
	note := tidemark.IncidentNote{At: c.Now, By: string(tidemark.ByServer)}
	if m.Window != nil {
		note.Kind = tidemark.NoteMaintenance
		note.Text = fmt.Sprintf("%s, until %s", m.Window.Name, untilText(m.Window, m.Until))
	} else {
		note.Kind, note.Text = tidemark.NoteMaintenanceOver, w.windowName(w.State.Window)
	}
	c.Notes = append(c.Notes, note)
}

// windowName is the name of a window, if it is still there.
func (w *watch) windowName(id int64) string {
	i := slices.IndexFunc(w.Windows, func(m *tidemark.Maintenance) bool { return m.ID == id })
	if i < 0 {
		return ""
	}
	return w.Windows[i].Name
}

// untilText is the end of a window by the clocks that it goes by.
func untilText(m *tidemark.Maintenance, until int64) string {
	zone := time.UTC
	if m.Repeat != nil {
		if z, err := time.LoadLocation(m.Repeat.Zone); err == nil {
			zone = z
		}
	}
	return time.Unix(until, 0).In(zone).Format("2006-01-02 15:04 MST")
}

// planWork says when the next step of the escalation is due, and when a
// maintenance window begins or ends.
func (w *watch) planWork(now int64, sooner func(int64)) {
	if times := w.Alert.EscalationTimes(); w.State.Firing && w.State.NotifiedAt != 0 && w.State.Escalated < len(times) {
		sooner(w.State.NotifiedAt + int64(times[w.State.Escalated]))
	}
	for _, m := range w.Windows {
		if next := m.NextChange(now); next != 0 {
			sooner(next)
		}
	}
}
