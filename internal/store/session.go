package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var sessionColumns = columns[tidemark.Session]{
	noun:  "session",
	names: `id, user_id, org_id, hash, old_until, created_at, last_seen_at, rotated_at, expires_at, user_agent, address`,
	dest: func(v *tidemark.Session) []any {
		return []any{&v.ID, &v.User, &v.Org, &v.Hash, &v.OldUntil, &v.CreatedAt, &v.LastSeenAt, &v.RotatedAt, &v.ExpiresAt, &v.UserAgent, &v.Address}
	},
}

// CreateSession adds v, to be found by the hash of its secret, and sets its ID.
func (s *Store) CreateSession(ctx context.Context, v *tidemark.Session, hash string) error {
	return insert(ctx, s, s.writer, &v.ID, `
		INSERT INTO sessions (user_id, org_id, hash, old_hash, old_until, created_at, last_seen_at, rotated_at, expires_at, user_agent, address)
		VALUES (?, ?, ?, '', 0, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		v.User, v.Org, hash, v.CreatedAt, v.LastSeenAt, v.RotatedAt, v.ExpiresAt, v.UserAgent, v.Address)
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

// SetSessionOrg makes org the organization that a session looks at.
func (s *Store) SetSessionOrg(ctx context.Context, id int64, org tidemark.OrgID) error {
	return s.affect(ctx, s.writer, "session", `UPDATE sessions SET org_id = ? WHERE id = ?`, org, id)
}

// DeleteSession ends one session of a user.
func (s *Store) DeleteSession(ctx context.Context, user, id int64) error {
	return s.affect(ctx, s.writer, "session", `DELETE FROM sessions WHERE user_id = ? AND id = ?`, user, id)
}

// EndSessions ends all sessions of a user.
func (s *Store) EndSessions(ctx context.Context, user int64) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM sessions WHERE user_id = ?`, user)
	return err
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
		} {
			if _, err := s.exec(ctx, tx, stmt, now); err != nil {
				return err
			}
		}
		return nil
	})
}
