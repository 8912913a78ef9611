package alerts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// storyOf is a timeline in words, the newest first.
func storyOf(entries []timelineEntry) string {
	var all []string
	for _, e := range entries {
		text := fmt.Sprintf("%d %s", e.At, e.Kind)
		if e.By != "" {
			text += " by " + e.By
		}
		if e.Text != "" {
			text += ": " + e.Text
		}
		all = append(all, strings.Join(append([]string{text}, e.Streams...), " "))
	}
	return strings.Join(all, "; ")
}

// TestHappened: an incident begins with the streams that made it fire, others
// join it by the minute but never before it, and what people wrote and how it
// ended comes after.
func TestHappened(t *testing.T) {
	t.Parallel()
	v := func(stream string, since int64) tidemark.Violation {
		return tidemark.Violation{Stream: stream, Since: since}
	}
	cleared, normal, ann := int64(900), tidemark.ClearNormal, "ann"
	for _, c := range []struct {
		name string
		in   tidemark.Incident
		want string
	}{
		{"it fired", tidemark.Incident{TriggeredAt: 125, Violations: []tidemark.Violation{v("a", 100), v("b", 125)}}, "125 fired a b"},
		{"without a stream", tidemark.Incident{TriggeredAt: 125}, "125 fired"},
		{"others joined", tidemark.Incident{TriggeredAt: 125, Violations: []tidemark.Violation{v("a", 125), v("c", 301), v("d", 359)}}, "300 joined c d; 125 fired a"},
		{"in the same minute", tidemark.Incident{TriggeredAt: 125, Violations: []tidemark.Violation{v("a", 125), v("b", 130)}}, "125 joined b; 125 fired a"},
		{"it cleared", tidemark.Incident{TriggeredAt: 125, ClearedAt: &cleared, Clear: &normal}, "900 cleared: normal; 125 fired"},
		{"by somebody", tidemark.Incident{TriggeredAt: 125, ClearedAt: &cleared, Clear: &normal, ClearedBy: &ann}, "900 cleared by ann: normal; 125 fired"},
		{"with words", tidemark.Incident{TriggeredAt: 125, Notes: []tidemark.IncidentNote{{At: 200, Kind: tidemark.NoteAcknowledged, By: "ann"}, {At: 200, Kind: tidemark.NoteComment, By: "ben", Text: "disk?", ID: 7}}},
			"200 comment by ben: disk?; 200 acknowledged by ann; 125 fired"},
	} {
		if got := storyOf(happened(&c.in)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestTimeline: what happened to an incident, who was notified, what people
// changed meanwhile, and annotations of then or shortly before are one story,
// the newest first.
func TestTimeline(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Alerted(t, c)
	apitest.Fire(t, w.Store, w.Org, 1, 1_000_000) // long before anything is changed by the store's clock
	if err := w.Store.AddSpellings(t.Context(), w.Org, []*tidemark.Spelling{{Tag: "host", Text: "A"}}); err != nil {
		t.Fatal(err)
	}
	for at, title := range map[int64]string{1_000_000 - shared.CausedWithin - 1: "too early", 1_000_000 - shared.CausedWithin: "deploy 1", 1_000_001: "deploy 2"} {
		if err := w.Store.CreateEvent(t.Context(), w.Org, "deploys", &tidemark.AnnotationEvent{Title: title, StartTime: at}); err != nil {
			t.Fatal(err)
		}
	}
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/incidents/1/comments", Body: `{"text":"disk?"}`, Want: `201 {"id":1}`},
		apitest.Exchange{Request: "PUT /ui/api/incidents/1/comments/1", Body: `{"text":"the disk"}`, Want: "204"},
		apitest.Exchange{Request: "PUT /v1/alerts/1", Body: `{"description":"busy"}`, Want: "204"},
		apitest.Exchange{Request: "POST /ui/api/incidents/1/comments", Body: `{"text":""}`, Want: `400 {"errors":{"params":{"text":[...`},
		apitest.Exchange{Request: "POST /ui/api/incidents/1/comments", Body: `{"text":{}}`, Want: `400 {"errors":{"params":{"text":["must be a text"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/incidents/2/comments", Body: `{"text":"x"}`, Want: apitest.NotFound},
		apitest.Exchange{Request: "PUT /ui/api/incidents/1/comments/x", Body: `{"text":"x"}`, Want: apitest.NotFound},
		apitest.Exchange{Request: "PUT /ui/api/incidents/1/comments/9", Body: `{"text":"x"}`, Want: apitest.NotFound},
		apitest.Exchange{Request: "GET /ui/api/incidents/2", Want: apitest.NotFound}, apitest.Exchange{Request: "GET /ui/api/incidents/x", Want: apitest.NotFound},
	)
	var detail incidentDetail
	if err := json.Unmarshal(c.Ask("GET /ui/api/incidents/1", "").Body.Bytes(), &detail); err != nil {
		t.Fatal(err)
	}
	if alert := c.Ask("GET /ui/api/alerts/1", "").Body.String(); strings.Count(alert, `"stream":"host=A"`) != 2 {
		t.Errorf("the worst stream, and those that violate, are not shown as they first came: %s", alert)
	}
	kinds := make([]string, len(detail.Timeline))
	for i, e := range detail.Timeline {
		kinds[i] = e.Kind
		if e.Kind == "annotation" {
			kinds[i] = e.By + ": " + e.Text
		}
		switch {
		case e.Kind == "fired" && strings.Join(e.Streams, " ") != "host=A":
			t.Errorf("it fired for %q", e.Streams)
		case e.Kind == "notified" && (e.Delivery == nil || e.Delivery.Service != "hook" || e.Delivery.Type != "webhook" || e.Delivery.Kind != "trigger" || e.Delivery.Status != "waiting"):
			t.Errorf("notified as %+v", e.Delivery)
		case e.Kind == "comment" && (e.Text != "the disk" || e.EditedAt != apitest.Now || e.ID != 1):
			t.Errorf("the comment is %+v", e)
		case e.Kind == "changed" && !strings.Contains(e.By, "ann@example.org"):
			t.Errorf("changed by %s", e.By)
		}
	}
	if got := strings.Join(kinds, " "); got != "comment changed deploys: deploy 2 notified fired deploys: deploy 1" {
		t.Errorf("the story is %s", got)
	}
}

// TestChangesOfAlerts: who changed an alert is for all who see it, page after
// page; from where, for those who may see the audit log.
func TestChangesOfAlerts(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Alerted(t, c)
	by := tidemark.PersonActor("ben@example.org", "192.0.2.9")
	for i := range shared.AuditPageLength + 5 {
		if _, err := w.Store.UpdateAlert(t.Context(), w.Org, by, 1, func(a *tidemark.Alert) { a.Description = new(fmt.Sprint(i)) }); err != nil {
			t.Fatal(err)
		}
	}
	read := func(target string) (list changeList) {
		t.Helper()
		rec := c.Ask("GET "+target, "")
		if err := json.Unmarshal(rec.Body.Bytes(), &list); rec.Code != 200 || err != nil {
			t.Fatalf("%d %s, %v", rec.Code, rec.Body, err)
		}
		return list
	}
	first := read("/ui/api/alerts/1/changes")
	rest := read(fmt.Sprintf("/ui/api/alerts/1/changes?before=%d", first.Next))
	if len(first.Changes) != shared.AuditPageLength || len(rest.Changes) != 6 || rest.Next != 0 || rest.Changes[5].Action != "alert.create" {
		t.Errorf("%d changes and %d, then %d", len(first.Changes), len(rest.Changes), rest.Next)
	}
	if first.Changes[0].Address != "192.0.2.9" {
		t.Errorf("an Admin sees %q", first.Changes[0].Address)
	}
	c.Who.Role = tidemark.ViewOnly
	if e := read("/ui/api/alerts/1/changes").Changes[0]; e.Address != "" || e.Actor == "" {
		t.Errorf("a viewer sees %+v", e)
	}
	c.Check(t, apitest.Exchange{Request: "GET /ui/api/alerts/1/changes?before=x", Want: `400 {"errors":{"params":{"before":["is not a number"]}}}`},
		apitest.Exchange{Request: "GET /ui/api/alerts/2/changes", Want: apitest.NotFound})
}

// TestStreamsOfIncidents: a stream that violates several conditions is one.
func TestStreamsOfIncidents(t *testing.T) {
	t.Parallel()
	in := &tidemark.Incident{Violations: []tidemark.Violation{{Stream: "a", Condition: 1}, {Stream: "a", Condition: 2}, {Stream: "b"}}}
	if got := streamsOf(in); got != 2 || streamsOf(&tidemark.Incident{}) != 0 {
		t.Errorf("%d streams", got)
	}
}
