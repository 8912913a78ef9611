package store

import (
	"cmp"
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var oneTimeKeyColumns = columns[tidemark.OneTimeKey]{
	noun:  "key",
	names: `kind, user_id, expires_at, detail`,
	dest: func(v *tidemark.OneTimeKey) []any {
		return []any{&v.Kind, &v.User, &v.ExpiresAt, &v.Detail}
	},
}

// CreateOneTimeKey adds v, to be found by its hash.
func (s *Store) CreateOneTimeKey(ctx context.Context, v *tidemark.OneTimeKey, hash string) error {
	return s.createKey(ctx, s.writer, v, hash)
}

func (s *Store) createKey(ctx context.Context, q conn, v *tidemark.OneTimeKey, hash string) error {
	_, err := s.exec(ctx, q, `INSERT INTO one_time_keys (hash, kind, user_id, expires_at, detail) VALUES (?, ?, ?, ?, ?)`,
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
		v, err = s.takeKey(ctx, tx, kind, hash, now)
		return err
	})
	return v, err
}

func (s *Store) takeKey(ctx context.Context, tx conn, kind, hash string, now int64) (*tidemark.OneTimeKey, error) {
	v, err := one(ctx, s, tx, oneTimeKeyColumns,
		`FROM one_time_keys WHERE hash = ? AND kind = ? AND expires_at > ?`+s.dialect.forUpdate, hash, kind, now)
	if err != nil {
		return nil, err
	}
	return v, s.affect(ctx, tx, "key", `DELETE FROM one_time_keys WHERE hash = ?`, hash)
}

// ReplaceSetupKey adds the key by which a new server gets its owner; those
// before it work no longer.
func (s *Store) ReplaceSetupKey(ctx context.Context, hash string, expiresAt int64) error {
	return s.write(ctx, func(tx conn) error {
		if _, err := s.exec(ctx, tx, `DELETE FROM one_time_keys WHERE kind = ?`, tidemark.SetupKey); err != nil {
			return err
		}
		return s.createKey(ctx, tx, &tidemark.OneTimeKey{Kind: tidemark.SetupKey, ExpiresAt: expiresAt}, hash)
	})
}

// SetUp uses a set-up key that works at now: it makes u the owner of the
// server's first organization, called orgName from then on. It does all of it
// or nothing, so that a key never is used up in vain. A server that has
// people has no set-up: a NotFound error.
func (s *Store) SetUp(ctx context.Context, hash string, now int64, orgName string, u *tidemark.User, address string) (org tidemark.OrgID, err error) {
	if err := u.Validate(); err != nil {
		return 0, err
	}
	err = s.write(ctx, func(tx conn) error {
		if _, err := s.takeKey(ctx, tx, tidemark.SetupKey, hash, now); err != nil {
			return err
		}
		if has, err := s.hasUsers(ctx, tx); err != nil || has {
			return cmp.Or(err, noSuch("key"))
		}
		org, err = value[tidemark.OrgID](ctx, s, tx, "organization", `SELECT id FROM orgs ORDER BY id LIMIT 1`)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `UPDATE orgs SET name = ?, name_key = ? WHERE id = ?`, orgName, key(orgName), org); err != nil {
			return taken(err, "org_name")
		}
		if err := s.createUser(ctx, tx, u); err != nil {
			return err
		}
		if err := s.addMember(ctx, tx, org, u.ID, tidemark.FullAccess); err != nil {
			return err
		}
		return s.addAudit(ctx, tx, org, &tidemark.AuditEntry{
			Actor: "user:" + u.Email, Action: "server.setup", Object: "organization", Detail: map[string]any{"name": orgName, "address": address},
		})
	})
	return org, err
}
