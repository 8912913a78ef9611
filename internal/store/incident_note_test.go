package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestAcknowledge has somebody take on an incident and others comment on it.
func TestAcknowledge(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		l := newLife(t, s, org, addService(t, s, org, "ops").ID)
		ctx, id := t.Context(), l.alert.ID
		ok(t, s.AcknowledgeAlert(ctx, org, ann, id, &tidemark.IncidentNote{At: 90})) // it does not fire
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 100)
		version := must(s.AlertsVersion(ctx))(t)
		ok(t, s.AcknowledgeAlert(ctx, org, ann, id, &tidemark.IncidentNote{At: 110, Text: "on it"}))
		ok(t, s.AcknowledgeAlert(ctx, org, operator, id, &tidemark.IncidentNote{At: 120, Text: "disk is full"}))
		if must(s.AlertsVersion(ctx))(t) == version {
			t.Error("the evaluator does not hear of it")
		}
		w := must(s.WatchedAlert(ctx, org, id))(t)
		if w.State.AcknowledgedAt != 110 || !w.State.Firing {
			t.Errorf("state %+v", w.State)
		}
		if l.save(tidemark.Reminded, tidemark.NoticeReminder, 130) {
			t.Error("what was evaluated before overwrites the acknowledgement")
		}
		found, _, err := s.Incidents(ctx, org, id, tidemark.Page{})
		ok(t, err)
		want := []tidemark.IncidentNote{
			{ID: found[0].Notes[0].ID, At: 110, Kind: tidemark.NoteAcknowledged, By: "user:ann@example.org", Text: "on it"},
			{ID: found[0].Notes[1].ID, At: 120, Kind: tidemark.NoteComment, By: operator.String(), Text: "disk is full"},
		}
		same(t, "notes", want, found[0].Notes)
	})
}

// TestComment: a comment takes nothing on, is changed by who wrote it for ten
// minutes, and pushes out nothing that others did.
func TestComment(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		l := newLife(t, s, org)
		l.save(tidemark.Triggered, tidemark.NoticeTrigger, 100)
		ctx, id := t.Context(), l.in.ID
		said := &tidemark.IncidentNote{At: 110, Text: " hm "}
		ok(t, s.CommentIncident(ctx, org, ann, id, said))
		if w := must(s.WatchedAlert(ctx, org, l.alert.ID))(t); w.State.AcknowledgedAt != 0 {
			t.Errorf("a comment takes the incident on: %+v", w.State)
		}
		change := func(by tidemark.Actor, at int64, text string) error {
			return s.ChangeComment(ctx, org, by, id, said.ID, &tidemark.IncidentNote{At: at, Text: text})
		}
		wantKind(t, "comment", tidemark.Forbidden, change(operator, 120, "other"))
		wantKind(t, "comment", tidemark.Invalid, change(ann, 711, "late"))
		wantKind(t, "comment", tidemark.Invalid, change(ann, 120, " "))
		ok(t, change(ann, 710, "aha"))
		ok(t, s.AcknowledgeAlert(ctx, org, ann, l.alert.ID, &tidemark.IncidentNote{At: 720}))
		notes := must(s.Incident(ctx, org, id))(t).Notes
		same(t, "comment", tidemark.IncidentNote{ID: said.ID, At: 110, Kind: tidemark.NoteComment, By: ann.String(), Text: "aha", EditedAt: 710}, notes[0])
		wantKind(t, "comment", tidemark.NotFound, s.ChangeComment(ctx, org, ann, id, notes[1].ID, &tidemark.IncidentNote{At: 720, Text: "not mine to change"}))
		for range tidemark.MaxIncidentComments - 1 {
			ok(t, s.CommentIncident(ctx, org, operator, id, &tidemark.IncidentNote{At: 730, Text: "again"}))
		}
		wantKind(t, "comment", tidemark.TooLarge, s.CommentIncident(ctx, org, operator, id, &tidemark.IncidentNote{At: 740, Text: "too much"}))
		if notes := must(s.Incident(ctx, org, id))(t).Notes; len(notes) != tidemark.MaxIncidentComments+1 || notes[1].Kind != tidemark.NoteAcknowledged {
			t.Errorf("%d notes, the second is %+v", len(notes), notes[1])
		}
	})
}
