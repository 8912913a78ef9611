package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var savedQueryColumns = columns[tidemark.SavedQuery]{
	noun:  "query",
	names: `id, name, search, created_at, created_by`,
	dest: func(v *tidemark.SavedQuery) []any {
		return []any{&v.ID, &v.Name, &v.Search, &v.CreatedAt, &v.CreatedBy}
	},
	object: func(v *tidemark.SavedQuery) string { return named("query", v.ID, v.Name) },
	shown:  func(v *tidemark.SavedQuery) fields { return fieldsOf(v) },
}

// SavedQueries returns the queries that are kept in org, by name.
func (s *Store) SavedQueries(ctx context.Context, org tidemark.OrgID) ([]*tidemark.SavedQuery, error) {
	return many(ctx, s, s.db, savedQueryColumns, `FROM saved_queries WHERE org_id = ? ORDER BY name_key, id`, org)
}

// CreateSavedQuery adds v to org and sets its ID, time and owner.
func (s *Store) CreateSavedQuery(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.SavedQuery) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt, v.CreatedBy = s.now(), by.String()
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitSavedQueries); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO saved_queries (org_id, name, name_key, search, created_at, created_by)
			VALUES (?, ?, ?, ?, ?, ?) RETURNING id`, org, v.Name, key(v.Name), v.Search, v.CreatedAt, v.CreatedBy)
		if err != nil {
			return taken(err, "name")
		}
		return created(ctx, s, tx, operation{org, by, "query.create"}, savedQueryColumns, v)
	})
}

// DeleteSavedQuery removes one of the queries that are kept in org.
func (s *Store) DeleteSavedQuery(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "query.delete"}, savedQueryColumns, `FROM saved_queries WHERE org_id = ? AND id = ?`, org, id)
	})
}
