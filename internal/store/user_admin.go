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
func (s *Store) DeleteUser(ctx context.Context, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		u, err := one(ctx, s, tx, userColumns, `FROM users WHERE id = ?`, id)
		if err != nil {
			return err
		}
		orgs, err := values[tidemark.OrgID](ctx, s, tx, `SELECT org_id FROM memberships WHERE user_id = ? ORDER BY org_id`, id)
		if err != nil {
			return err
		}
		for _, org := range orgs {
			if err := s.leave(ctx, tx, org, by, id); err != nil {
				return err
			}
		}
		if err := s.affect(ctx, tx, "user", `DELETE FROM users WHERE id = ?`, id); err != nil {
			return err
		}
		return s.note(ctx, tx, operation{by: by, action: "user.delete"}, named("user", id, u.Email), nil)
	})
}

// leave notes in an organization's log that a person leaves it, unless it
// would be left without an admin.
func (s *Store) leave(ctx context.Context, tx conn, org tidemark.OrgID, by tidemark.Actor, user int64) error {
	if err := s.keepAdmin(ctx, tx, org, user, ""); err != nil {
		return tidemark.Errorf(tidemark.KindOf(err), "%v (organization %d)", err, org)
	}
	m, err := s.membership(ctx, tx, org, user)
	if err != nil {
		return err
	}
	return s.noteRole(ctx, tx, operation{org, by, "member.remove"}, m.Email, m.Role, "")
}

// SetOperator says whether a person is an operator of the server. Nothing
// changes for one who is already.
func (s *Store) SetOperator(ctx context.Context, by tidemark.Actor, id int64, on bool) error {
	return s.write(ctx, func(tx conn) error {
		u, err := one(ctx, s, tx, userColumns, `FROM users WHERE id = ?`+s.dialect.forUpdate, id)
		if err != nil || u.Operator == on {
			return err
		}
		if _, err := s.exec(ctx, tx, `UPDATE users SET operator = ? WHERE id = ?`, on, id); err != nil {
			return err
		}
		action := "operator.revoke"
		if on {
			action = "operator.grant"
		}
		return s.note(ctx, tx, operation{by: by, action: action}, personObject(u.Email), nil)
	})
}
