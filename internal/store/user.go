package store

import (
	"context"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

var userColumns = columns[tidemark.User]{
	noun:  "user",
	names: `id, email, name, password_hash, verified, created_at`,
	dest: func(v *tidemark.User) []any {
		return []any{&v.ID, &v.Email, &v.Name, &v.PasswordHash, &v.Verified, &v.CreatedAt}
	},
}

// CreateUser adds a user, who belongs to no organization yet, and sets v's ID
// and CreatedAt.
func (s *Store) CreateUser(ctx context.Context, v *tidemark.User) error {
	if err := v.Validate(); err != nil {
		return err
	}
	return s.createUser(ctx, s.writer, v)
}

func (s *Store) createUser(ctx context.Context, q conn, v *tidemark.User) error {
	v.CreatedAt = s.now()
	return taken(insert(ctx, s, q, &v.ID, `
		INSERT INTO users (email, name, password_hash, verified, created_at)
		VALUES (?, ?, ?, ?, ?)
		RETURNING id`,
		v.Email, v.Name, v.PasswordHash, v.Verified, v.CreatedAt), "email")
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
// be chosen anew work no longer, and all sessions end but the one to keep.
func (s *Store) SetPassword(ctx context.Context, id int64, hash string, keep int64) error {
	return s.write(ctx, func(tx conn) error { return s.setPassword(ctx, tx, id, hash, keep) })
}

func (s *Store) setPassword(ctx context.Context, tx conn, id int64, hash string, keep int64) error {
	if err := s.affect(ctx, tx, "user", `UPDATE users SET password_hash = ? WHERE id = ?`, hash, id); err != nil {
		return err
	}
	if _, err := s.exec(ctx, tx, `DELETE FROM one_time_keys WHERE kind = ? AND user_id = ?`, tidemark.ResetKey, id); err != nil {
		return err
	}
	_, err := s.exec(ctx, tx, `DELETE FROM sessions WHERE user_id = ? AND id <> ?`, id, keep)
	return err
}

// ResetPassword uses a reset key that works at now: it is SetPassword of the
// user whose key it is, and who therefore reads the mail of their address.
func (s *Store) ResetPassword(ctx context.Context, key string, now int64, hash string) error {
	return s.write(ctx, func(tx conn) error {
		k, err := s.takeKey(ctx, tx, tidemark.ResetKey, key, now)
		if err != nil {
			return err
		}
		return s.verify(ctx, tx, k.User, hash)
	})
}

// ClaimUser gives an account to the one whose address it is, as org's issuer
// vouches. It may have been made by somebody else, who must not share it:
// its password, its links and its sessions work no longer.
func (s *Store) ClaimUser(ctx context.Context, org tidemark.OrgID, v *tidemark.User) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.verify(ctx, tx, v.ID, ""); err != nil {
			return err
		}
		return s.addAudit(ctx, tx, org, &tidemark.AuditEntry{Actor: "user:" + v.Email, Action: "user.claim", Object: "user " + v.Email})
	})
}

func (s *Store) verify(ctx context.Context, tx conn, id int64, hash string) error {
	if err := s.setPassword(ctx, tx, id, hash, 0); err != nil {
		return err
	}
	return s.affect(ctx, tx, "user", `UPDATE users SET verified = ? WHERE id = ?`, true, id)
}

// SetUserName replaces a user's name.
func (s *Store) SetUserName(ctx context.Context, id int64, name string) error {
	_, err := edit(ctx, s, userColumns, `FROM users WHERE id = ?`, []any{id},
		func(v *tidemark.User) { v.Name = name },
		func(tx conn, v *tidemark.User) error {
			_, err := s.exec(ctx, tx, `UPDATE users SET name = ? WHERE id = ?`, v.Name, id)
			return err
		})
	return err
}

// HasUsers reports whether anybody can sign in.
func (s *Store) HasUsers(ctx context.Context) (bool, error) {
	return s.hasUsers(ctx, s.db)
}

func (s *Store) hasUsers(ctx context.Context, q conn) (bool, error) {
	found, err := values[int64](ctx, s, q, `SELECT id FROM users LIMIT 1`)
	return len(found) > 0, err
}
