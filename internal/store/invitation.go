package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var invitationColumns = columns[tidemark.Invitation]{
	noun:  "invitation",
	names: `i.id, i.org_id, o.name, i.email, i.role, i.mailed, i.created_at, i.created_by, i.expires_at`,
	dest: func(v *tidemark.Invitation) []any {
		return []any{&v.ID, &v.Org, &v.OrgName, &v.Email, &v.Role, &v.Mailed, &v.CreatedAt, &v.CreatedBy, &v.ExpiresAt}
	},
}

const fromInvitations = `FROM invitations i JOIN orgs o ON o.id = i.org_id `

// Invitations returns the invitations of org that work at now, by address.
func (s *Store) Invitations(ctx context.Context, org tidemark.OrgID, now int64) ([]*tidemark.Invitation, error) {
	return many(ctx, s, s.db, invitationColumns, fromInvitations+`WHERE i.org_id = ? AND i.expires_at > ? ORDER BY i.email`, org, now)
}

// Invitation returns the invitation whose link's key has the given hash, if it
// works at now.
func (s *Store) Invitation(ctx context.Context, hash string, now int64) (*tidemark.Invitation, error) {
	return one(ctx, s, s.db, invitationColumns, fromInvitations+`WHERE i.hash = ? AND i.expires_at > ?`, hash, now)
}

// InvitationFor returns the hash of the oldest invitation of an address that
// works at now, or "".
func (s *Store) InvitationFor(ctx context.Context, email string, now int64) (string, error) {
	found, err := values[string](ctx, s, s.db, `SELECT hash FROM invitations WHERE email = ? AND expires_at > ? ORDER BY created_at, id LIMIT 1`, email, now)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// CreateInvitation invites somebody into org, and sets v's ID. An address that
// belongs to a member, or is invited already, is a Conflict.
func (s *Store) CreateInvitation(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Invitation, hash string) error {
	v.CreatedBy = by.String()
	if err := v.Validate(); err != nil {
		return err
	}
	v.Org = org
	return s.write(ctx, func(tx conn) error {
		if err := s.checkInvitable(ctx, tx, v); err != nil {
			return err
		}
		if err := s.room(ctx, tx, org, tidemark.LimitMembers); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO invitations (org_id, hash, email, role, mailed, created_at, created_by, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			RETURNING id`,
			org, hash, v.Email, v.Role, v.Mailed, v.CreatedAt, v.CreatedBy, v.ExpiresAt)
		if err != nil {
			return taken(err, "email")
		}
		return s.invitationChanged(ctx, tx, by, "member.invite", v)
	})
}

// checkInvitable also forgets an invitation of the address that is over.
func (s *Store) checkInvitable(ctx context.Context, tx conn, v *tidemark.Invitation) error {
	members, err := values[int64](ctx, s, tx,
		`SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = ? AND u.email = ?`, v.Org, v.Email)
	if err != nil {
		return err
	}
	if len(members) > 0 {
		return conflictField("email", "is a member already")
	}
	if _, err := s.exec(ctx, tx, `DELETE FROM invitations WHERE org_id = ? AND email = ? AND expires_at <= ?`, v.Org, v.Email, v.CreatedAt); err != nil {
		return err
	}
	invited, err := values[int64](ctx, s, tx, `SELECT id FROM invitations WHERE org_id = ? AND email = ?`, v.Org, v.Email)
	if err == nil && len(invited) > 0 {
		err = conflictField("email", "is invited already")
	}
	return err
}

func conflictField(field, msg string) error {
	return &tidemark.Error{Kind: tidemark.Conflict, Msg: msg, Fields: map[string][]string{field: {msg}}}
}

// RenewInvitation gives an invitation of org another link; the one before
// works no longer.
func (s *Store) RenewInvitation(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, hash string, mailed bool, expiresAt int64) (v *tidemark.Invitation, err error) {
	err = s.write(ctx, func(tx conn) error {
		if err := s.affect(ctx, tx, "invitation", `UPDATE invitations SET hash = ?, mailed = ?, expires_at = ? WHERE org_id = ? AND id = ?`,
			hash, mailed, expiresAt, org, id); err != nil {
			return err
		}
		v, err = one(ctx, s, tx, invitationColumns, fromInvitations+`WHERE i.org_id = ? AND i.id = ?`, org, id)
		if err != nil {
			return err
		}
		return s.invitationChanged(ctx, tx, by, "member.reinvite", v)
	})
	return v, err
}

// DeleteInvitation takes an invitation of org back.
func (s *Store) DeleteInvitation(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, invitationColumns, fromInvitations+`WHERE i.org_id = ? AND i.id = ?`, org, id)
		if err != nil {
			return err
		}
		if err := s.affect(ctx, tx, "invitation", `DELETE FROM invitations WHERE org_id = ? AND id = ?`, org, id); err != nil {
			return err
		}
		return s.invitationChanged(ctx, tx, by, "member.uninvite", v)
	})
}

func (s *Store) invitationChanged(ctx context.Context, tx conn, by tidemark.Actor, action string, v *tidemark.Invitation) error {
	return s.note(ctx, tx, operation{v.Org, by, action}, personObject(v.Email), map[string]any{"role": string(v.Role)})
}

// AcceptInvitation uses up an invitation that works at now: u, who is made if
// there is no ID yet, becomes a member. A new one is verified if u says so. Anyone who is one already stays what they
// are.
func (s *Store) AcceptInvitation(ctx context.Context, by tidemark.Actor, hash string, now int64, u *tidemark.User) (v *tidemark.Invitation, err error) {
	isNew, vouched := u.ID == 0, u.Verified
	err = s.write(ctx, func(tx conn) error {
		v, err = one(ctx, s, tx, invitationColumns, fromInvitations+`WHERE i.hash = ? AND i.expires_at > ?`, hash, now)
		if err != nil {
			return err
		}
		// Of two who accept at once, one finds it gone.
		if err := s.affect(ctx, tx, "invitation", `DELETE FROM invitations WHERE id = ? AND hash = ?`, v.ID, hash); err != nil {
			return err
		}
		if isNew {
			u.Email, u.Verified = v.Email, vouched || v.Mailed
			if err := u.Validate(); err != nil {
				return err
			}
			if err := s.createUser(ctx, tx, u); err != nil {
				return err
			}
		}
		if err := s.join(ctx, tx, v, u.ID); err != nil {
			return err
		}
		return s.invitationChanged(ctx, tx, tidemark.PersonActor(v.Email, by.Address), "member.join", v)
	})
	return v, err
}

func (s *Store) join(ctx context.Context, tx conn, v *tidemark.Invitation, user int64) error {
	if v.Mailed { // and so whoever accepts it reads the mail of this address
		if err := s.affect(ctx, tx, "user", `UPDATE users SET verified = ? WHERE id = ?`, true, user); err != nil {
			return err
		}
	}
	members, err := values[int64](ctx, s, tx, `SELECT user_id FROM memberships WHERE org_id = ? AND user_id = ?`, v.Org, user)
	if err != nil || len(members) > 0 {
		return err
	}
	_, err = s.exec(ctx, tx, `INSERT INTO memberships (org_id, user_id, role, created_at) VALUES (?, ?, ?, ?)`, v.Org, user, v.Role, s.now())
	return err
}
