package alerts

import (
	"cmp"
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// rank orders alerts: those that fire and nobody has acknowledged by severity,
// then the others that fire, then the rest.
func (v *alertSummary) rank() int {
	switch {
	case v.State == "firing" && v.AcknowledgedAt == 0:
		i := slices.Index(tidemark.Severities, v.Severity)
		if i < 0 {
			i = len(tidemark.Severities)
		}
		return i
	case v.State == "firing":
		return 10
	}
	return map[string]int{"ok": 11, "snoozed": 12, "inactive": 13}[v.State]
}

// maintenanceOf returns the maintenance window that keeps people from being
// notified of an alert, or would if it fired. One for streams with some tags
// does so only while it fires.
func maintenanceOf(w *tidemark.WatchedAlert, now int64) *maintenanceNow {
	m := tidemark.MaintenanceOf(w.Windows, w.State.Violations, now)
	if m.Window == nil || !w.Alert.Active {
		return nil
	}
	return &maintenanceNow{ID: m.Window.ID, Name: m.Window.Name, Until: m.Until, Suspended: m.Suspended}
}

// addNext adds the steps of the escalation, and who is notified when.
func (s *API) addNext(ctx context.Context, org tidemark.OrgID, w *tidemark.WatchedAlert, v *alertDetail, now int64) error {
	v.Escalation, v.Next = []stepView{}, []nextNotification{}
	known := make(map[int64]serviceSummary)
	if len(w.Alert.Escalation) > 0 {
		all, err := rest.Every(ctx, org, s.Store.Services)
		if err != nil {
			return err
		}
		for _, sv := range all {
			known[sv.ID] = serviceSummary{sv.ID, sv.Type, sv.Title}
		}
	}
	for i, step := range w.Alert.Escalation {
		view := stepView{After: step.After, Services: []serviceSummary{}, Taken: i < w.State.Escalated}
		for _, id := range step.Services {
			if sv, there := known[id]; there {
				view.Services = append(view.Services, sv)
			}
		}
		if w.State.NotifiedAt != 0 {
			view.At = w.State.NotifiedAt + int64(step.After)
		}
		v.Escalation = append(v.Escalation, view)
	}
	if w.State.Firing && w.Alert.Active && w.State.AcknowledgedAt == 0 {
		v.Next = nextOf(w, v, now)
	}
	return nil
}

// nextOf says who is notified next of an incident that nobody has
// acknowledged, while it goes on.
func nextOf(w *tidemark.WatchedAlert, v *alertDetail, now int64) []nextNotification {
	next := []nextNotification{}
	switch {
	case v.Snooze != nil && v.Snooze.EndsAt == nil:
		return next
	case v.Snooze != nil:
		return append(next, nextNotification{At: *v.Snooze.EndsAt, Kind: "snooze over", Services: v.Services})
	case v.Maintenance != nil:
		return append(next, nextNotification{At: v.Maintenance.Until, Kind: "maintenance over", Services: v.Services})
	}
	rearm := int64(max(w.Alert.RearmSeconds, tidemark.MinRearm))
	if w.State.LastNotifiedAt != 0 && len(v.Services) > 0 {
		next = append(next, nextNotification{At: max(w.State.LastNotifiedAt+rearm, now), Kind: "reminder", Services: v.Services})
	}
	for i, step := range v.Escalation {
		if !step.Taken && step.At != 0 && len(step.Services) > 0 {
			next = append(next, nextNotification{At: max(step.At, now), Kind: "escalation", Step: i + 1, Services: step.Services})
		}
	}
	slices.SortStableFunc(next, func(a, b nextNotification) int { return cmp.Compare(a.At, b.At) })
	return next
}
