package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

// Alerting is what the API asks of those who judge alerts and tell of them:
// functions, since they are on the same floor.
type Alerting struct {
	// Backtest tries an alert out on what is stored of [start, end).
	Backtest func(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, start, end, now int64) (*tidemark.Backtest, error)
	// Gaps returns when in [start, end) an alert had nothing to judge. It may
	// be nil: then nobody is told.
	Gaps func(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, start, end int64) ([]tidemark.Interval, error)
	// Test tells the services of an alert of a test. It returns what they
	// were told and how each of them went.
	Test func(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert) (*tidemark.Delivery, []tidemark.TestResult)
	// EvaluatedAt is when all alerts were last judged, 0 if never.
	EvaluatedAt func() int64
	// Troubles are the alerts of org that cannot be saved, by id. It may be
	// nil.
	Troubles func(org tidemark.OrgID) map[int64]tidemark.AlertTrouble
	// Deliver makes what is due be delivered at once.
	Deliver func()
	// MaxTries is how often a delivery is tried at most, about.
	MaxTries int
	// Picture returns the picture that a signed name stands for.
	Picture func(ctx context.Context, name string) ([]byte, error)
}

// alertIncidents answers GET /v1/alerts/:id/incidents.
func (s *Server) alertIncidents(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return listOf(r, who, "incidents", s.Store.Incidents)
}

// alertDeliveries answers GET /v1/alerts/:id/deliveries.
func (s *Server) alertDeliveries(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return listOf(r, who, "deliveries", s.Store.AlertDeliveries)
}

// serviceDeliveries answers GET /v1/services/:id/deliveries.
func (s *Server) serviceDeliveries(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return listOf(r, who, "deliveries", s.Store.ServiceDeliveries)
}

// listOf is list for what belongs to something with an id.
func listOf[T any](r *http.Request, who tidemark.Identity, noun string,
	find func(context.Context, tidemark.OrgID, int64, tidemark.Page) ([]*T, tidemark.Counts, error),
) (rest.Reply, error) {
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
func (s *Server) retryDelivery(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.thenDeliver(r, func(id int64) error {
		return s.Store.RetryDelivery(r.Context(), who.Org, id, s.Now().Unix())
	})
}

// clearAlert answers POST /v1/alerts/:id/clear.
func (s *Server) clearAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.thenDeliver(r, func(id int64) error {
		return s.Store.ResolveAlert(r.Context(), who.Org, id, auth.Actor(who), s.Now().Unix())
	})
}

// thenDeliver does something to what the path names, and has what is due from
// it delivered at once.
func (s *Server) thenDeliver(r *http.Request, do func(id int64) error) (rest.Reply, error) {
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

// testAlert answers POST /v1/alerts/:id/test: every service of the alert is
// told of a test, and the answer says how each of them went.
func (s *Server) testAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	a, err := s.Store.Alert(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	if s.Alerting.Test == nil {
		return rest.Reply{}, errNoAlerting
	}
	d, results := s.Alerting.Test(r.Context(), who.Org, a)
	// What was told stays on record even if the caller is gone.
	if err := s.Store.RecordTest(context.WithoutCancel(r.Context()), who.Org, d.Notice, d.Key, results); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(map[string]any{"results": results}), nil
}

var errNoAlerting = tidemark.Errorf(tidemark.Unavailable, "alerts are not judged here")

// testDraft answers POST /ui/api/alerts/test: testAlert for an alert that was
// not saved.
func (s *Server) testDraft(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	a, err := readDraft(r)
	if err != nil {
		return rest.Reply{}, err
	}
	for _, id := range a.ServiceIDs {
		service, err := s.Store.Service(r.Context(), who.Org, id)
		if err != nil {
			return rest.Reply{}, tidemark.InvalidField("services", "%d does not exist", id)
		}
		a.Services = append(a.Services, service)
	}
	if s.Alerting.Test == nil {
		return rest.Reply{}, errNoAlerting
	}
	_, results := s.Alerting.Test(r.Context(), who.Org, a)
	return rest.OK(map[string]any{"results": results}), nil
}

// testServiceDraft answers POST /ui/api/services/test, and with an id POST
// /ui/api/services/:id/test: it tells one service of a test.
func (s *Server) testServiceDraft(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v := newService()
	if r.PathValue("id") != "" {
		id, err := rest.ByID(r)
		if err != nil {
			return rest.Reply{}, err
		}
		if v, err = s.Store.Service(r.Context(), who.Org, id); err != nil {
			return rest.Reply{}, err
		}
	} else {
		var u tidemark.ServiceUpdate
		if err := rest.ReadInto(r, &u); err != nil {
			return rest.Reply{}, err
		}
		u.Apply(v)
	}
	if err := s.checkService(r.Context(), v); err != nil {
		return rest.Reply{}, err
	}
	if s.Alerting.Test == nil {
		return rest.Reply{}, errNoAlerting
	}
	_, results := s.Alerting.Test(r.Context(), who.Org, exampleAlert(v))
	one := results[0]
	return rest.OK(map[string]any{"ok": one.OK, "answer": one.Answer, "duration_ms": one.Duration}), nil
}

// exampleAlert is the alert that a service is tried out with.
func exampleAlert(v *tidemark.Service) *tidemark.Alert {
	a := tidemark.NewAlert()
	threshold, function, duration := 250.0, "max", tidemark.Seconds(300)
	text := "An example, to see whether notifications arrive."
	a.Name, a.Description, a.Services = "example.latency.high", &text, []*tidemark.Service{v}
	a.Conditions = []tidemark.Condition{{
		ID: 1, Type: tidemark.Above, MetricName: "example.latency", Threshold: &threshold, SummaryFunction: &function, Duration: &duration,
	}}
	return a
}

// previewBody is a draft of an alert and the time to try it out on.
type previewBody struct {
	Alert     tidemark.AlertUpdate `json:"alert"`
	StartTime int64                `json:"start_time"`
	EndTime   int64                `json:"end_time"`
	Duration  int64                `json:"duration"`
}

// previewDays is how far back an alert is tried out unless the caller says so.
const previewDays = 7

// readPreview reads a draft and the time to try it out on.
func (s *Server) readPreview(r *http.Request) (*tidemark.Alert, [2]int64, error) {
	var body previewBody
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
			start = end - previewDays*daySeconds
		}
	}
	p.Check(start >= 0 && end < rest.MaxSeconds && start < end, "start_time", "is not before end_time")
	return a, [2]int64{start, end}, p.Err()
}

const maxPreviewed = 20

// previewAlert answers POST /v1/alerts/preview: what an alert would have done.
func (s *Server) previewAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	a, span, err := s.readPreview(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if s.Alerting.Backtest == nil {
		return rest.Reply{}, errNoAlerting
	}
	b, err := s.Alerting.Backtest(r.Context(), who.Org, a, span[0], span[1], s.Now().Unix())
	return rest.OK(b), err
}

// readDraft reads an alert that is not saved.
func readDraft(r *http.Request) (*tidemark.Alert, error) {
	var u tidemark.AlertUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return nil, err
	}
	a := tidemark.NewAlert()
	a.Name = "draft"
	u.Apply(a)
	return a, a.Validate()
}

// snoozeBody asks for a time in which nobody is told. What is left out is now,
// and until somebody resumes.
type snoozeBody struct {
	Start   tidemark.Opt[int64]  `json:"start"`
	Until   tidemark.Opt[int64]  `json:"until"`
	Seconds tidemark.Opt[int64]  `json:"seconds"`
	Note    tidemark.Opt[string] `json:"note"`
}

// snoozeAlert answers POST /v1/alerts/:id/snooze.
func (s *Server) snoozeAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body snoozeBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	now := s.Now().Unix()
	v := &tidemark.Snooze{StartsAt: now, By: auth.Actor(who), Note: body.Note.V}
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
		return rest.Reply{}, tidemark.InvalidField("until", "is over")
	}
	if err := s.Store.SnoozeAlert(r.Context(), who.Org, id, v); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, "/v1/alerts/"+strconv.FormatInt(id, 10)+"/snooze"), nil
}

// alertSnoozes answers GET /v1/alerts/:id/snooze.
func (s *Server) alertSnoozes(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
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

// messageBody says what to tell a service: the rest of the body is the
// service, or what is different about it.
type messageBody struct {
	Kind string `json:"kind"` // trigger, reminder, clear or test
}

// previewMessage answers POST /v1/services/preview, and with an id POST
// /v1/services/:id/preview: what a service would be sent, without sending it.
func (s *Server) previewMessage(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v := newService()
	if r.PathValue("id") != "" {
		id, err := rest.ByID(r)
		if err != nil {
			return rest.Reply{}, err
		}
		if v, err = s.Store.Service(r.Context(), who.Org, id); err != nil {
			return rest.Reply{}, err
		}
	}
	object, err := rest.ReadObject(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body messageBody
	var u tidemark.ServiceUpdate
	if err := errors.Join(rest.Decode(object, &body), rest.Decode(object, &u)); err != nil {
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
func (s *Server) exampleOf(r *http.Request, who tidemark.Identity, kind string) (notify.Notification, error) {
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
	case tidemark.NoticeClear:
		n.Clear = tidemark.ClearNormal
	default:
		return n, tidemark.InvalidField("kind", "must be trigger, reminder, clear or test")
	}
	return n, nil
}

// picture answers GET /ui/api/pictures/:name, to whoever has the link.
func (s *Server) picture(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if s.Alerting.Picture == nil {
		return rest.Reply{}, rest.ErrNotFound
	}
	png, err := s.Alerting.Picture(r.Context(), r.PathValue("key"))
	if err != nil {
		return rest.Reply{}, err
	}
	return pngReply(png), nil
}

func pngReply(png []byte) rest.Reply {
	return rest.Reply{
		Status: http.StatusOK, Kind: "image/png", Header: map[string]string{"Cache-Control": "private, max-age=86400"},
		Stream: func(w io.Writer) error {
			_, err := w.Write(png)
			return err
		},
	}
}
