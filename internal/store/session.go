package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var sessionColumns = columns[tidemark.Session]{
	noun:  "session",
	names: `id, user_id, org_id, hash, old_until, created_at, last_seen_at, rotated_at, expires_at, proved_at, user_agent, address`,
	dest: func(v *tidemark.Session) []any {
		return []any{&v.ID, &v.User, &v.Org, &v.Hash, &v.OldUntil, &v.CreatedAt, &v.LastSeenAt, &v.RotatedAt, &v.ExpiresAt, &v.ProvedAt, &v.UserAgent, &v.Address}
	},
}

// CreateSession adds v, to be found by the hash of its secret, and sets its ID
// and whether its browser is new. With is by what the person proved who they
// are.
func (s *Store) CreateSession(ctx context.Context, by tidemark.Actor, v *tidemark.Session, hash, with string) error {
	return s.write(ctx, func(tx conn) error {
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO sessions (user_id, org_id, hash, old_hash, old_until, created_at, last_seen_at, rotated_at, expires_at, proved_at, user_agent, address)
			VALUES (?, ?, ?, '', 0, ?, ?, ?, ?, ?, ?, ?)
			RETURNING id`,
			v.User, v.Org, hash, v.CreatedAt, v.LastSeenAt, v.RotatedAt, v.ExpiresAt, v.ProvedAt, v.UserAgent, v.Address)
		if err != nil {
			return err
		}
		if err := s.seeBrowser(ctx, tx, v); err != nil {
			return err
		}
		detail := map[string]any{"with": with, "user_agent": v.UserAgent}
		if v.NewBrowser {
			detail["new_browser"] = true
		}
		return s.note(ctx, tx, operation{v.Org, by, "session.open"}, personObject(by.Name), detail)
	})
}

// SessionByHash returns the session with the given hash that works at now.
func (s *Store) SessionByHash(ctx context.Context, hash string, now int64) (*tidemark.Session, error) {
	return one(ctx, s, s.db, sessionColumns,
		`FROM sessions WHERE (hash = ? OR old_hash = ? AND old_until > ?) AND expires_at > ?`, hash, hash, now, now)
}

// SessionsOf returns the sessions of a user that work at now, latest first.
func (s *Store) SessionsOf(ctx context.Context, user, now int64) ([]*tidemark.Session, error) {
	return many(ctx, s, s.db, sessionColumns, `FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY last_seen_at DESC, id`, user, now)
}

// RotateSession replaces the secret of v as it was read, and keeps the one
// with the hash kept beside it until the new one is seen. It reports false if
// somebody else replaced it meanwhile: of several requests that find it due,
// one succeeds.
func (s *Store) RotateSession(ctx context.Context, v *tidemark.Session, kept, fresh string, now int64) (bool, error) {
	n, err := s.exec(ctx, s.writer, `
		UPDATE sessions SET old_hash = ?, old_until = expires_at, hash = ?, rotated_at = ?, last_seen_at = ? WHERE id = ? AND hash = ?`,
		kept, fresh, now, now, v.ID, v.Hash)
	return n > 0, err
}

// RetireOldSecret lets the secret that v had before work until a time, and no
// longer.
func (s *Store) RetireOldSecret(ctx context.Context, v *tidemark.Session, until int64) error {
	_, err := s.exec(ctx, s.writer, `UPDATE sessions SET old_until = ? WHERE id = ? AND hash = ? AND old_until > ?`, until, v.ID, v.Hash, until)
	return err
}

// TouchSession notes that a session was seen.
func (s *Store) TouchSession(ctx context.Context, id, now int64) error {
	return s.affect(ctx, s.writer, "session", `UPDATE sessions SET last_seen_at = ? WHERE id = ?`, now, id)
}

// ProveSession notes that the person of a session proved again who they are.
func (s *Store) ProveSession(ctx context.Context, id, now int64) error {
	return s.affect(ctx, s.writer, "session", `UPDATE sessions SET proved_at = ? WHERE id = ?`, now, id)
}

// SetSessionOrg makes org the organization that a session looks at.
func (s *Store) SetSessionOrg(ctx context.Context, id int64, org tidemark.OrgID) error {
	return s.affect(ctx, s.writer, "session", `UPDATE sessions SET org_id = ? WHERE id = ?`, org, id)
}

// DeleteSession ends one session of a user.
func (s *Store) DeleteSession(ctx context.Context, by tidemark.Actor, user, id int64) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, sessionColumns, `FROM sessions WHERE user_id = ? AND id = ?`+s.dialect.forUpdate, user, id)
		if err != nil {
			return err
		}
		if err := s.affect(ctx, tx, "session", `DELETE FROM sessions WHERE user_id = ? AND id = ?`, user, id); err != nil {
			return err
		}
		email, err := value[string](ctx, s, tx, "user", `SELECT email FROM users WHERE id = ?`, user)
		if err != nil {
			return err
		}
		detail := map[string]any{"opened_at": v.CreatedAt, "opened_from": v.Address, "user_agent": v.UserAgent}
		return s.note(ctx, tx, operation{v.Org, by, "session.end"}, personObject(email), detail)
	})
}

// EndSessions ends all sessions of a user.
func (s *Store) EndSessions(ctx context.Context, by tidemark.Actor, user int64) error {
	return s.write(ctx, func(tx conn) error {
		n, err := s.exec(ctx, tx, `DELETE FROM sessions WHERE user_id = ?`, user)
		if err != nil || n == 0 {
			return err
		}
		return s.noteUser(ctx, tx, operation{by: by, action: "session.end"}, user, map[string]any{"sessions": n})
	})
}

// EndMemberSessions ends all sessions of a member of org, wherever they look.
func (s *Store) EndMemberSessions(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user int64) error {
	return s.write(ctx, func(tx conn) error {
		m, err := s.membership(ctx, tx, org, user)
		if err != nil {
			return err
		}
		n, err := s.exec(ctx, tx, `DELETE FROM sessions WHERE user_id = ?`, user)
		if err != nil || n == 0 {
			return err
		}
		return s.note(ctx, tx, operation{org, by, "session.end"}, personObject(m.Email), map[string]any{"sessions": n})
	})
}

// DeleteExpired removes sessions, one-time keys, shares and invitations
// that are over.
func (s *Store) DeleteExpired(ctx context.Context, now int64) error {
	return s.write(ctx, func(tx conn) error {
		for _, stmt := range []string{
			`DELETE FROM sessions WHERE expires_at <= ?`,
			`DELETE FROM one_time_keys WHERE expires_at <= ?`,
			`DELETE FROM shares WHERE expires_at <= ?`,
			`DELETE FROM invitations WHERE expires_at <= ?`,
			`DELETE FROM editors WHERE until <= ?`,
		} {
			if _, err := s.exec(ctx, tx, stmt, now); err != nil {
				return err
			}
		}
		return nil
	})
}
