package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var tagDropColumns = columns[tidemark.TagDrop]{
	noun:  "dropped tag",
	names: `id, metric, tag, created_at, created_by`,
	dest: func(v *tidemark.TagDrop) []any {
		return []any{&v.ID, &v.Metric, &v.Tag, &v.CreatedAt, &v.CreatedBy}
	},
	object: func(v *tidemark.TagDrop) string { return named("dropped tag", v.ID, v.Tag+" of "+v.Metric) },
	shown:  func(v *tidemark.TagDrop) fields { return fieldsOf(v) },
}

// TagDrops returns the tags that are left out of what org records.
func (s *Store) TagDrops(ctx context.Context, org tidemark.OrgID) ([]*tidemark.TagDrop, error) {
	return many(ctx, s, s.db, tagDropColumns, `FROM tag_drops WHERE org_id = ? ORDER BY metric, tag`, org)
}

// CreateTagDrop adds v to org and sets its ID, time and author. Recorders learn
// of it as they do of metrics.
func (s *Store) CreateTagDrop(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.TagDrop) error {
	v.Normalize()
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt, v.CreatedBy = s.now(), by.String()
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitTagDrops); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO tag_drops (org_id, metric, tag, created_at, created_by)
			VALUES (?, ?, ?, ?, ?) RETURNING id`, org, v.Metric, v.Tag, v.CreatedAt, v.CreatedBy)
		if err != nil {
			return taken(err, "tag")
		}
		if err := s.bump(ctx, tx, metricsTopic); err != nil {
			return err
		}
		return created(ctx, s, tx, operation{org, by, "tag_drop.create"}, tagDropColumns, v)
	})
}

// DeleteTagDrop makes org record a tag again.
func (s *Store) DeleteTagDrop(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.bump(ctx, tx, metricsTopic); err != nil {
			return err
		}
		return remove(ctx, s, tx, operation{org, by, "tag_drop.delete"}, tagDropColumns, `FROM tag_drops WHERE org_id = ? AND id = ?`, org, id)
	})
}
