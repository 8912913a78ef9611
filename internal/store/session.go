package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var sessionColumns = columns[tidemark.Session]{
	noun:  "session",
	names: `id, user_id, org_id, created_at, last_seen_at, rotated_at, expires_at, user_agent, address`,
	dest: func(v *tidemark.Session) []any {
		return []any{&v.ID, &v.User, &v.Org, &v.CreatedAt, &v.LastSeenAt, &v.RotatedAt, &v.ExpiresAt, &v.UserAgent, &v.Address}
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

// RotateSession replaces a session's secret; the one before works until
// oldUntil, for the requests that are under way.
func (s *Store) RotateSession(ctx context.Context, id int64, hash string, now, oldUntil int64) error {
	return s.affect(ctx, s.writer, "session", `
		UPDATE sessions SET old_hash = hash, old_until = ?, hash = ?, rotated_at = ?, last_seen_at = ? WHERE id = ?`,
		oldUntil, hash, now, now, id)
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

// DeleteSessionsOf ends the sessions of a user, but for the one to keep.
func (s *Store) DeleteSessionsOf(ctx context.Context, user, keep int64) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM sessions WHERE user_id = ? AND id <> ?`, user, keep)
	return err
}

// DeleteExpired removes sessions, one-time keys and shares that are over.
func (s *Store) DeleteExpired(ctx context.Context, now int64) error {
	return s.write(ctx, func(tx conn) error {
		for _, stmt := range []string{
			`DELETE FROM sessions WHERE expires_at <= ?`,
			`DELETE FROM one_time_keys WHERE expires_at <= ?`,
			`DELETE FROM shares WHERE expires_at <= ?`,
		} {
			if _, err := s.exec(ctx, tx, stmt, now); err != nil {
				return err
			}
		}
		return nil
	})
}

var oneTimeKeyColumns = columns[tidemark.OneTimeKey]{
	noun:  "key",
	names: `kind, user_id, expires_at, detail`,
	dest: func(v *tidemark.OneTimeKey) []any {
		return []any{&v.Kind, &v.User, &v.ExpiresAt, &v.Detail}
	},
}

// CreateOneTimeKey adds v, to be found by its hash.
func (s *Store) CreateOneTimeKey(ctx context.Context, v *tidemark.OneTimeKey, hash string) error {
	_, err := s.exec(ctx, s.writer, `INSERT INTO one_time_keys (hash, kind, user_id, expires_at, detail) VALUES (?, ?, ?, ?, ?)`,
		hash, v.Kind, v.User, v.ExpiresAt, v.Detail)
	return err
}

// OneTimeKey returns a key that still works at now, without using it up.
func (s *Store) OneTimeKey(ctx context.Context, kind, hash string, now int64) (*tidemark.OneTimeKey, error) {
	return one(ctx, s, s.db, oneTimeKeyColumns, `FROM one_time_keys WHERE hash = ? AND kind = ? AND expires_at > ?`, hash, kind, now)
}

// UseOneTimeKey returns a key that still works at now and makes sure that
// nobody else can use it.
func (s *Store) UseOneTimeKey(ctx context.Context, kind, hash string, now int64) (v *tidemark.OneTimeKey, err error) {
	err = s.write(ctx, func(tx conn) error {
		v, err = one(ctx, s, tx, oneTimeKeyColumns,
			`FROM one_time_keys WHERE hash = ? AND kind = ? AND expires_at > ?`+s.dialect.forUpdate, hash, kind, now)
		if err != nil {
			return err
		}
		return s.affect(ctx, tx, "key", `DELETE FROM one_time_keys WHERE hash = ?`, hash)
	})
	return v, err
}
