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

// CreateSignInKey adds v, which a person comes back with from the issuer, to
// be found by its hash.
func (s *Store) CreateSignInKey(ctx context.Context, v *tidemark.OneTimeKey, hash string) error {
	v.Kind = tidemark.SignInKey
	return s.createKey(ctx, s.writer, v, hash)
}

// CreateStepKey adds v, which carries one step of a sign-in to the next, to be
// found by its hash. A person has a few of a kind at most: the oldest give way.
func (s *Store) CreateStepKey(ctx context.Context, v *tidemark.OneTimeKey, hash string) error {
	return s.write(ctx, func(tx conn) error {
		if v.User != 0 {
			_, err := s.exec(ctx, tx, `DELETE FROM one_time_keys WHERE kind = ? AND user_id = ? AND hash NOT IN (
				SELECT hash FROM one_time_keys WHERE kind = ? AND user_id = ? ORDER BY expires_at DESC LIMIT ?)`,
				v.Kind, v.User, v.Kind, v.User, maxStepKeys-1)
			if err != nil {
				return err
			}
		}
		return s.createKey(ctx, tx, v, hash)
	})
}

// maxStepKeys is how many keys of one kind a person has at a time.
const maxStepKeys = 10

// CreateResetKey adds a key by which a person chooses a password, to be found
// by its hash.
func (s *Store) CreateResetKey(ctx context.Context, by tidemark.Actor, user, expiresAt int64, hash string) error {
	return s.write(ctx, func(tx conn) error {
		v := &tidemark.OneTimeKey{Kind: tidemark.ResetKey, User: user, ExpiresAt: expiresAt}
		if err := s.createKey(ctx, tx, v, hash); err != nil {
			return err
		}
		return s.noteUser(ctx, tx, operation{by: by, action: "password.ask"}, user, nil)
	})
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

// setupTopic makes servers that start together queue: they replace the key by
// the same.
const setupTopic = "setup"

// ReplaceSetupKey adds the key by which a new server gets its owner; those
// before it work no longer.
func (s *Store) ReplaceSetupKey(ctx context.Context, hash string, expiresAt int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.bump(ctx, tx, setupTopic); err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `DELETE FROM one_time_keys WHERE kind = ?`, tidemark.SetupKey); err != nil {
			return err
		}
		return s.createKey(ctx, tx, &tidemark.OneTimeKey{Kind: tidemark.SetupKey, ExpiresAt: expiresAt}, hash)
	})
}

// SetUp uses a set-up key that works at now: it makes u the owner of the
// server's first organization, called orgName from then on, and an operator. It does all of it
// or nothing, so that a key never is used up in vain. A server that has
// people has no set-up: a NotFound error.
func (s *Store) SetUp(ctx context.Context, by tidemark.Actor, hash string, now int64, orgName string, u *tidemark.User) (org tidemark.OrgID, err error) {
	if err := u.Validate(); err != nil {
		return 0, err
	}
	u.Operator = true
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
		_, err = s.exec(ctx, tx, `INSERT INTO memberships (org_id, user_id, role, created_at) VALUES (?, ?, ?, ?)`, org, u.ID, tidemark.FullAccess, s.now())
		if err != nil {
			return err
		}
		w := operation{org, tidemark.PersonActor(u.Email, by.Address), "server.setup"}
		return s.note(ctx, tx, w, "organization", map[string]any{"name": orgName, "address": by.Address, "operator": true})
	})
	return org, err
}
