package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// Users returns everybody who can sign in, by e-mail address.
func (s *Store) Users(ctx context.Context) ([]*tidemark.User, error) {
	return many(ctx, s, s.db, userColumns, `FROM users ORDER BY email`)
}

// DeleteUser removes a person with memberships, sessions and links, unless
// they are the last admin of an organization: a Conflict that names it.
func (s *Store) DeleteUser(ctx context.Context, id int64) error {
	return s.write(ctx, func(tx conn) error {
		orgs, err := values[tidemark.OrgID](ctx, s, tx, `SELECT org_id FROM memberships WHERE user_id = ? ORDER BY org_id`, id)
		if err != nil {
			return err
		}
		for _, org := range orgs {
			if err := s.keepAdmin(ctx, tx, org, id, ""); err != nil {
				return tidemark.Errorf(tidemark.KindOf(err), "%v (organization %d)", err, org)
			}
		}
		return s.affect(ctx, tx, "user", `DELETE FROM users WHERE id = ?`, id)
	})
}
