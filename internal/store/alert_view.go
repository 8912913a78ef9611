package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var alertViewColumns = columns[tidemark.AlertView]{
	noun:  "view",
	names: `id, name, user_id IS NULL, filter, created_at, created_by`,
	dest: func(v *tidemark.AlertView) []any {
		return []any{&v.ID, &v.Name, &v.Shared, asJSON(&v.Filter), &v.CreatedAt, &v.CreatedBy}
	},
	object: func(v *tidemark.AlertView) string { return named("view", v.ID, v.Name) },
	shown:  func(v *tidemark.AlertView) fields { return fieldsOf(v) },
}

// AlertViews returns the views of org's alerts that a user sees: everybody's,
// then their own, by name.
func (s *Store) AlertViews(ctx context.Context, org tidemark.OrgID, user int64) ([]*tidemark.AlertView, error) {
	return many(ctx, s, s.db, alertViewColumns, `FROM alert_views
		WHERE org_id = ? AND (user_id IS NULL OR user_id = ?) ORDER BY user_id IS NULL DESC, name_key, id`, org, user)
}

// CreateAlertView adds v to the views of a user, or of Everybody in org, and
// sets its ID and time.
func (s *Store) CreateAlertView(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user int64, v *tidemark.AlertView) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt, v.CreatedBy, v.Shared = s.now(), by.String(), user == tidemark.Everybody
	owner := &user
	if v.Shared {
		owner = nil
	}
	return s.write(ctx, func(tx conn) error {
		if err := s.roomForView(ctx, tx, org, user); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO alert_views (org_id, user_id, name, name_key, filter, created_at, created_by)
			VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`, org, owner, v.Name, key(v.Name), asJSON(&v.Filter), v.CreatedAt, v.CreatedBy)
		if err != nil {
			return taken(err, "name")
		}
		if !v.Shared {
			return nil // what people keep for themselves is nobody else's business
		}
		return created(ctx, s, tx, operation{org, by, "view.create"}, alertViewColumns, v)
	})
}

// ofOwner are the views of a user, or of Everybody.
const ofOwner = `FROM alert_views WHERE org_id = ? AND COALESCE(user_id, 0) = ?`

// roomForView refuses one more view where there are as many as there may be.
func (s *Store) roomForView(ctx context.Context, tx conn, org tidemark.OrgID, user int64) error {
	n, err := value[int](ctx, s, tx, "organization", `SELECT COUNT(*) `+ofOwner, org, user)
	if err != nil || n < tidemark.MaxAlertViews {
		return err
	}
	return tidemark.Errorf(tidemark.TooLarge, "There are %d views already. Delete one first.", n)
}

// DeleteAlertView removes one of the views of a user, or of Everybody in org.
func (s *Store) DeleteAlertView(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user, id int64) error {
	const from = ofOwner + ` AND id = ?`
	return s.write(ctx, func(tx conn) error {
		if user != tidemark.Everybody {
			return s.affect(ctx, tx, "view", `DELETE `+from, org, user, id)
		}
		return remove(ctx, s, tx, operation{org, by, "view.delete"}, alertViewColumns, from, org, user, id)
	})
}
