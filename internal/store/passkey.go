package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var passkeyColumns = columns[tidemark.Passkey]{
	noun:  "passkey",
	names: `id, user_id, name, credential_id, credential, created_at, used_at`,
	dest: func(v *tidemark.Passkey) []any {
		return []any{&v.ID, &v.User, &v.Name, &v.Credential, &v.Data, &v.CreatedAt, &v.UsedAt}
	},
}

// PasskeyByCredential returns the passkey with an identifier, whose ever it is.
func (s *Store) PasskeyByCredential(ctx context.Context, credential string) (*tidemark.Passkey, error) {
	return one(ctx, s, s.db, passkeyColumns, `FROM passkeys WHERE credential_id = ?`, credential)
}

// CreatePasskey adds v as a second factor of its user, and sets its ID and
// CreatedAt. Codes are the hashes of recovery codes; they are kept unless there
// are none.
func (s *Store) CreatePasskey(ctx context.Context, by tidemark.Actor, v *tidemark.Passkey, codes []string) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt = s.now()
	return s.write(ctx, func(tx conn) error {
		if err := s.lockUser(ctx, tx, v.User); err != nil {
			return err
		}
		has, err := s.secondFactors(ctx, tx, v.User)
		if err != nil {
			return err
		}
		if !has.MayAddPasskey() {
			return tidemark.Errorf(tidemark.Conflict, "You have %d passkeys. Remove one first.", len(has.Passkeys))
		}
		err = insert(ctx, s, tx, &v.ID, `
			INSERT INTO passkeys (user_id, name, credential_id, credential, created_at, used_at) VALUES (?, ?, ?, ?, ?, 0)
			RETURNING id`, v.User, v.Name, v.Credential, v.Data, v.CreatedAt)
		if err != nil {
			return taken(err, "passkey")
		}
		return s.factorAdded(ctx, tx, by, v.User, passkeyDetail(v), codes)
	})
}

func passkeyDetail(v *tidemark.Passkey) map[string]any {
	return map[string]any{"factor": "passkey", "name": v.Name}
}

// UsePasskey notes what a passkey said of itself when it was used.
func (s *Store) UsePasskey(ctx context.Context, id int64, data string, now int64) error {
	return s.affect(ctx, s.writer, "passkey", `UPDATE passkeys SET credential = ?, used_at = ? WHERE id = ?`, data, now, id)
}

// RenamePasskey gives one of a person's passkeys another name.
func (s *Store) RenamePasskey(ctx context.Context, by tidemark.Actor, user, id int64, name string) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, passkeyColumns, `FROM passkeys WHERE user_id = ? AND id = ?`+s.dialect.forUpdate, user, id)
		if err != nil {
			return err
		}
		old := v.Name
		v.Name = name
		if err := v.Validate(); err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `UPDATE passkeys SET name = ? WHERE id = ?`, name, id); err != nil || old == name {
			return err
		}
		detail := passkeyDetail(v)
		detail["before"] = old
		return s.noteUser(ctx, tx, operation{by: by, action: "second_factor.rename"}, user, detail)
	})
}

// DeletePasskey removes one of a person's passkeys.
func (s *Store) DeletePasskey(ctx context.Context, by tidemark.Actor, user, id int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockUser(ctx, tx, user); err != nil {
			return err
		}
		v, err := one(ctx, s, tx, passkeyColumns, `FROM passkeys WHERE user_id = ? AND id = ?`, user, id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `DELETE FROM passkeys WHERE id = ?`, id); err != nil {
			return err
		}
		return s.factorRemoved(ctx, tx, by, user, passkeyDetail(v))
	})
}
