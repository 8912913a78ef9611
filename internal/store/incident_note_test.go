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
			{At: 110, Kind: tidemark.NoteAcknowledged, By: "user:ann@example.org", Text: "on it"},
			{At: 120, Kind: tidemark.NoteComment, By: operator.String(), Text: "disk is full"},
		}
		same(t, "notes", want, found[0].Notes)
	})
}
