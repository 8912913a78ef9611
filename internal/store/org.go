package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var orgColumns = columns[tidemark.Org]{
	noun:  "organization",
	names: `id, name, created_at, alerts_before_metrics, token_max_days, second_factor, short_name`,
	dest: func(v *tidemark.Org) []any {
		return []any{&v.ID, &v.Name, &v.CreatedAt, &v.AlertsBeforeMetrics, &v.TokenMaxDays, &v.SecondFactor, &v.ShortName}
	},
}

// CreateOrg adds an organization. Names are unique, whatever their case.
func (s *Store) CreateOrg(ctx context.Context, by tidemark.Actor, name string) (*tidemark.Org, error) {
	return s.createOrg(ctx, by, name, func(conn, *tidemark.Org) error { return nil })
}

// CreateOrgFor adds an organization as CreateOrg does, with user as its first
// Admin.
func (s *Store) CreateOrgFor(ctx context.Context, by tidemark.Actor, name string, user int64) (*tidemark.Org, error) {
	return s.createOrg(ctx, by, name, func(tx conn, v *tidemark.Org) error {
		u, err := one(ctx, s, tx, userColumns, `FROM users WHERE id = ?`, user)
		if err != nil {
			return err
		}
		return s.addMember(ctx, tx, operation{v.ID, by, "member.add"}, u, tidemark.FullAccess)
	})
}

func (s *Store) createOrg(ctx context.Context, by tidemark.Actor, name string, then func(tx conn, v *tidemark.Org) error) (*tidemark.Org, error) {
	v := &tidemark.Org{Name: name, CreatedAt: s.now()}
	if err := v.Validate(); err != nil {
		return nil, err
	}
	err := s.write(ctx, func(tx conn) error {
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO orgs (name, name_key, created_at)
			VALUES (?, ?, ?)
			RETURNING id`,
			v.Name, key(v.Name), v.CreatedAt)
		if err != nil {
			return taken(err, "name")
		}
		if err := s.note(ctx, tx, operation{by: by, action: "org.create"}, named("organization", int64(v.ID), v.Name), nil); err != nil {
			return err
		}
		return then(tx, v)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Org returns one organization.
func (s *Store) Org(ctx context.Context, org tidemark.OrgID) (*tidemark.Org, error) {
	return one(ctx, s, s.db, orgColumns, `FROM orgs WHERE id = ?`, org)
}

// OrgByName returns the organization called name, whatever the case.
func (s *Store) OrgByName(ctx context.Context, name string) (*tidemark.Org, error) {
	return one(ctx, s, s.db, orgColumns, `FROM orgs WHERE name_key = ?`, key(name))
}

// OrgIDByShortName returns the organization that addresses name so.
func (s *Store) OrgIDByShortName(ctx context.Context, name string) (tidemark.OrgID, error) {
	return value[tidemark.OrgID](ctx, s, s.db, "organization", `SELECT id FROM orgs WHERE short_name = ? AND short_name <> ''`, name)
}

// Orgs returns all organizations, the oldest first.
func (s *Store) Orgs(ctx context.Context) ([]*tidemark.Org, error) {
	return many(ctx, s, s.db, orgColumns, `FROM orgs ORDER BY id`)
}

// UpdateOrg applies change to an organization and returns the result.
func (s *Store) UpdateOrg(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, change func(*tidemark.Org)) (*tidemark.Org, error) {
	var old tidemark.Org
	v, err := edit(ctx, s, orgColumns, `FROM orgs WHERE id = ?`, []any{org},
		func(v *tidemark.Org) {
			old = *v
			change(v)
			v.ID, v.CreatedAt, v.SecondFactor = org, old.CreatedAt, old.SecondFactor
		},
		func(tx conn, v *tidemark.Org) error {
			_, err := s.exec(ctx, tx, `UPDATE orgs SET name = ?, name_key = ?, alerts_before_metrics = ?, token_max_days = ? WHERE id = ?`,
				v.Name, key(v.Name), v.AlertsBeforeMetrics, v.TokenMaxDays, org)
			if err != nil {
				return taken(err, "name")
			}
			if _, err := s.exec(ctx, tx, `UPDATE orgs SET short_name = ? WHERE id = ?`, v.ShortName, org); err != nil {
				return taken(err, "short_name")
			}
			return s.noteOrg(ctx, tx, operation{org, by, "org.update"}, &old, v)
		})
	return v, err
}

// DemandSecondFactor says whether members of org need a second factor. Somebody
// who has none cannot demand one of others: a Conflict.
func (s *Store) DemandSecondFactor(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user int64, on bool) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockUser(ctx, tx, user); err != nil {
			return err
		}
		old, err := one(ctx, s, tx, orgColumns, `FROM orgs WHERE id = ?`+s.dialect.forUpdate, org)
		if err != nil {
			return err
		}
		m, err := s.membership(ctx, tx, org, user)
		if err != nil {
			return err
		}
		if on && !m.SecondFactor {
			return tidemark.Errorf(tidemark.Conflict, "You have no second factor yourself. Set one up first.")
		}
		if _, err := s.exec(ctx, tx, `UPDATE orgs SET second_factor = ? WHERE id = ?`, on, org); err != nil {
			return err
		}
		v := *old
		v.SecondFactor = on
		return s.noteOrg(ctx, tx, operation{org, by, "org.update"}, old, &v)
	})
}

// noteOrg notes what changed of an organization; its name by itself.
func (s *Store) noteOrg(ctx context.Context, tx conn, w operation, old, v *tidemark.Org) error {
	const object = "organization"
	if old.Name != v.Name {
		e := operation{w.org, w.by, "org.rename"}.entry(object)
		e.Detail, e.Before, e.After = map[string]any{"name": v.Name}, map[string]any{"name": old.Name}, map[string]any{"name": v.Name}
		if err := s.addAudit(ctx, tx, e); err != nil {
			return err
		}
	}
	was, is := fieldsOf(old), fieldsOf(v)
	delete(was, "name")
	delete(is, "name")
	return s.noteChange(ctx, tx, w, object, was, is)
}

// DeleteOrg removes an organization with everything it has but measurements.
// Sessions of it switch to another organization of their user.
func (s *Store) DeleteOrg(ctx context.Context, org tidemark.OrgID, by tidemark.Actor) error {
	return s.write(ctx, func(tx conn) error {
		o, err := one(ctx, s, tx, orgColumns, `FROM orgs WHERE id = ?`+s.dialect.forUpdate, org)
		if err != nil {
			return err
		}
		_, err = s.exec(ctx, tx, `
			UPDATE sessions SET org_id = (SELECT MIN(m.org_id) FROM memberships m WHERE m.user_id = sessions.user_id AND m.org_id <> ?)
			WHERE org_id = ? AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = sessions.user_id AND m.org_id <> ?)`, org, org, org)
		if err != nil {
			return err
		}
		if err := s.affect(ctx, tx, "organization", `DELETE FROM orgs WHERE id = ?`, org); err != nil {
			return err
		}
		if err := s.note(ctx, tx, operation{by: by, action: "org.delete"}, named("organization", int64(org), o.Name), nil); err != nil {
			return err
		}
		for _, topic := range []string{tokensTopic, metricsTopic} {
			if err := s.bump(ctx, tx, topic); err != nil {
				return err
			}
		}
		return s.bumpAlerts(ctx, tx, org)
	})
}
