package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

type noteRow struct {
	tidemark.IncidentNote
	incident int64
}

var noteColumns = columns[noteRow]{
	noun:  "note",
	names: `incident_id, id, at, kind, noted_by, note, edited_at`,
	dest:  func(v *noteRow) []any { return []any{&v.incident, &v.ID, &v.At, &v.Kind, &v.By, &v.Text, &v.EditedAt} },
}

func (s *Store) fillNotes(ctx context.Context, all []*tidemark.Incident) error {
	for chunk := range slices.Chunk(all, maxIn) {
		byID := make(map[int64]*tidemark.Incident, len(chunk))
		args := make([]any, len(chunk))
		for i, v := range chunk {
			byID[v.ID], args[i] = v, v.ID
		}
		for n, err := range each(ctx, s, s.db, noteColumns, `FROM incident_notes WHERE incident_id IN `+placeholders(len(chunk))+` ORDER BY incident_id, id`, args...) {
			if err != nil {
				return err
			}
			v := byID[n.incident]
			v.Notes = append(v.Notes, n.IncidentNote)
		}
	}
	return nil
}

// AcknowledgeAlert has somebody take on the open incident of one alert of org:
// from n.At on nobody is reminded of it. What is said of an incident that is
// acknowledged already is a comment. An alert that does not fire stays as it
// is.
func (s *Store) AcknowledgeAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, n *tidemark.IncidentNote) error {
	if err := n.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error { return s.acknowledge(ctx, tx, operation{org, by, "alert.acknowledge"}, id, 0, n) })
}

// AcknowledgeIncident is AcknowledgeAlert for one incident of org; one that is
// over stays as it is. It returns the incident as it was before.
func (s *Store) AcknowledgeIncident(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, n *tidemark.IncidentNote) (*tidemark.Incident, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	in, err := s.Incident(ctx, org, id)
	if err != nil || in.ClearedAt != nil {
		return in, err
	}
	return in, s.write(ctx, func(tx conn) error {
		return s.acknowledge(ctx, tx, operation{org, by, "alert.acknowledge"}, in.Alert, id, n)
	})
}

// acknowledge has somebody take on the open incident of an alert, if it is the
// given one; 0 is any.
func (s *Store) acknowledge(ctx context.Context, tx conn, want operation, id, incident int64, n *tidemark.IncidentNote) error {
	if err := s.lockAlert(ctx, tx, want.org, id); err != nil {
		return err
	}
	w, err := s.watched(ctx, tx, want.org, id)
	if err != nil || !w.State.Firing || w.Incident == nil || incident != 0 && incident != w.Incident.ID {
		return err
	}
	n.By, n.Kind = want.by.String(), tidemark.NoteComment
	switch {
	case w.State.AcknowledgedAt == 0:
		n.Kind = tidemark.NoteAcknowledged
		w.State.AcknowledgedAt, w.State.AcknowledgedBy = n.At, n.By
		if err := s.takeOn(ctx, tx, w, n.At); err != nil {
			return err
		}
	case n.Text == "":
		return nil // somebody was quicker, and there is nothing to add
	}
	if err := s.insertNote(ctx, tx, want.org, w.Incident.ID, n); err != nil {
		return err
	}
	return s.noteAlert(ctx, tx, want, id, fields{"text": n.Text})
}

// takeOn keeps with the state of w that its incident is acknowledged, and
// keeps what waits from being delivered.
func (s *Store) takeOn(ctx context.Context, tx conn, w *tidemark.WatchedAlert, now int64) error {
	if err := s.cancelRepeats(ctx, tx, w.Incident.ID, now); err != nil {
		return err
	}
	return s.rewriteState(ctx, tx, w)
}

// rewriteState writes the state of w, which is locked, as it is now.
func (s *Store) rewriteState(ctx context.Context, tx conn, w *tidemark.WatchedAlert) error {
	w.State.Revision++
	if err := s.writeState(ctx, tx, &tidemark.StateChange{Org: w.Org, Alert: w.Alert, State: w.State}); err != nil {
		return err
	}
	return s.bumpAlerts(ctx, tx, w.Org)
}

// ReopenAlert takes the acknowledgement of the open incident of one alert of
// org back: people are reminded of it again, and its escalation goes on. One
// that nobody acknowledged stays as it is.
func (s *Store) ReopenAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, now int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, org, id); err != nil {
			return err
		}
		w, err := s.watched(ctx, tx, org, id)
		if err != nil || w.State.AcknowledgedAt == 0 || w.Incident == nil {
			return err
		}
		w.State.AcknowledgedAt, w.State.AcknowledgedBy = 0, ""
		if err := s.rewriteState(ctx, tx, w); err != nil {
			return err
		}
		n := &tidemark.IncidentNote{At: now, Kind: tidemark.NoteReopened, By: by.String()}
		if err := s.insertNote(ctx, tx, org, w.Incident.ID, n); err != nil {
			return err
		}
		return s.noteAlert(ctx, tx, operation{org, by, "alert.reopen"}, id, nil)
	})
}

func (s *Store) insertNote(ctx context.Context, tx conn, org tidemark.OrgID, incident int64, n *tidemark.IncidentNote) error {
	err := insert(ctx, s, tx, &n.ID, `INSERT INTO incident_notes (org_id, incident_id, at, kind, noted_by, note) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		org, incident, n.At, n.Kind, n.By, n.Text)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, tx, `DELETE FROM incident_notes WHERE incident_id = ? AND id NOT IN (
		SELECT id FROM incident_notes WHERE incident_id = ? ORDER BY id DESC LIMIT ?)`, incident, incident, tidemark.MaxIncidentNotes)
	return err
}
