package alerts

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
)

// overview is what is needed to show the alerts of one organization.
type overview struct {
	now    int64
	units  map[string]string
	strips map[int64][]tidemark.Interval
	last   map[int64]int64
	// troubles are the alerts that are set aside.
	troubles map[int64]tidemark.AlertTrouble
	words    *spelling.Words
}

func (s *API) newOverview(r *http.Request, who tidemark.Identity) (*overview, error) {
	o := &overview{now: s.Now().Unix(), strips: make(map[int64][]tidemark.Interval)}
	if s.Alerting.Troubles != nil {
		o.troubles = s.Alerting.Troubles(who.Org)
	}
	var err error
	if o.words, err = s.Spellings.Of(r.Context(), who.Org); err != nil {
		return nil, err
	}
	if o.units, err = s.Store.UnitsOf(r.Context(), who.Org); err != nil {
		return nil, err
	}
	if o.last, err = s.Store.LastFired(r.Context(), who.Org); err != nil {
		return nil, err
	}
	incidents, err := s.Store.IncidentsSince(r.Context(), who.Org, o.now-shared.DaySeconds)
	if err != nil {
		return nil, err
	}
	for _, in := range incidents {
		end := o.now
		if in.ClearedAt != nil {
			end = *in.ClearedAt
		}
		o.strips[in.Alert] = append(o.strips[in.Alert], tidemark.Interval{max(in.TriggeredAt, o.now-shared.DaySeconds), end})
	}
	return o, nil
}

// view describes one alert.
func (o *overview) view(w *tidemark.WatchedAlert) alertSummary {
	v := alertSummary{
		ID: w.Alert.ID, Name: w.Alert.Name, Words: w.Alert.Sentence(o.units), LastFiredAt: o.last[w.Alert.ID],
		Strip: append([]tidemark.Interval{}, o.strips[w.Alert.ID]...), Services: []serviceSummary{},
	}
	v.State, v.Since = stateOf(w, o.now)
	if z := tidemark.SnoozeAt(w.Snoozes, o.now); z != nil && v.State == "snoozed" && z.EndsAt != nil {
		v.SnoozedUntil = *z.EndsAt
	}
	if c := firstThreshold(w.Alert); c != nil {
		v.Threshold = c.Threshold
	}
	v.Worst = o.worst(w)
	v.AcknowledgedAt, v.AcknowledgedBy = w.State.AcknowledgedAt, w.State.AcknowledgedBy
	v.Severity, v.Labels, v.Steps = w.Alert.Severity, w.Alert.Labels, len(w.Alert.Escalation)
	if v.Labels == nil {
		v.Labels = map[string]string{}
	}
	v.Maintenance = maintenanceOf(w, o.now)
	if t, there := o.troubles[w.Alert.ID]; there {
		v.Trouble = &t
	}
	for _, sv := range w.Alert.Services {
		v.Services = append(v.Services, serviceSummary{sv.ID, sv.Type, sv.Title})
	}
	return v
}

// stateOf says where an alert stands, and since when.
func stateOf(w *tidemark.WatchedAlert, now int64) (state string, since int64) {
	switch snooze := tidemark.SnoozeAt(w.Snoozes, now); {
	case !w.Alert.Active:
		return "inactive", w.Alert.UpdatedAt
	case snooze != nil:
		return "snoozed", snooze.StartsAt
	case w.State.Firing:
		return "firing", w.State.TriggeredAt
	}
	return "ok", w.State.ClearedAt
}

func firstThreshold(a *tidemark.Alert) *tidemark.Condition {
	for i := range a.Conditions {
		if a.Conditions[i].Type != tidemark.Absent {
			return &a.Conditions[i]
		}
	}
	return nil
}

// worst returns the stream that is furthest beyond the threshold; of those
// that are absent, the first.
func (o *overview) worst(w *tidemark.WatchedAlert) *worstStream {
	c := firstThreshold(w.Alert)
	var worst *tidemark.Violation
	for i := range w.State.Violations {
		v := &w.State.Violations[i]
		switch {
		case worst == nil, c != nil && v.Condition == c.ID && worst.Condition != c.ID:
			worst = v
		case c == nil || v.Condition != c.ID:
		case c.IsWorse(v.Value, worst.Value):
			worst = v
		}
	}
	if worst == nil {
		return nil
	}
	return &worstStream{o.words.Stream(worst.Stream), worst.Value, o.unitOf(w.Alert, worst)}
}

// violating is a stream that violates now, with what it did in the open
// incident.
func (o *overview) violating(w *tidemark.WatchedAlert, v *tidemark.Violation) violatingStream {
	view := violatingStream{
		Stream: o.words.Stream(v.Stream), Metric: v.Metric, Value: v.Value, Unit: o.unitOf(w.Alert, v), Since: v.Since,
		RecordedAt: v.RecordedAt, Condition: v.Condition, Peak: v.Value,
	}
	if w.Incident == nil {
		return view
	}
	for i := range w.Incident.Violations {
		first := &w.Incident.Violations[i]
		if first.Stream != v.Stream || first.Condition != v.Condition {
			continue
		}
		view.Joined = first.Since > w.Incident.TriggeredAt
		if c := conditionOf(w.Alert, v.Condition); c != nil && c.IsWorse(first.Value, v.Value) {
			view.Peak = first.Value
		}
	}
	return view
}

// conditionOf returns the condition of a that has this id, or nil.
func conditionOf(a *tidemark.Alert, id int64) *tidemark.Condition {
	i := slices.IndexFunc(a.Conditions, func(c tidemark.Condition) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &a.Conditions[i]
}

// unitOf is the unit of a violation's value: the metric's, or that of how it
// compares.
func (o *overview) unitOf(a *tidemark.Alert, v *tidemark.Violation) string {
	unit := o.units[tidemark.MetricKey(v.Metric)]
	if c := conditionOf(a, v.Condition); c != nil {
		return c.Unit(unit)
	}
	return unit
}

// matches says whether the name, the words or a label of an alert have q in
// them, which is in lower case.
func (v *alertSummary) matches(q string) bool {
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), q) }
	if has(v.Name) || has(v.Words.String()) {
		return true
	}
	for name, value := range v.Labels {
		if has(name + "=" + value) {
			return true
		}
	}
	return false
}

// lateAfter is how long after the last pass evaluation counts as late.
const lateAfter = 15

// alertsOverview answers GET /ui/api/alerts: firing ones first, then by when
// they fired last, snoozed and inactive ones at the end.
func (s *API) alertsOverview(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	o, err := s.newOverview(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	all, err := s.Store.AlertsOverview(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	state, q := r.URL.Query().Get("state"), strings.ToLower(r.URL.Query().Get("q"))
	views, firing := []alertSummary{}, 0
	unjudged := s.unjudged(r.Context(), who.Org, alertsOf(all), shared.DaySeconds, o.now)
	maintenance, err := s.maintainedSince(r.Context(), who.Org, o.now-shared.DaySeconds, o.now)
	if err != nil {
		return rest.Reply{}, err
	}
	for _, w := range all {
		v := o.view(w)
		v.Unjudged = unjudged[v.ID]
		maintenance.addTo(&v, w.Alert)
		if v.State == "firing" {
			firing++
		}
		if (state == "" || v.State == state) && v.matches(q) {
			views = append(views, v)
		}
	}
	slices.SortStableFunc(views, func(a, b alertSummary) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.LastFiredAt, a.LastFiredAt))
	})
	evaluated, late := s.evaluation(who.Org, o.now)
	return rest.OK(alertList{Alerts: views, EvaluatedAt: evaluated, Firing: firing, Late: late}), nil
}

// evaluation is when the alerts of org were last evaluated, and by how many seconds
// that is late.
func (s *API) evaluation(org tidemark.OrgID, now int64) (evaluated, late int64) {
	if s.Alerting.EvaluatedAt == nil {
		return 0, 0
	}
	evaluated = s.Alerting.EvaluatedAt(org)
	if behind := now - evaluated; behind > lateAfter {
		late = behind
	}
	return evaluated, late
}

func alertsOf(all []*tidemark.WatchedAlert) []*tidemark.Alert {
	alerts := make([]*tidemark.Alert, len(all))
	for i, w := range all {
		alerts[i] = w.Alert
	}
	return alerts
}

// alertOverview answers GET /ui/api/alerts/:id.
func (s *API) alertOverview(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	w, err := s.Store.WatchedAlert(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	o, err := s.newOverview(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	if w.Alert, err = s.Store.Alert(r.Context(), who.Org, id); err != nil {
		return rest.Reply{}, err
	}
	shared.RevealAlert(who, w.Alert)
	answer := alertDetail{alertSummary: o.view(w), Alert: *w.Alert, Violating: []violatingStream{}, Snoozes: w.Snoozes, MaxTries: s.Alerting.MaxTries}
	answer.Unjudged = s.unjudged(r.Context(), who.Org, []*tidemark.Alert{w.Alert}, weekSeconds, o.now)[id]
	maintenance, err := s.maintainedSince(r.Context(), who.Org, o.now-weekSeconds, o.now)
	if err != nil {
		return rest.Reply{}, err
	}
	maintenance.addTo(&answer.alertSummary, w.Alert)
	for i := range w.State.Violations {
		v := &w.State.Violations[i]
		answer.Violating = append(answer.Violating, o.violating(w, v))
	}
	answer.Snooze = tidemark.SnoozeAt(w.Snoozes, o.now)
	if w.Incident != nil {
		answer.IncidentKey, answer.Incident, answer.NotifiedAt = w.Incident.Key, w.Incident.ID, w.State.NotifiedAt
	}
	_, answer.Late = s.evaluation(who.Org, o.now)
	if err := s.addNext(r.Context(), who.Org, w, &answer, o.now); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(answer), nil
}

// watchFiring answers GET /ui/api/watch: how many alerts fire, as server-sent
// events, whenever it changes.
func (s *API) watchFiring(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	leave, err := s.Watch(who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Reply{Status: http.StatusOK, Kind: "text/event-stream", Events: func(w http.ResponseWriter) {
		defer leave()
		s.StreamChanges(r, w, who, "firing", func(ctx context.Context) ([]byte, error) {
			n, err := s.Store.CountFiring(ctx, who.Org)
			if err != nil {
				return nil, err
			}
			return json.Marshal(firingCount{Count: n})
		})
	}}, nil
}
