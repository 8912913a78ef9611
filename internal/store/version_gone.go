package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// deletions are the actions after which something is gone.
var deletions = []string{"alert.delete", "metric.delete", "space.delete"}

// maxDeleted is how many deleted things are listed, the latest first.
const maxDeleted = 100

// DeletedThings returns what of org was deleted and can be restored, but for
// charts, which come back with a version of their space.
func (s *Store) DeletedThings(ctx context.Context, org tidemark.OrgID) ([]*tidemark.DeletedThing, error) {
	type gone struct {
		tidemark.DeletedThing
		document map[string]any
	}
	cols := columns[gone]{
		noun:  "version",
		names: `v.kind, v.object, v.number, v.at, v.actor, v.document`,
		dest: func(v *gone) []any {
			return []any{&v.Kind, &v.ID, &v.Number, &v.At, &v.Actor, asJSON(&v.document)}
		},
	}
	found, err := many(ctx, s, s.db, cols, `FROM object_versions v WHERE v.org_id = ? AND v.action IN `+placeholders(len(deletions))+`
		AND v.number = (SELECT MAX(w.number) FROM object_versions w WHERE w.org_id = v.org_id AND w.kind = v.kind AND w.object = v.object)
		ORDER BY v.at DESC, v.kind, v.object LIMIT ?`, append(anys(org, deletions), maxDeleted)...)
	if err != nil {
		return nil, err
	}
	list := make([]*tidemark.DeletedThing, 0, len(found))
	for _, v := range found {
		v.Name, _ = v.document["name"].(string)
		list = append(list, &v.DeletedThing)
	}
	return list, nil
}

// PruneVersions forgets what was deleted before a time, in all organizations.
func (s *Store) PruneVersions(ctx context.Context, before int64) error {
	type gone struct {
		org tidemark.OrgID
		key tidemark.VersionKey
	}
	cols := columns[gone]{
		noun:  "version",
		names: `DISTINCT v.org_id, v.kind, v.object`,
		dest:  func(v *gone) []any { return []any{&v.org, &v.key.Kind, &v.key.ID} },
	}
	found, err := many(ctx, s, s.db, cols, `FROM object_versions v WHERE v.action IN `+placeholders(len(deletions))+` AND v.at < ?
		AND v.number = (SELECT MAX(w.number) FROM object_versions w WHERE w.org_id = v.org_id AND w.kind = v.kind AND w.object = v.object)`,
		append(anys(deletions[0], deletions[1:]), before)...)
	if err != nil {
		return err
	}
	for _, v := range found {
		if err := s.forgetThing(ctx, v.org, v.key); err != nil {
			return err
		}
	}
	return nil
}

// forgetThing forgets all versions of something that is gone, and those of the
// charts of a space.
func (s *Store) forgetThing(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey) error {
	return s.write(ctx, func(tx conn) error {
		_, err := s.exec(ctx, tx, `DELETE `+fromVersions, org, k.Kind, k.ID)
		if err == nil && k.Kind == tidemark.SpaceVersions {
			_, err = s.exec(ctx, tx, `DELETE FROM object_versions WHERE org_id = ? AND kind = ? AND space_id = ?`, org, tidemark.ChartVersions, k.Number())
		}
		return err
	})
}
