package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var totpColumns = columns[tidemark.TOTP]{
	noun:  "authenticator app",
	names: `user_id, seed, created_at, confirmed_at, last_step`,
	dest: func(v *tidemark.TOTP) []any {
		return []any{&v.User, &v.Seed, &v.CreatedAt, &v.ConfirmedAt, &v.LastStep}
	},
}

// TOTP returns a person's authenticator app, whether it was confirmed or not.
func (s *Store) TOTP(ctx context.Context, user int64) (*tidemark.TOTP, error) {
	v, err := one(ctx, s, s.db, totpColumns, `FROM totp WHERE user_id = ?`, user)
	if err != nil {
		return nil, err
	}
	v.Seed, err = s.openSeed(user, v.Seed.Reveal())
	return v, err
}

// sealSeed and openSeed are the only way of a person's seed into the database
// and out of it.
func (s *Store) sealSeed(ctx context.Context, tx conn, user int64, seed tidemark.Secret) (string, error) {
	return s.seal(ctx, tx, seedsSealed.at(0, user), []byte(seed.Reveal()))
}

func (s *Store) openSeed(user int64, sealed string) (tidemark.Secret, error) {
	plain, err := s.unseal(seedsSealed.at(0, user), sealed)
	return tidemark.Secret(plain), err
}

// SecondFactors returns what a person has to prove a second time who they are.
func (s *Store) SecondFactors(ctx context.Context, user int64) (*tidemark.SecondFactors, error) {
	return s.secondFactors(ctx, s.db, user)
}

func (s *Store) secondFactors(ctx context.Context, q conn, user int64) (*tidemark.SecondFactors, error) {
	var f tidemark.SecondFactors
	since, err := values[int64](ctx, s, q, `SELECT confirmed_at FROM totp WHERE user_id = ? AND confirmed_at > 0`, user)
	if err != nil {
		return nil, err
	}
	if len(since) > 0 {
		f.TOTP, f.TOTPAt = true, since[0]
	}
	if f.Passkeys, err = many(ctx, s, q, passkeyColumns, `FROM passkeys WHERE user_id = ? ORDER BY id`, user); err != nil {
		return nil, err
	}
	codes, err := value[int64](ctx, s, q, "code", `SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?`, user)
	if err != nil {
		return nil, err
	}
	f.Codes = int(codes)
	f.DemandedBy, err = values[string](ctx, s, q, `
		SELECT o.name FROM memberships m JOIN orgs o ON o.id = m.org_id WHERE m.user_id = ? AND o.second_factor ORDER BY o.name_key`, user)
	return &f, err
}

// BeginTOTP keeps the seed of an app that is to be confirmed, in place of
// another such. One that was confirmed is a Conflict.
func (s *Store) BeginTOTP(ctx context.Context, user int64, seed tidemark.Secret) error {
	return s.write(ctx, func(tx conn) error {
		sealed, err := s.sealSeed(ctx, tx, user, seed)
		if err != nil {
			return err
		}
		n, err := s.exec(ctx, tx, `
			INSERT INTO totp (user_id, seed, created_at, confirmed_at, last_step) VALUES (?, ?, ?, 0, 0)
			ON CONFLICT (user_id) DO UPDATE SET seed = excluded.seed, created_at = excluded.created_at WHERE totp.confirmed_at = 0`,
			user, sealed, s.now())
		if err == nil && n == 0 {
			err = tidemark.Errorf(tidemark.Conflict, "There is an authenticator app already. Remove it first.")
		}
		return err
	})
}

// ConfirmTOTP makes the app that a person began with a second factor, since the
// code of a step was right. Codes are the hashes of recovery codes; they are
// kept if the person has none.
func (s *Store) ConfirmTOTP(ctx context.Context, by tidemark.Actor, user, step int64, codes []string) error {
	return s.write(ctx, func(tx conn) error {
		err := s.affect(ctx, tx, "authenticator app", `
			UPDATE totp SET confirmed_at = ?, last_step = ? WHERE user_id = ? AND confirmed_at = 0`, max(s.now(), 1), step, user)
		if err != nil {
			return err
		}
		return s.factorAdded(ctx, tx, by, user, map[string]any{"factor": "authenticator app"}, codes)
	})
}

// factorAdded notes a new second factor, and keeps codes if they are needed.
func (s *Store) factorAdded(ctx context.Context, tx conn, by tidemark.Actor, user int64, detail map[string]any, codes []string) error {
	if len(codes) > 0 {
		if err := s.replaceCodes(ctx, tx, user, codes); err != nil {
			return err
		}
	}
	return s.noteUser(ctx, tx, operation{by: by, action: "second_factor.add"}, user, detail)
}

// UseTOTP notes that the code of a step was used, and reports false if that
// code, or a later one, was used before.
func (s *Store) UseTOTP(ctx context.Context, user, step int64) (bool, error) {
	n, err := s.exec(ctx, s.writer, `UPDATE totp SET last_step = ? WHERE user_id = ? AND confirmed_at > 0 AND last_step < ?`, step, user, step)
	return n > 0, err
}

// DeleteTOTP removes a person's authenticator app.
func (s *Store) DeleteTOTP(ctx context.Context, by tidemark.Actor, user int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockUser(ctx, tx, user); err != nil {
			return err
		}
		if err := s.affect(ctx, tx, "authenticator app", `DELETE FROM totp WHERE user_id = ?`, user); err != nil {
			return err
		}
		return s.factorRemoved(ctx, tx, by, user, map[string]any{"factor": "authenticator app"})
	})
}

// lockUser makes those wait who change the same person's factors: two of them
// must not remove the last two at once.
func (s *Store) lockUser(ctx context.Context, tx conn, user int64) error {
	_, err := value[int64](ctx, s, tx, "user", `SELECT id FROM users WHERE id = ?`+s.dialect.forUpdate, user)
	return err
}

// factorRemoved notes that a second factor is gone. The last one stays where an
// organization demands one, and takes the recovery codes along elsewhere.
func (s *Store) factorRemoved(ctx context.Context, tx conn, by tidemark.Actor, user int64, detail map[string]any) error {
	left, err := s.secondFactors(ctx, tx, user)
	if err != nil {
		return err
	}
	if !left.Any() {
		if len(left.DemandedBy) > 0 {
			return tidemark.Errorf(tidemark.Conflict, "%s demands a second factor. Add another one before you remove this.", left.DemandedBy[0])
		}
		if _, err := s.exec(ctx, tx, `DELETE FROM recovery_codes WHERE user_id = ?`, user); err != nil {
			return err
		}
	}
	return s.noteUser(ctx, tx, operation{by: by, action: "second_factor.remove"}, user, detail)
}

// RecoveryCodes returns the hashes of a person's recovery codes that are left.
func (s *Store) RecoveryCodes(ctx context.Context, user int64) ([]string, error) {
	return values[string](ctx, s, s.db, `SELECT hash FROM recovery_codes WHERE user_id = ? ORDER BY hash`, user)
}

// ReplaceRecoveryCodes gives a person new recovery codes; those of before work
// no longer.
func (s *Store) ReplaceRecoveryCodes(ctx context.Context, by tidemark.Actor, user int64, hashes []string) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.replaceCodes(ctx, tx, user, hashes); err != nil {
			return err
		}
		return s.noteUser(ctx, tx, operation{by: by, action: "second_factor.codes"}, user, map[string]any{"codes": len(hashes)})
	})
}

func (s *Store) replaceCodes(ctx context.Context, tx conn, user int64, hashes []string) error {
	if _, err := s.exec(ctx, tx, `DELETE FROM recovery_codes WHERE user_id = ?`, user); err != nil {
		return err
	}
	for _, hash := range hashes {
		if _, err := s.exec(ctx, tx, `INSERT INTO recovery_codes (user_id, hash) VALUES (?, ?)`, user, hash); err != nil {
			return err
		}
	}
	return nil
}

// UseRecoveryCode uses a recovery code up, and returns how many are left. One
// that somebody used before is NotFound.
func (s *Store) UseRecoveryCode(ctx context.Context, by tidemark.Actor, user int64, hash string) (left int64, err error) {
	err = s.write(ctx, func(tx conn) error {
		if err := s.affect(ctx, tx, "code", `DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?`, user, hash); err != nil {
			return err
		}
		if left, err = value[int64](ctx, s, tx, "code", `SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?`, user); err != nil {
			return err
		}
		return s.noteUser(ctx, tx, operation{by: by, action: "second_factor.recover"}, user, map[string]any{"codes_left": left})
	})
	return left, err
}

// ResetSecondFactor removes all second factors of a person and their recovery
// codes, and ends their sessions.
func (s *Store) ResetSecondFactor(ctx context.Context, by tidemark.Actor, user int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.dropFactors(ctx, tx, user); err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `DELETE FROM sessions WHERE user_id = ?`, user); err != nil {
			return err
		}
		return s.noteUser(ctx, tx, operation{by: by, action: "second_factor.reset"}, user, nil)
	})
}

func (s *Store) dropFactors(ctx context.Context, tx conn, user int64) error {
	for _, stmt := range []string{
		`DELETE FROM totp WHERE user_id = ?`,
		`DELETE FROM passkeys WHERE user_id = ?`,
		`DELETE FROM recovery_codes WHERE user_id = ?`,
	} {
		if _, err := s.exec(ctx, tx, stmt, user); err != nil {
			return err
		}
	}
	_, err := s.exec(ctx, tx, `DELETE FROM one_time_keys WHERE kind IN (?, ?) AND user_id = ?`, tidemark.SecondKey, tidemark.PasskeyKey, user)
	return err
}
