package alerts

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// incidentDetail is an incident and everything that happened to it.
type incidentDetail struct {
	Incident *tidemark.Incident `json:"incident"`
	Timeline []timelineEntry    `json:"timeline"` // the newest first
}

// timelineEntry is something that happened to an incident.
type timelineEntry struct {
	At       int64             `json:"at"`
	ID       int64             `json:"id,omitempty"` // of a comment or an annotation
	Kind     string            `json:"kind" wire:"fired|joined|notified|acknowledged|reopened|comment|maintenance|maintenance over|changed|snoozed|resumed|annotation|cleared"`
	By       string            `json:"by,omitempty"` // of an annotation: the stream it is in
	Text     string            `json:"text,omitempty"`
	EditedAt int64             `json:"edited_at,omitempty"`
	Streams  []string          `json:"streams,omitempty"` // of fired and joined
	Delivery *timelineDelivery `json:"delivery,omitempty"`
}

// timelineDelivery is how a notification went.
type timelineDelivery struct {
	ID      int64  `json:"id"`
	Kind    string `json:"kind" wire:"trigger|reminder|escalation|clear|test"`
	Step    int    `json:"step,omitempty"`
	Status  string `json:"status" wire:"waiting|delivered|failed|cancelled|superseded"`
	Tries   int    `json:"tries"`
	DueAt   int64  `json:"due_at"`
	Service string `json:"service"` // its title
	Type    string `json:"type"`
	Answer  string `json:"answer"` // the last, in the service's words
	Took    int64  `json:"took_ms"`
}

// incident answers GET /ui/api/incidents/:id.
func (s *API) incident(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	in, err := s.Store.Incident(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	words, err := s.Spellings.Of(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	in.Violations = words.Violations(in.Violations)
	entries := happened(in)
	notified, err := s.notified(r.Context(), who.Org, in.ID)
	if err != nil {
		return rest.Reply{}, err
	}
	changed, err := s.changedDuring(r.Context(), who.Org, in)
	if err != nil {
		return rest.Reply{}, err
	}
	annotated, err := s.annotatedAround(r.Context(), who.Org, in)
	if err != nil {
		return rest.Reply{}, err
	}
	// What is of the same second is notified of after it happened, and changed before.
	entries = slices.Concat(notified, entries, changed, annotated)
	slices.SortStableFunc(entries, func(a, b timelineEntry) int { return cmp.Compare(b.At, a.At) })
	return rest.OK(incidentDetail{Incident: in, Timeline: entries}), nil
}

// happened is what the incident itself says: latest first where it is of one
// second.
func happened(in *tidemark.Incident) []timelineEntry {
	var all []timelineEntry
	if in.ClearedAt != nil {
		e := timelineEntry{At: *in.ClearedAt, Kind: "cleared", Text: *in.Clear}
		if in.ClearedBy != nil {
			e.By = *in.ClearedBy
		}
		all = append(all, e)
	}
	for _, n := range slices.Backward(in.Notes) {
		e := timelineEntry{At: n.At, Kind: n.Kind, By: n.By, Text: n.Text, EditedAt: n.EditedAt}
		if n.Kind == tidemark.NoteComment {
			e.ID = n.ID
		}
		all = append(all, e)
	}
	first, later := timelineEntry{At: in.TriggeredAt, Kind: "fired"}, map[int64][]string{}
	for _, v := range in.Violations {
		if v.Since <= in.TriggeredAt {
			first.Streams = append(first.Streams, v.Stream)
		} else {
			at := max(v.Since/60*60, in.TriggeredAt) // by the minute
			later[at] = append(later[at], v.Stream)
		}
	}
	for at, streams := range later {
		all = append(all, timelineEntry{At: at, Kind: "joined", Streams: streams})
	}
	return append(all, first)
}

// notified is whom services were notified by.
func (s *API) notified(ctx context.Context, org tidemark.OrgID, incident int64) ([]timelineEntry, error) {
	deliveries, err := s.Store.IncidentDeliveries(ctx, org, incident)
	if err != nil || len(deliveries) == 0 {
		return nil, err
	}
	services, err := rest.Every(ctx, org, s.Store.Services)
	if err != nil {
		return nil, err
	}
	var all []timelineEntry
	for _, d := range slices.Backward(deliveries) {
		v := &timelineDelivery{ID: d.ID, Kind: d.Kind, Status: d.Status, Tries: d.Tries, DueAt: d.DueAt, Service: "Service " + strconv.FormatInt(d.Service, 10)}
		if d.Notice != nil {
			v.Step = d.Notice.Step
		}
		if i := slices.IndexFunc(services, func(sv *tidemark.Service) bool { return sv.ID == d.Service }); i >= 0 {
			v.Service, v.Type = services[i].Title, services[i].Type
		}
		if n := len(d.Attempts); n > 0 {
			v.Answer, v.Took = d.Attempts[n-1].Answer, d.Attempts[n-1].Duration
		}
		all = append(all, timelineEntry{At: d.CreatedAt, Kind: "notified", Delivery: v})
	}
	return all, nil
}

// duringKinds are the changes of alerts that are part of an incident's story,
// beyond those that its notes tell.
var duringKinds = map[string]string{"alert.update": "changed", "alert.snooze": "snoozed", "alert.resume": "resumed"}

// changedDuring is what people changed of the alert while the incident was
// open.
func (s *API) changedDuring(ctx context.Context, org tidemark.OrgID, in *tidemark.Incident) ([]timelineEntry, error) {
	q := tidemark.AuditQuery{Object: alertObject(in.Alert), Action: "alert.*", Since: in.TriggeredAt, Length: 200}
	if in.ClearedAt != nil {
		q.Until = *in.ClearedAt + 1
	}
	found, err := s.Store.AuditLog(ctx, org, q)
	var all []timelineEntry
	for _, e := range found {
		if kind := duringKinds[e.Action]; kind != "" {
			all = append(all, timelineEntry{At: e.At, Kind: kind, By: e.Actor})
		}
	}
	return all, err
}

// maxAnnotated is how many annotations a timeline has at most: the first.
const maxAnnotated = 50

// annotatedAround is what else happened, such as a deployment: while the
// incident was open, or shortly before.
func (s *API) annotatedAround(ctx context.Context, org tidemark.OrgID, in *tidemark.Incident) ([]timelineEntry, error) {
	end := s.Now().Unix() + 1
	if in.ClearedAt != nil {
		end = *in.ClearedAt + 1
	}
	found, err := s.Store.EventsBetween(ctx, org, in.TriggeredAt-shared.CausedWithin, end, maxAnnotated)
	var all []timelineEntry
	for _, e := range slices.Backward(found) {
		all = append(all, timelineEntry{At: e.StartTime, ID: e.ID, Kind: "annotation", By: e.Stream, Text: e.Title})
	}
	return all, err
}

// alertObject is how the audit log begins to name an alert. What somebody
// called something else cannot look like it: quotes in names are escaped.
func alertObject(id int64) string { return "alert " + strconv.FormatInt(id, 10) + " \"" }

// changeList is who changed an alert, the latest first.
type changeList struct {
	Changes []*tidemark.AuditEntry `json:"changes"`
	Next    int64                  `json:"next,omitempty"` // as before, for more of them
}

// alertChanges answers GET /ui/api/alerts/:id/changes. From where somebody did
// it is for those who may see the audit log.
func (s *API) alertChanges(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if _, err := s.Store.Alert(r.Context(), who.Org, id); err != nil {
		return rest.Reply{}, err
	}
	var p tidemark.Problems
	q := tidemark.AuditQuery{Object: alertObject(id), Action: "alert.*", Before: rest.IntOf(&p, r.URL.Query(), "before", 0), Length: shared.AuditPageLength + 1}
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	found, err := s.Store.AuditLog(r.Context(), who.Org, q)
	if err != nil {
		return rest.Reply{}, err
	}
	list := changeList{Changes: found}
	if len(found) > shared.AuditPageLength {
		list.Changes = found[:shared.AuditPageLength]
		list.Next = list.Changes[shared.AuditPageLength-1].ID
	}
	for _, e := range list.Changes {
		if !who.Role.Allows(tidemark.Manage) {
			e.Address = ""
		}
	}
	return rest.OK(list), nil
}
