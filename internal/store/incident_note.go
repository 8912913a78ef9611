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
	names: `incident_id, at, kind, noted_by, note`,
	dest:  func(v *noteRow) []any { return []any{&v.incident, &v.At, &v.Kind, &v.By, &v.Text} },
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
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, org, id); err != nil {
			return err
		}
		w, err := s.watched(ctx, tx, org, id)
		if err != nil || !w.State.Firing || w.Incident == nil {
			return err
		}
		n.By, n.Kind = by.String(), tidemark.NoteComment
		if w.State.AcknowledgedAt == 0 {
			n.Kind = tidemark.NoteAcknowledged
			if err := s.takeOn(ctx, tx, w, n.At); err != nil {
				return err
			}
		}
		if err := s.insertNote(ctx, tx, org, w.Incident.ID, n); err != nil {
			return err
		}
		return s.noteAlert(ctx, tx, wish{org, by, "alert.acknowledge"}, id, fields{"text": n.Text})
	})
}

// takeOn keeps with the state of w that its incident is acknowledged.
func (s *Store) takeOn(ctx context.Context, tx conn, w *tidemark.WatchedAlert, at int64) error {
	w.State.AcknowledgedAt = at
	w.State.Revision++
	if err := s.writeState(ctx, tx, &tidemark.StateChange{Org: w.Org, Alert: w.Alert, State: w.State}); err != nil {
		return err
	}
	return s.bumpAlerts(ctx, tx, w.Org)
}

func (s *Store) insertNote(ctx context.Context, tx conn, org tidemark.OrgID, incident int64, n *tidemark.IncidentNote) error {
	_, err := s.exec(ctx, tx, `INSERT INTO incident_notes (org_id, incident_id, at, kind, noted_by, note) VALUES (?, ?, ?, ?, ?, ?)`,
		org, incident, n.At, n.Kind, n.By, n.Text)
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, tx, `DELETE FROM incident_notes WHERE incident_id = ? AND id NOT IN (
		SELECT id FROM incident_notes WHERE incident_id = ? ORDER BY id DESC LIMIT ?)`, incident, incident, tidemark.MaxIncidentNotes)
	return err
}
