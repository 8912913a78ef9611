package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var tokenColumns = columns[tidemark.Token]{
	noun:  "token",
	names: `id, name, role, active, last4, imported, created_at, created_by, updated_at, last_used_at, expires_at, old_until, scope, networks, idle_days`,
	dest: func(v *tidemark.Token) []any {
		return []any{
			&v.ID, &v.Name, &v.Role, &v.Active, &v.Last4, &v.Imported, &v.CreatedAt, &v.CreatedBy, &v.UpdatedAt,
			&v.LastUsedAt, &v.ExpiresAt, &v.OldUntil, asJSON(&v.Scope), asJSON(&v.Networks), &v.IdleDays,
		}
	},
}

// Tokens returns a page of org's tokens, the oldest first. The page's Name is
// all of a name, unless it holds a *.
func (s *Store) Tokens(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Token, tidemark.Counts, error) {
	found, n, err := page(ctx, s, tokenColumns, listing{
		from: `FROM tokens WHERE org_id = ?`, args: []any{org}, key: "name_key", whole: true,
		orders: []order{
			{"id", "id"}, {"name", "name_key"}, {"role", "role"}, {"created_at", "created_at"},
			{"updated_at", "updated_at"}, {"last_used_at", "last_used_at"},
		},
	}, p)
	for _, v := range found {
		s.forgetOld(v)
	}
	return found, n, err
}

// Token returns one token of org.
func (s *Store) Token(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Token, error) {
	v, err := one(ctx, s, s.db, tokenColumns, `FROM tokens WHERE org_id = ? AND id = ?`, org, id)
	return s.forgetOld(v), err
}

// forgetOld clears an overlap that is over.
func (s *Store) forgetOld(v *tidemark.Token) *tidemark.Token {
	if v != nil && v.OldUntil <= s.now() {
		v.OldUntil = 0
	}
	return v
}

// CreateToken adds v to org with the secret that it is used by, and sets its
// ID, Last4 and times. A secret that some token has already is a Conflict.
func (s *Store) CreateToken(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Token, secret tidemark.Secret) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.Last4, v.Imported, v.LastUsedAt, v.OldUntil = secret.Last4(), secret.Imported(), 0, 0
	v.CreatedAt, v.CreatedBy = s.now(), by.String()
	v.UpdatedAt = v.CreatedAt
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitTokens); err != nil {
			return err
		}
		if err := s.limitAge(ctx, tx, org, v); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO tokens (org_id, name, name_key, role, active, last4, imported, created_at, created_by, updated_at, last_used_at, expires_at, old_until, scope, networks, idle_days)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, ?, ?, ?)
			RETURNING id`,
			org, v.Name, key(v.Name), v.Role, v.Active, v.Last4, v.Imported, v.CreatedAt, v.CreatedBy, v.UpdatedAt, v.ExpiresAt, asJSON(&v.Scope), asJSON(&v.Networks), v.IdleDays)
		if err != nil {
			return err
		}
		if err := s.addSecret(ctx, tx, v.ID, secret); err != nil {
			return err
		}
		detail := map[string]any{"name": v.Name, "role": string(v.Role), "active": v.Active, "last4": v.Last4}
		if v.ExpiresAt != 0 {
			detail["expires_at"] = v.ExpiresAt
		}
		return s.tokenChanged(ctx, tx, operation{org, by, "token.create"}, v, detail, nil, fieldsOfToken(v))
	})
}

// limitAge holds a token to what its organization allows: one without an end
// gets the latest there may be.
func (s *Store) limitAge(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Token) error {
	days, err := value[int64](ctx, s, tx, "organization", `SELECT token_max_days FROM orgs WHERE id = ?`, org)
	if err != nil || days == 0 {
		return err
	}
	latest := s.now() + days*24*3600
	if v.ExpiresAt == 0 {
		v.ExpiresAt = latest
	}
	if v.ExpiresAt > latest {
		return tidemark.InvalidField("expires_at", "is too late: your organization allows %d days at most", days)
	}
	return nil
}

// UpdateToken applies change to one token of org and returns the result.
func (s *Store) UpdateToken(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Token)) (*tidemark.Token, error) {
	var old tidemark.Token
	v, err := edit(ctx, s, tokenColumns, `FROM tokens WHERE org_id = ? AND id = ?`, []any{org, id},
		func(v *tidemark.Token) { old = *v; change(v) },
		func(tx conn, v *tidemark.Token) error {
			if v.ExpiresAt != old.ExpiresAt {
				if err := s.limitAge(ctx, tx, org, v); err != nil {
					return err
				}
			}
			v.UpdatedAt = s.after(old.UpdatedAt)
			_, err := s.exec(ctx, tx, `
				UPDATE tokens SET name = ?, name_key = ?, role = ?, active = ?, expires_at = ?, updated_at = ?, scope = ?, networks = ?, idle_days = ?
				WHERE org_id = ? AND id = ?`,
				v.Name, key(v.Name), v.Role, v.Active, v.ExpiresAt, v.UpdatedAt, asJSON(&v.Scope), asJSON(&v.Networks), v.IdleDays, org, id)
			if err != nil {
				return err
			}
			return s.tokenChanged(ctx, tx, operation{org, by, "token.update"}, v, tokenChanges(&old, v), fieldsOfToken(&old), fieldsOfToken(v))
		})
	return s.forgetOld(v), err
}

// tokenChanges says what differs between two states of a token.
func tokenChanges(old, v *tidemark.Token) map[string]any {
	detail := map[string]any{}
	changed := func(field string, from, to any) {
		if from != to {
			detail[field] = map[string]any{"from": from, "to": to}
		}
	}
	changed("name", old.Name, v.Name)
	changed("role", string(old.Role), string(v.Role))
	changed("active", old.Active, v.Active)
	changed("expires_at", old.ExpiresAt, v.ExpiresAt)
	changed("idle_days", old.IdleDays, v.IdleDays)
	return detail
}

// AgeToken makes one token of org as old as it is said to be, for those that
// are brought here with a past.
func (s *Store) AgeToken(ctx context.Context, org tidemark.OrgID, id, createdAt int64) error {
	return s.affect(ctx, s.writer, "token", `UPDATE tokens SET created_at = ? WHERE org_id = ? AND id = ?`, createdAt, org, id)
}

// DeleteToken removes one token of org and all its secrets.
func (s *Store) DeleteToken(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, tokenColumns, `FROM tokens WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `DELETE FROM tokens WHERE org_id = ? AND id = ?`, org, id); err != nil {
			return err
		}
		detail := map[string]any{"role": string(v.Role), "last4": v.Last4}
		return s.tokenChanged(ctx, tx, operation{org, by, "token.delete"}, v, detail, fieldsOfToken(v), nil)
	})
}

// tokenChanged records a change of a token for people and for other processes.
func (s *Store) tokenChanged(ctx context.Context, tx conn, w operation, v *tidemark.Token, detail map[string]any, was, is fields) error {
	e := w.entry(named("token", v.ID, v.Name))
	e.Detail = detail
	e.Before, e.After = differences(was, is)
	if err := s.addAudit(ctx, tx, e); err != nil {
		return err
	}
	return s.bump(ctx, tx, tokensTopic)
}
