package v1

import (
	"context"
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
)

// alertIncidents answers GET /v1/alerts/:id/incidents.
func (s *API) alertIncidents(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return listOf(r, who, "incidents", spelled(s, s.Store.Incidents, func(w *spelling.Words, in *tidemark.Incident) {
		in.Violations = w.Violations(in.Violations)
	}))
}

// alertDeliveries answers GET /v1/alerts/:id/deliveries.
func (s *API) alertDeliveries(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return listOf(r, who, "deliveries", spelled(s, s.Store.AlertDeliveries, spellDelivery))
}

// serviceDeliveries answers GET /v1/services/:id/deliveries.
func (s *API) serviceDeliveries(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return listOf(r, who, "deliveries", spelled(s, s.Store.ServiceDeliveries, spellDelivery))
}

func spellDelivery(w *spelling.Words, d *tidemark.Delivery) { d.Notice = w.Notice(d.Notice) }

// finder lists a page of what belongs to something with an id.
type finder[T any] func(context.Context, tidemark.OrgID, int64, tidemark.Page) ([]*T, tidemark.Counts, error)

// spelled is find with streams as they are shown.
func spelled[T any](s *API, find finder[T], spell func(*spelling.Words, *T)) finder[T] {
	return func(ctx context.Context, org tidemark.OrgID, id int64, p tidemark.Page) ([]*T, tidemark.Counts, error) {
		words, err := s.Spellings.Of(ctx, org)
		if err != nil {
			return nil, tidemark.Counts{}, err
		}
		list, counts, err := find(ctx, org, id, p)
		for _, one := range list {
			spell(words, one)
		}
		return list, counts, err
	}
}

// listOf is rest.List for what belongs to something with an id.
func listOf[T any](r *http.Request, who tidemark.Identity, noun string, find finder[T]) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	in := func(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*T, tidemark.Counts, error) {
		return find(ctx, org, id, p)
	}
	return rest.List(noun, in)(r, who)
}

// retryDelivery answers POST /v1/deliveries/:id/retry.
func (s *API) retryDelivery(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.thenDeliver(r, func(id int64) error {
		return s.Store.RetryDelivery(r.Context(), who.Org, who.Actor(), id, s.Now().Unix())
	})
}

// clearAlert answers POST /v1/alerts/:id/clear.
func (s *API) clearAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.thenDeliver(r, func(id int64) error {
		return s.Store.ResolveAlert(r.Context(), who.Org, who.Actor(), id, s.Now().Unix())
	})
}

// thenDeliver does something to what the path names, and has what is due from
// it delivered at once.
func (s *API) thenDeliver(r *http.Request, do func(id int64) error) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := do(id); err != nil {
		return rest.Reply{}, err
	}
	if s.Alerting.Deliver != nil {
		s.Alerting.Deliver()
	}
	return rest.NoContent, nil
}

// NoteBody is what somebody says of an incident.
type NoteBody struct {
	Text tidemark.Opt[string] `json:"text"`
}

// acknowledgeAlert answers POST /v1/alerts/:id/acknowledge.
func (s *API) acknowledgeAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body NoteBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	n := &tidemark.IncidentNote{At: s.Now().Unix(), Text: body.Text.V}
	return rest.NoContent, s.Store.AcknowledgeAlert(r.Context(), who.Org, who.Actor(), id, n)
}

// reopenAlert answers DELETE /v1/alerts/:id/acknowledge.
func (s *API) reopenAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.ReopenAlert(r.Context(), who.Org, who.Actor(), id, s.Now().Unix())
}

// testAlert answers POST /v1/alerts/:id/test: every service of the alert is
// notified of a test, and the answer says how each of them went.
func (s *API) testAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	a, err := s.Store.Alert(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	if s.Alerting.Test == nil {
		return rest.Reply{}, shared.ErrNoAlerting
	}
	rest.Idle(r)
	d, results, err := s.Alerting.Test(r.Context(), who, a)
	if err != nil {
		return rest.Reply{}, err
	}
	// What was sent stays on record even if the caller is gone.
	if err := s.Store.RecordTest(context.WithoutCancel(r.Context()), who.Org, who.Actor(), d.Notice, d.Key, results); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(map[string]any{"results": results}), nil
}

// PreviewBody is a draft of an alert and the time to try it out on.
type PreviewBody struct {
	Alert     tidemark.AlertUpdate `json:"alert"`
	StartTime int64                `json:"start_time"`
	EndTime   int64                `json:"end_time"`
	Duration  int64                `json:"duration"`
}

// previewDays is how far back an alert is tried out unless the caller says so.
const previewDays = 7

// readPreview reads a draft and the time to try it out on.
func (s *API) readPreview(r *http.Request) (*tidemark.Alert, [2]int64, error) {
	var body PreviewBody
	if err := rest.ReadInto(r, &body); err != nil {
		return nil, [2]int64{}, err
	}
	a := tidemark.NewAlert()
	a.Name = "preview"
	body.Alert.Apply(a)
	var p tidemark.Problems
	for i := range a.Conditions {
		p.Add("conditions.", a.Conditions[i].Validate())
	}
	p.Check(len(a.Conditions) > 0, "conditions", "is not present")
	p.Check(len(a.Conditions) <= maxPreviewed, "conditions", "has more than %d entries", maxPreviewed)
	end := body.EndTime
	if end == 0 {
		end = s.Now().Unix()
	}
	start := body.StartTime
	if start == 0 {
		start = end - body.Duration
		if body.Duration == 0 {
			start = end - previewDays*shared.DaySeconds
		}
	}
	p.Check(start >= 0 && end < rest.MaxSeconds && start < end, "start_time", "is not before end_time")
	return a, [2]int64{start, end}, p.Err()
}

const maxPreviewed = 20

// previewAlert answers POST /v1/alerts/preview: what an alert would have done.
func (s *API) previewAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	a, span, err := s.readPreview(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if s.Alerting.Backtest == nil {
		return rest.Reply{}, shared.ErrNoAlerting
	}
	b, err := s.Alerting.Backtest(r.Context(), who.Org, a, span[0], span[1], s.Now().Unix())
	if err != nil {
		return rest.Reply{}, err
	}
	past, err := s.Store.IncidentsDuring(r.Context(), who.Org, b.Start, b.End, maxRecognized)
	if err != nil {
		return rest.Reply{}, err
	}
	b.Recognize(past)
	return rest.OK(b), nil
}

// maxRecognized is how many incidents of the past a backtest is compared with:
// the latest.
const maxRecognized = 1000

// SnoozeBody asks for a time in which nobody is notified. What is left out is now,
// and until somebody resumes.
type SnoozeBody struct {
	Start   tidemark.Opt[int64]  `json:"start"`
	Until   tidemark.Opt[int64]  `json:"until"`
	Seconds tidemark.Opt[int64]  `json:"seconds"`
	Note    tidemark.Opt[string] `json:"note"`
}

// snoozeAlert answers POST /v1/alerts/:id/snooze.
func (s *API) snoozeAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body SnoozeBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	now := s.Now().Unix()
	v := &tidemark.Snooze{StartsAt: now, By: who.Actor().String(), Note: body.Note.V}
	body.Start.To(&v.StartsAt)
	body.Until.ToPtr(&v.EndsAt)
	if n := body.Seconds; n.Set && !n.Null {
		if n.V <= 0 {
			return rest.Reply{}, tidemark.InvalidField("seconds", "must be more than 0")
		}
		end := v.StartsAt + n.V
		v.EndsAt = &end
	}
	if v.EndsAt != nil && *v.EndsAt <= now {
		return rest.Reply{}, tidemark.InvalidField("until", "is in the past")
	}
	if err := s.Store.SnoozeAlert(r.Context(), who.Org, who.Actor(), id, v); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, "/v1/alerts/"+strconv.FormatInt(id, 10)+"/snooze"), nil
}

// alertSnoozes answers GET /v1/alerts/:id/snooze.
func (s *API) alertSnoozes(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	w, err := s.Store.WatchedAlert(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(map[string]any{"snoozed": tidemark.IsSnoozed(w.Snoozes, s.Now().Unix()), "snoozes": w.Snoozes}), nil
}

// messageBody says what to send to a service: the rest of the body is the
// service, or what is different about it.
type messageBody struct {
	Kind string `json:"kind"` // trigger, reminder, clear or test
}

// previewMessage answers POST /v1/services/preview, and with an id POST
// /v1/services/:id/preview: what a service would be sent, without sending it.
func (s *API) previewMessage(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v, err := s.ServiceOrNew(r, who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	object, err := rest.ReadObject(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body messageBody
	var u tidemark.ServiceUpdate
	if err := decodeBoth(object, &body, &u); err != nil {
		return rest.Reply{}, err
	}
	u.Apply(v)
	if err := v.Validate(); err != nil {
		return rest.Reply{}, err
	}
	n, err := s.exampleOf(r, who, body.Kind)
	if err != nil {
		return rest.Reply{}, err
	}
	p, err := notify.MakePreview(v, n, s.BaseURL(r))
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(map[string]any{"content_type": p.Type, "body": string(p.Body), "subject": p.Subject, "html": p.HTML}), nil
}

// exampleOf makes up a notification of a kind.
func (s *API) exampleOf(r *http.Request, who tidemark.Identity, kind string) (notify.Notification, error) {
	account, err := s.Store.Account(r.Context(), who.Org)
	if err != nil {
		return notify.Notification{}, err
	}
	n := notify.Sample(who.Org, account, s.Now())
	n.Test = kind == tidemark.NoticeTest
	switch kind {
	case "", tidemark.NoticeTrigger, tidemark.NoticeTest:
	case tidemark.NoticeReminder:
		n.Repeat = true
	case tidemark.NoticeEscalation:
		n.Step = 1
	case tidemark.NoticeClear:
		n.Clear = tidemark.ClearNormal
	default:
		return n, tidemark.InvalidField("kind", "must be trigger, reminder, escalation, clear or test")
	}
	return n, nil
}
