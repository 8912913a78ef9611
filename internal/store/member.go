package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var memberColumns = columns[tidemark.Membership]{
	noun: "member",
	names: `m.org_id, m.user_id, m.role, u.email, u.name, o.name, m.created_at, o.second_factor, u.operator,
		(EXISTS (SELECT 1 FROM totp t WHERE t.user_id = m.user_id AND t.confirmed_at > 0) OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = m.user_id))`,
	dest: func(v *tidemark.Membership) []any {
		return []any{&v.Org, &v.User, &v.Role, &v.Email, &v.Name, &v.OrgName, &v.CreatedAt, &v.Demanded, &v.Operator, &v.SecondFactor}
	},
}

const fromMembers = `FROM memberships m JOIN users u ON u.id = m.user_id JOIN orgs o ON o.id = m.org_id `

// AddMember makes a user a member of org.
func (s *Store) AddMember(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user int64, role tidemark.Role) (*tidemark.Membership, error) {
	if err := checkMemberRole(role); err != nil {
		return nil, err
	}
	var v *tidemark.Membership
	err := s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitMembers); err != nil {
			return err
		}
		u, err := one(ctx, s, tx, userColumns, `FROM users WHERE id = ?`, user)
		if err != nil {
			return err
		}
		if err := s.addMember(ctx, tx, operation{org, by, "member.add"}, u, role); err != nil {
			return err
		}
		v, err = s.membership(ctx, tx, org, user)
		return err
	})
	return v, err
}

func (s *Store) addMember(ctx context.Context, tx conn, w operation, u *tidemark.User, role tidemark.Role) error {
	_, err := s.exec(ctx, tx, `INSERT INTO memberships (org_id, user_id, role, created_at) VALUES (?, ?, ?, ?)`, w.org, u.ID, role, s.now())
	if err != nil {
		return taken(err, "email")
	}
	return s.noteRole(ctx, tx, w, u.Email, "", role)
}

// noteRole notes that a person's role became another; "" is none.
func (s *Store) noteRole(ctx context.Context, tx conn, w operation, email string, was, is tidemark.Role) error {
	e := w.entry(personObject(email))
	if was != "" {
		e.Before = map[string]any{"role": string(was)}
	}
	if is != "" {
		e.After, e.Detail = map[string]any{"role": string(is)}, map[string]any{"role": string(is)}
	}
	return s.addAudit(ctx, tx, e)
}

func checkMemberRole(role tidemark.Role) error {
	if !role.IsMemberRole() {
		return tidemark.InvalidField("role", "must be admin, member or viewer")
	}
	return nil
}

// Members returns all members of org, by e-mail address.
func (s *Store) Members(ctx context.Context, org tidemark.OrgID) ([]*tidemark.Membership, error) {
	return many(ctx, s, s.db, memberColumns, fromMembers+`WHERE m.org_id = ? ORDER BY u.email`, org)
}

// Membership returns one member of org.
func (s *Store) Membership(ctx context.Context, org tidemark.OrgID, user int64) (*tidemark.Membership, error) {
	return s.membership(ctx, s.db, org, user)
}

func (s *Store) membership(ctx context.Context, q conn, org tidemark.OrgID, user int64) (*tidemark.Membership, error) {
	return one(ctx, s, q, memberColumns, fromMembers+`WHERE m.org_id = ? AND m.user_id = ?`, org, user)
}

// MembershipsOf returns a user's places, by organization.
func (s *Store) MembershipsOf(ctx context.Context, user int64) ([]*tidemark.Membership, error) {
	return many(ctx, s, s.db, memberColumns, fromMembers+`WHERE m.user_id = ? ORDER BY o.name_key`, user)
}

// SetMemberRole changes the role of one member of org. The last admin stays
// one: a Conflict.
func (s *Store) SetMemberRole(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user int64, role tidemark.Role) error {
	if err := checkMemberRole(role); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		return s.setMemberRole(ctx, tx, operation{org, by, "member.update"}, user, role)
	})
}

func (s *Store) setMemberRole(ctx context.Context, tx conn, w operation, user int64, role tidemark.Role) error {
	if err := s.keepAdmin(ctx, tx, w.org, user, role); err != nil {
		return err
	}
	m, err := s.membership(ctx, tx, w.org, user)
	if err != nil {
		return err
	}
	if err := s.affect(ctx, tx, "member", `UPDATE memberships SET role = ? WHERE org_id = ? AND user_id = ?`, role, w.org, user); err != nil {
		return err
	}
	return s.noteRole(ctx, tx, w, m.Email, m.Role, role)
}

// RemoveMember removes one member of org, unless it is the last admin: a
// Conflict. The user remains, but their devices are notified no longer.
func (s *Store) RemoveMember(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.keepAdmin(ctx, tx, org, user, ""); err != nil {
			return err
		}
		m, err := s.membership(ctx, tx, org, user)
		if err != nil {
			return err
		}
		if err := s.affect(ctx, tx, "member", `DELETE FROM memberships WHERE org_id = ? AND user_id = ?`, org, user); err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `DELETE FROM services WHERE org_id = ? AND user_id = ?`, org, user); err != nil {
			return err
		}
		return s.noteRole(ctx, tx, operation{org, by, "member.remove"}, m.Email, m.Role, "")
	})
}

// keepAdmin refuses to leave org without an admin. It locks the admins, so
// that two of them cannot demote each other at the same time.
func (s *Store) keepAdmin(ctx context.Context, tx conn, org tidemark.OrgID, user int64, role tidemark.Role) error {
	admins, err := values[int64](ctx, s, tx,
		`SELECT user_id FROM memberships WHERE org_id = ? AND role = ? ORDER BY user_id`+s.dialect.forUpdate, org, tidemark.FullAccess)
	if err != nil {
		return err
	}
	if role != tidemark.FullAccess && len(admins) == 1 && admins[0] == user {
		return tidemark.Errorf(tidemark.Conflict, "the last admin of an organization stays one")
	}
	return nil
}
