package store

import (
	"context"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

var userColumns = columns[tidemark.User]{
	noun:  "user",
	names: `id, email, name, password_hash, verified, operator, created_at`,
	dest: func(v *tidemark.User) []any {
		return []any{&v.ID, &v.Email, &v.Name, &v.PasswordHash, &v.Verified, &v.Operator, &v.CreatedAt}
	},
}

// CreateUser adds a user, who belongs to no organization yet, and sets v's ID
// and CreatedAt.
func (s *Store) CreateUser(ctx context.Context, by tidemark.Actor, v *tidemark.User) error {
	if err := v.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		if err := s.createUser(ctx, tx, v); err != nil {
			return err
		}
		return s.note(ctx, tx, operation{by: by, action: "user.create"}, personObject(v.Email), nil)
	})
}

// AddPerson makes u a member of org: the one with u's e-mail address, if there
// is one, who keeps their password, or else a new person. It sets u to what
// they are then. A member already is a Conflict.
func (s *Store) AddPerson(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, u *tidemark.User, role tidemark.Role) error {
	if err := checkMemberRole(role); err != nil {
		return err
	}
	fresh := *u
	return s.write(ctx, func(tx conn) error {
		*u = fresh
		found, err := one(ctx, s, tx, userColumns, `FROM users WHERE email = ?`, strings.ToLower(u.Email))
		switch {
		case err == nil:
			*u = *found
		case tidemark.KindOf(err) != tidemark.NotFound:
			return err
		default:
			if err := u.Validate(); err != nil {
				return err
			}
			if err := s.createUser(ctx, tx, u); err != nil {
				return err
			}
		}
		return s.addMember(ctx, tx, operation{org, by, "member.add"}, u, role)
	})
}

// Admit lets in a person whom the issuer vouches for, as a member of org with
// a role. It makes their account if u has no ID yet, and makes one that
// somebody else may have made theirs alone. The last admin stays one, whatever
// the role.
func (s *Store) Admit(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, u *tidemark.User, role tidemark.Role) error {
	isNew := u.ID == 0
	if err := u.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		switch {
		case isNew:
			if err := s.createUser(ctx, tx, u); err != nil {
				return err
			}
		case !u.Verified:
			if err := s.claimUser(ctx, tx, operation{org, by, "user.claim"}, u); err != nil {
				return err
			}
		}
		had, err := values[tidemark.Role](ctx, s, tx, `SELECT role FROM memberships WHERE org_id = ? AND user_id = ?`, org, u.ID)
		switch {
		case err != nil:
			return err
		case len(had) == 0:
			return s.addMember(ctx, tx, operation{org, by, "member.add"}, u, role)
		case had[0] == role:
			return nil
		}
		err = s.setMemberRole(ctx, tx, operation{org, by, "member.update"}, u.ID, role)
		if err != nil && tidemark.KindOf(err) == tidemark.Conflict {
			return nil
		}
		return err
	})
}

func (s *Store) createUser(ctx context.Context, q conn, v *tidemark.User) error {
	v.CreatedAt = s.now()
	return taken(insert(ctx, s, q, &v.ID, `
		INSERT INTO users (email, name, password_hash, verified, operator, created_at)
		VALUES (?, ?, ?, ?, ?, ?)
		RETURNING id`,
		v.Email, v.Name, v.PasswordHash, v.Verified, v.Operator, v.CreatedAt), "email")
}

// User returns one user.
func (s *Store) User(ctx context.Context, id int64) (*tidemark.User, error) {
	return one(ctx, s, s.db, userColumns, `FROM users WHERE id = ?`, id)
}

// UserByEmail returns the user with an e-mail address, whatever its case.
func (s *Store) UserByEmail(ctx context.Context, email string) (*tidemark.User, error) {
	return one(ctx, s, s.db, userColumns, `FROM users WHERE email = ?`, strings.ToLower(email))
}

// SetPassword replaces the hash of a user's password. Links by which it could
// be chosen again work no longer, and all sessions end but the one to keep.
func (s *Store) SetPassword(ctx context.Context, by tidemark.Actor, id int64, hash string, keep int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.setPassword(ctx, tx, id, hash, keep); err != nil {
			return err
		}
		return s.noteUser(ctx, tx, operation{by: by, action: "password.change"}, id, nil)
	})
}

func (s *Store) setPassword(ctx context.Context, tx conn, id int64, hash string, keep int64) error {
	if err := s.affect(ctx, tx, "user", `UPDATE users SET password_hash = ? WHERE id = ?`, hash, id); err != nil {
		return err
	}
	if _, err := s.exec(ctx, tx, `DELETE FROM one_time_keys WHERE kind = ? AND user_id = ?`, tidemark.ResetKey, id); err != nil {
		return err
	}
	if err := s.forgetBrowsers(ctx, tx, id); err != nil {
		return err
	}
	_, err := s.exec(ctx, tx, `DELETE FROM sessions WHERE user_id = ? AND id <> ?`, id, keep)
	return err
}

// ResetPassword uses a reset key that works at now: it is SetPassword of the
// user whose key it is, and who therefore reads the mail of their address.
func (s *Store) ResetPassword(ctx context.Context, by tidemark.Actor, key string, now int64, hash string) error {
	return s.write(ctx, func(tx conn) error {
		k, err := s.takeKey(ctx, tx, tidemark.ResetKey, key, now)
		if err != nil {
			return err
		}
		if err := s.verify(ctx, tx, k.User, hash); err != nil {
			return err
		}
		u, err := one(ctx, s, tx, userColumns, `FROM users WHERE id = ?`, k.User)
		if err != nil {
			return err
		}
		return s.noteUser(ctx, tx, operation{by: tidemark.PersonActor(u.Email, by.Address), action: "password.reset"}, u.ID, nil)
	})
}

// noteUser adds to the audit logs that w was done to a person.
func (s *Store) noteUser(ctx context.Context, tx conn, w operation, id int64, detail map[string]any) error {
	email, err := value[string](ctx, s, tx, "user", `SELECT email FROM users WHERE id = ?`, id)
	if err != nil {
		return err
	}
	return s.notePerson(ctx, tx, w, id, &tidemark.AuditEntry{Object: personObject(email), Detail: detail})
}

func personObject(email string) string { return "user " + email }

// ClaimUser gives an account to the one whose address it is, as org's issuer
// vouches. It may have been made by somebody else, who must not share it:
// its password, its links and its sessions work no longer.
func (s *Store) ClaimUser(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.User) error {
	return s.write(ctx, func(tx conn) error { return s.claimUser(ctx, tx, operation{org, by, "user.claim"}, v) })
}

func (s *Store) claimUser(ctx context.Context, tx conn, w operation, v *tidemark.User) error {
	if err := s.verify(ctx, tx, v.ID, ""); err != nil {
		return err
	}
	return s.note(ctx, tx, w, personObject(v.Email), nil)
}

// verify gives an account to the user who proved that its address is theirs. What
// somebody else may have made of it before does not keep them out.
func (s *Store) verify(ctx context.Context, tx conn, id int64, hash string) error {
	before, err := value[bool](ctx, s, tx, "user", `SELECT verified FROM users WHERE id = ?`, id)
	if err != nil {
		return err
	}
	if !before {
		if err := s.dropFactors(ctx, tx, id); err != nil {
			return err
		}
	}
	if err := s.setPassword(ctx, tx, id, hash, 0); err != nil {
		return err
	}
	return s.affect(ctx, tx, "user", `UPDATE users SET verified = ? WHERE id = ?`, true, id)
}

// Profile is what a person changes of their own account.
type Profile struct {
	Name         tidemark.Opt[string]
	PasswordHash string // "" for the one they have
	Keep         int64  // the session that goes on when the password changes
}

// ChangeProfile changes a user's name, password or both, or nothing of it. A
// change of the password is SetPassword.
func (s *Store) ChangeProfile(ctx context.Context, by tidemark.Actor, id int64, p Profile) error {
	return s.write(ctx, func(tx conn) error {
		if p.PasswordHash != "" {
			if err := s.setPassword(ctx, tx, id, p.PasswordHash, p.Keep); err != nil {
				return err
			}
			if err := s.noteUser(ctx, tx, operation{by: by, action: "password.change"}, id, nil); err != nil {
				return err
			}
		}
		if p.Name.Set {
			return s.setUserName(ctx, tx, by, id, p.Name.V)
		}
		return nil
	})
}

func (s *Store) setUserName(ctx context.Context, tx conn, by tidemark.Actor, id int64, name string) error {
	v, err := one(ctx, s, tx, userColumns, `FROM users WHERE id = ?`+s.dialect.forUpdate, id)
	if err != nil {
		return err
	}
	old := v.Name
	v.Name = name
	if err := v.Validate(); err != nil {
		return err
	}
	if _, err := s.exec(ctx, tx, `UPDATE users SET name = ? WHERE id = ?`, v.Name, id); err != nil || old == name {
		return err
	}
	e := &tidemark.AuditEntry{Object: personObject(v.Email), Before: map[string]any{"name": old}, After: map[string]any{"name": name}}
	return s.notePerson(ctx, tx, operation{by: by, action: "user.update"}, id, e)
}

// maxOperators is how many operators are notified of something.
const maxOperators = 50

// Operators returns the people who look after the server and of whom it is
// known that they read what is sent to their address.
func (s *Store) Operators(ctx context.Context) ([]*tidemark.User, error) {
	return many(ctx, s, s.db, userColumns, `FROM users WHERE operator = ? AND verified = ? ORDER BY id LIMIT ?`, true, true, maxOperators)
}

// HasUsers reports whether anybody can sign in.
func (s *Store) HasUsers(ctx context.Context) (bool, error) {
	return s.hasUsers(ctx, s.db)
}

func (s *Store) hasUsers(ctx context.Context, q conn) (bool, error) {
	found, err := values[int64](ctx, s, q, `SELECT id FROM users LIMIT 1`)
	return len(found) > 0, err
}
