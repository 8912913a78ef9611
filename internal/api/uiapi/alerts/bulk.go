package alerts

import (
	"context"
	"maps"
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// maxBulk is how many alerts are changed at once.
const maxBulk = 2000

// maxCopies is how many names are tried for the copy of an alert.
const maxCopies = 50

// bulkBody is a change to several alerts.
type bulkBody struct {
	IDs      []int64           `json:"ids"`
	Action   string            `json:"action" wire:"activate|deactivate|snooze|unsnooze|resume|acknowledge|reopen|add service|severity|labels"`
	Until    *int64            `json:"until,omitempty"`    // of snooze; null is until somebody resumes
	Snoozes  []int64           `json:"snoozes,omitempty"`  // of unsnooze: those that are taken back, of whichever alert
	Service  int64             `json:"service,omitempty"`  // of add service
	Severity string            `json:"severity,omitempty"` // of severity
	Labels   map[string]string `json:"labels,omitempty"`   // of labels: added; an empty value removes one
}

// bulkAnswer is what became of it.
type bulkAnswer struct {
	Changed []int64       `json:"changed"`
	Failed  []bulkFailure `json:"failed"`
	Snoozes []int64       `json:"snoozes,omitempty"` // that were made
}

// bulkFailure is why one alert stays as it was.
type bulkFailure struct {
	ID     int64  `json:"id"`
	Reason string `json:"reason"`
}

// changeAlerts answers POST /ui/api/alerts/bulk. Each alert is changed by
// itself: one that cannot be holds up no other.
func (s *API) changeAlerts(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body bulkBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	now := s.Now().Unix()
	answer := bulkAnswer{Changed: []int64{}, Failed: []bulkFailure{}}
	change := s.bulkChange(who, &body, &answer, now)
	var p tidemark.Problems
	p.Check(change != nil, "action", "must be activate, deactivate, snooze, unsnooze, resume, acknowledge, reopen, add service, severity or labels")
	p.Check(len(body.IDs) > 0, "ids", "is not present")
	p.Check(len(body.IDs) <= maxBulk, "ids", "has more than %d entries", maxBulk)
	p.Check(body.Action != "unsnooze" || len(body.Snoozes) > 0, "snoozes", "is not present")
	p.Check(len(body.Snoozes) <= maxBulk, "snoozes", "has more than %d entries", maxBulk)
	p.Check(body.Until == nil || *body.Until > now, "until", "is in the past")
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	for _, id := range body.IDs {
		err := change(r.Context(), id)
		switch {
		case err == nil:
			answer.Changed = append(answer.Changed, id)
		case tidemark.KindOf(err) == tidemark.Internal:
			return rest.Reply{}, err
		default:
			answer.Failed = append(answer.Failed, bulkFailure{id, err.Error()})
		}
	}
	return rest.OK(answer), nil
}

// bulkChange returns what is done to each alert, or nil if it is unknown.
func (s *API) bulkChange(who tidemark.Identity, body *bulkBody, answer *bulkAnswer, now int64) func(context.Context, int64) error {
	by, st := who.Actor(), s.Store
	update := func(f func(*tidemark.Alert)) func(context.Context, int64) error {
		return func(ctx context.Context, id int64) error {
			_, err := st.UpdateAlert(ctx, who.Org, by, id, f)
			return err
		}
	}
	switch body.Action {
	case "activate", "deactivate":
		return update(func(a *tidemark.Alert) { a.Active = body.Action == "activate" })
	case "severity":
		return update(func(a *tidemark.Alert) { a.Severity = body.Severity })
	case "labels":
		return update(func(a *tidemark.Alert) { a.Labels = relabel(a.Labels, body.Labels) })
	case "snooze":
		return func(ctx context.Context, id int64) error {
			v := &tidemark.Snooze{StartsAt: now, EndsAt: body.Until, By: by.String()}
			err := st.SnoozeAlert(ctx, who.Org, by, id, v)
			if err == nil {
				answer.Snoozes = append(answer.Snoozes, v.ID)
			}
			return err
		}
	case "unsnooze":
		return func(ctx context.Context, id int64) error { return st.UndoSnoozes(ctx, who.Org, by, id, body.Snoozes) }
	case "resume":
		return func(ctx context.Context, id int64) error { return st.ResumeAlert(ctx, who.Org, by, id) }
	case "acknowledge":
		return func(ctx context.Context, id int64) error {
			return st.AcknowledgeAlert(ctx, who.Org, by, id, &tidemark.IncidentNote{At: now})
		}
	case "reopen":
		return func(ctx context.Context, id int64) error { return st.ReopenAlert(ctx, who.Org, by, id, now) }
	case "add service":
		return func(ctx context.Context, id int64) error {
			return st.AttachService(ctx, who.Org, by, tidemark.AttachmentKey{Alert: id, Service: body.Service})
		}
	}
	return nil
}

// relabel returns labels with others added; those with an empty value are
// removed.
func relabel(labels, more map[string]string) map[string]string {
	next := make(map[string]string)
	maps.Copy(next, labels)
	for name, v := range more {
		if next[name] = v; v == "" {
			delete(next, name)
		}
	}
	return next
}

// duplicateAlert answers POST /ui/api/alerts/:id/duplicate. The copy is
// switched off: nobody wants to be notified twice of the same.
func (s *API) duplicateAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	a, err := s.Store.Alert(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	name := a.Name
	for i := range a.Conditions {
		a.Conditions[i].ID = 0
	}
	a.ID, a.Active = 0, false
	for n := 1; ; n++ {
		a.Name = copyName(name, n)
		err := s.Store.CreateAlert(r.Context(), who.Org, who.Actor(), a)
		if err == nil {
			break
		}
		if tidemark.KindOf(err) != tidemark.Conflict || n > maxCopies {
			return rest.Reply{}, err
		}
	}
	shared.RevealAlert(who, a)
	return rest.Created(a, "/v1/alerts/"+a.ResourceID()), nil
}

// copyName is the name of the nth copy.
func copyName(name string, n int) string {
	end := " copy"
	if n > 1 {
		end += " " + strconv.Itoa(n)
	}
	return name[:min(len(name), tidemark.MaxName-len(end))] + end
}
