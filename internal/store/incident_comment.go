package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// CommentIncident adds what somebody says of one incident of org, open or over,
// and sets the id of n. It acknowledges nothing.
func (s *Store) CommentIncident(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, n *tidemark.IncidentNote) error {
	if err := n.ValidateComment(); err != nil {
		return err
	}
	n.By, n.Kind = by.String(), tidemark.NoteComment
	return s.write(ctx, func(tx conn) error {
		alert, err := s.lockIncident(ctx, tx, org, id)
		if err != nil {
			return err
		}
		if err := s.roomForComment(ctx, tx, id); err != nil {
			return err
		}
		if err := s.insertNote(ctx, tx, org, id, n); err != nil {
			return err
		}
		return s.noteAlert(ctx, tx, operation{org, by, "alert.comment"}, alert, fields{"text": n.Text})
	})
}

// ChangeComment replaces the text of a comment on one incident of org. Whoever
// wrote it may do so, for CommentEditTime.
func (s *Store) ChangeComment(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, comment int64, n *tidemark.IncidentNote) error {
	if err := n.ValidateComment(); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		alert, err := s.lockIncident(ctx, tx, org, id)
		if err != nil {
			return err
		}
		old, err := one(ctx, s, tx, noteColumns, `FROM incident_notes WHERE org_id = ? AND incident_id = ? AND id = ? AND kind = ?`,
			org, id, comment, tidemark.NoteComment)
		if err != nil {
			return err
		}
		switch {
		case old.By != by.String():
			return tidemark.Errorf(tidemark.Forbidden, "Only who wrote a comment may change it.")
		case n.At-old.At > int64(tidemark.CommentEditTime):
			return tidemark.Errorf(tidemark.Invalid, "A comment can be changed for %d minutes.", tidemark.CommentEditTime/60)
		case old.Text == n.Text:
			return nil
		}
		if _, err := s.exec(ctx, tx, `UPDATE incident_notes SET note = ?, edited_at = ? WHERE org_id = ? AND id = ?`, n.Text, n.At, org, comment); err != nil {
			return err
		}
		return s.noteAlert(ctx, tx, operation{org, by, "alert.comment"}, alert, fields{"text": n.Text, "before": old.Text})
	})
}

// lockIncident locks the alert of one incident of org, which it returns: what
// is counted stays so until the transaction ends.
func (s *Store) lockIncident(ctx context.Context, tx conn, org tidemark.OrgID, id int64) (int64, error) {
	alert, err := value[int64](ctx, s, tx, "incident", `SELECT alert_id FROM incidents WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return 0, err
	}
	return alert, s.lockAlert(ctx, tx, org, alert)
}

func (s *Store) roomForComment(ctx context.Context, tx conn, id int64) error {
	n, err := value[int64](ctx, s, tx, "incident", `SELECT COUNT(*) FROM incident_notes WHERE incident_id = ? AND kind = ?`, id, tidemark.NoteComment)
	if err != nil || n < tidemark.MaxIncidentComments {
		return err
	}
	return tidemark.Errorf(tidemark.TooLarge, "This incident has %d of %d comments.", n, tidemark.MaxIncidentComments)
}
