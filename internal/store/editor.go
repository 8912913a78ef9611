package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var editorColumns = columns[tidemark.Editor]{
	noun:  "editor",
	names: `editor, name`,
	dest:  func(v *tidemark.Editor) []any { return []any{&v.Key, &v.Name} },
}

// Editing notes that somebody has an editor of a thing of org open, until a
// time unless they say so again.
func (s *Store) Editing(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey, v tidemark.Editor, until int64) error {
	_, err := s.exec(ctx, s.writer, `
		INSERT INTO editors (org_id, kind, object, editor, name, until) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (org_id, kind, object, editor) DO UPDATE SET until = excluded.until`,
		org, k.Kind, k.ID, v.Key, v.Name, until)
	return err
}

// StopEditing notes that an editor was closed.
func (s *Store) StopEditing(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey, editor string) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM editors WHERE org_id = ? AND kind = ? AND object = ? AND editor = ?`, org, k.Kind, k.ID, editor)
	return err
}

// Editors returns who has an editor of a thing of org open at now.
func (s *Store) Editors(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey, now int64) ([]*tidemark.Editor, error) {
	return many(ctx, s, s.db, editorColumns, `FROM editors WHERE org_id = ? AND kind = ? AND object = ? AND until > ? ORDER BY name, editor`,
		org, k.Kind, k.ID, now)
}
