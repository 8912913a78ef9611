package store

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// maxOldSecrets bounds how many earlier secrets of one token may still work.
const maxOldSecrets = 10

// Credential is a token as one of its secrets finds it.
type Credential struct {
	Org   tidemark.OrgID
	Token *tidemark.Token
	Hash  string // of the secret
	// ExpiresAt is when the secret stops working: because the token expires
	// or because a rotation left it behind. 0 is never.
	ExpiresAt int64
	Old       bool // a rotation left the secret behind
}

var credentialColumns = columns[Credential]{
	noun: "token",
	names: `t.org_id, s.hash, s.expires_at, t.id, t.name, t.role, t.active, t.last4, t.imported,
		t.created_at, t.created_by, t.updated_at, t.last_used_at, t.expires_at, t.old_until, t.scope, t.networks, t.idle_days`,
	dest: func(v *Credential) []any {
		v.Token = new(tidemark.Token)
		return append([]any{&v.Org, &v.Hash, &v.ExpiresAt}, tokenColumns.dest(v.Token)...)
	},
}

// TokenByHash returns the token that has a secret with the given hash, in any
// organization. Whether token and secret may still be used is for the caller
// to look at: Active and ExpiresAt.
func (s *Store) TokenByHash(ctx context.Context, hash string) (*Credential, error) {
	c, err := one(ctx, s, s.db, credentialColumns,
		`FROM token_secrets s JOIN tokens t ON t.id = s.token_id WHERE s.hash = ?`, hash)
	if err != nil {
		return nil, err
	}
	s.complete(c)
	return c, nil
}

// RecentCredentials returns credentials of those active tokens of all
// organizations that were used last, the latest first.
func (s *Store) RecentCredentials(ctx context.Context, most int) ([]*Credential, error) {
	list, err := many(ctx, s, s.db, credentialColumns, `FROM tokens t JOIN token_secrets s ON s.token_id = t.id
		WHERE t.active = ? AND t.last_used_at > 0 ORDER BY t.last_used_at DESC, s.expires_at, s.hash LIMIT ?`, true, most)
	for _, c := range list {
		s.complete(c)
	}
	return list, err
}

// complete fills in what follows from the columns.
func (s *Store) complete(c *Credential) {
	s.forgetOld(c.Token)
	c.Old = c.ExpiresAt != 0
	if end := c.Token.ExpiresAt; end != 0 && (c.ExpiresAt == 0 || end < c.ExpiresAt) {
		c.ExpiresAt = end
	}
}

func (s *Store) addSecret(ctx context.Context, tx conn, token int64, secret tidemark.Secret) error {
	_, err := s.exec(ctx, tx, `INSERT INTO token_secrets (hash, token_id, expires_at) VALUES (?, ?, 0)`, secret.Hash(), token)
	return taken(err, "token")
}

// RotateToken gives one token of org a new secret. The one it had works until
// oldUntil, and those that an earlier rotation left behind work as long as was
// said then; with an oldUntil that is over all of them stop at once.
func (s *Store) RotateToken(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, secret tidemark.Secret, oldUntil int64) (*tidemark.Token, error) {
	keep := func(*tidemark.Token) {}
	return edit(ctx, s, tokenColumns, `FROM tokens WHERE org_id = ? AND id = ?`, []any{org, id}, keep,
		func(tx conn, v *tidemark.Token) error {
			detail := map[string]any{"from": v.Last4, "to": secret.Last4(), "old_until": oldUntil}
			if err := s.retireSecrets(ctx, tx, v, oldUntil); err != nil {
				return err
			}
			if err := s.addSecret(ctx, tx, id, secret); err != nil {
				return err
			}
			v.Last4, v.Imported, v.UpdatedAt = secret.Last4(), secret.Imported(), s.after(v.UpdatedAt)
			_, err := s.exec(ctx, tx, `UPDATE tokens SET last4 = ?, imported = ?, old_until = ?, updated_at = ? WHERE org_id = ? AND id = ?`,
				v.Last4, v.Imported, v.OldUntil, v.UpdatedAt, org, id)
			if err != nil {
				return err
			}
			return s.tokenChanged(ctx, tx, operation{org, by, "token.rotate"}, v, detail, nil, nil)
		})
}

// retireSecrets ends what secrets v has, now or at oldUntil, and sets its
// OldUntil.
func (s *Store) retireSecrets(ctx context.Context, tx conn, v *tidemark.Token, oldUntil int64) error {
	now := s.now()
	if oldUntil <= now {
		v.OldUntil = 0
		_, err := s.exec(ctx, tx, `DELETE FROM token_secrets WHERE token_id = ?`, v.ID)
		return err
	}
	if _, err := s.exec(ctx, tx, `DELETE FROM token_secrets WHERE token_id = ? AND expires_at <> 0 AND expires_at <= ?`, v.ID, now); err != nil {
		return err
	}
	live, err := values[int64](ctx, s, tx, `SELECT expires_at FROM token_secrets WHERE token_id = ?`, v.ID)
	if err != nil {
		return err
	}
	if len(live) > maxOldSecrets {
		return tidemark.Errorf(tidemark.Conflict, "%d earlier values of this token still work: wait for them to end, or rotate without an overlap", maxOldSecrets)
	}
	v.OldUntil = max(oldUntil, slices.Max(append(live, 0)))
	_, err = s.exec(ctx, tx, `UPDATE token_secrets SET expires_at = ? WHERE token_id = ? AND expires_at = 0`, oldUntil, v.ID)
	return err
}

// TouchTokens records when tokens, by id and of any organization, were last
// used. It is no change of a token: nobody is notified.
func (s *Store) TouchTokens(ctx context.Context, lastUsed map[int64]int64) error {
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(lastUsed)), maxIn) {
		args := make([]any, 0, 2*len(ids))
		for _, id := range ids {
			args = append(args, id, lastUsed[id])
		}
		err := s.write(ctx, func(tx conn) error {
			_, err := s.exec(ctx, tx, `
				UPDATE tokens SET last_used_at = v.column2
				FROM (VALUES `+rowsOf(len(ids), "(CAST(? AS BIGINT), CAST(? AS BIGINT))")+`) AS v
				WHERE tokens.id = v.column1 AND tokens.last_used_at < v.column2`, args...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
