package store

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// serviceColumns opens the secrets of the services that it reads.
func (s *Store) serviceColumns() columns[tidemark.Service] {
	return columns[tidemark.Service]{
		noun:  "service",
		names: `id, type, title, settings, created_at, updated_at, org_id, secrets`,
		dest: func(v *tidemark.Service) []any {
			secrets := &secretsColumn{store: s, service: v}
			return []any{&v.ID, &v.Type, &v.Title, asJSON((*map[string]string)(&v.Settings)), &v.CreatedAt, &v.UpdatedAt, &secrets.org, secrets}
		},
		object: func(v *tidemark.Service) string { return named("service", v.ID, v.Title) },
		shown:  fieldsOfService,
	}
}

// ofOrg are the services of an organization. Devices of people are services
// too, but nobody's business except theirs.
const ofOrg = `FROM services WHERE org_id = ? AND user_id IS NULL`

// Services returns a page of org's services.
func (s *Store) Services(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Service, tidemark.Counts, error) {
	return page(ctx, s, s.serviceColumns(), listing{
		from: ofOrg, args: []any{org}, key: "title_key",
		orders: []order{{"title", "title_key"}, {"updated_at", "updated_at"}, {"type", "type"}, {"id", "id"}},
	}, p)
}

// Service returns one service of org.
func (s *Store) Service(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Service, error) {
	return one(ctx, s, s.db, s.serviceColumns(), ofOrg+` AND id = ?`, org, id)
}

// Recipient returns what a delivery of org goes to: a service, or the device of
// a person.
func (s *Store) Recipient(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Service, error) {
	return one(ctx, s, s.db, s.serviceColumns(), `FROM services WHERE org_id = ? AND id = ?`, org, id)
}

// CreateService adds v to org and sets its ID and times.
func (s *Store) CreateService(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Service) error {
	if v.Settings == nil {
		v.Settings = map[string]string{}
	}
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt = s.now()
	v.UpdatedAt = v.CreatedAt
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitServices); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO services (org_id, type, title, title_key, settings, secrets, created_at, updated_at)
			VALUES (?, ?, ?, ?, '{}', '', ?, ?)
			RETURNING id`,
			org, v.Type, v.Title, key(v.Title), v.CreatedAt, v.UpdatedAt)
		if err != nil {
			return err
		}
		if err := s.saveSettings(ctx, tx, org, v); err != nil {
			return err
		}
		return created(ctx, s, tx, operation{org, by, "service.create"}, s.serviceColumns(), v)
	})
}

// UpdateService applies change to one service of org and returns the result.
func (s *Store) UpdateService(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Service)) (*tidemark.Service, error) {
	var was fields
	var secrets map[string]string
	return editOrNot(ctx, s, s.serviceColumns(), ofOrg+` AND id = ?`, []any{org, id},
		func(v *tidemark.Service) error {
			was, secrets = fieldsOfService(v), maps.Clone(v.Settings)
			change(v)
			return checkReadable(secrets, v)
		},
		func(tx conn, v *tidemark.Service) error {
			v.UpdatedAt = s.after(v.UpdatedAt)
			_, err := s.exec(ctx, tx, `
				UPDATE services SET type = ?, title = ?, title_key = ?, updated_at = ?
				WHERE org_id = ? AND id = ?`,
				v.Type, v.Title, key(v.Title), v.UpdatedAt, org, id)
			if err != nil {
				return err
			}
			if err := s.saveSettings(ctx, tx, org, v); err != nil {
				return err
			}
			is := fieldsOfService(v)
			noteReplaced(secrets, v, is)
			if err := s.noteChange(ctx, tx, operation{org, by, "service.update"}, s.serviceColumns().object(v), was, is); err != nil {
				return err
			}
			return s.bumpAlerts(ctx, tx, org)
		})
}

// DeleteService removes one service of org, also from the alerts it was
// attached to.
func (s *Store) DeleteService(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	w := operation{org, by, "service.delete"}
	return s.write(ctx, func(tx conn) error {
		notified, err := s.alertsOfService(ctx, tx, org, id)
		if err != nil {
			return err
		}
		if err := remove(ctx, s, tx, w, s.serviceColumns(), ofOrg+` AND id = ?`, org, id); err != nil {
			return err
		}
		for _, v := range notified {
			was := fieldsOfAlert(v)
			v.ServiceIDs = slices.DeleteFunc(v.ServiceIDs, func(one int64) bool { return one == id })
			if err := s.keepAlert(ctx, tx, revision{operation: w}, v.ID, was, fieldsOfAlert(v), v.UpdatedAt); err != nil {
				return err
			}
		}
		return s.bumpAlerts(ctx, tx, org)
	})
}

// alertsOfService returns the alerts of org that notify a service, locked.
func (s *Store) alertsOfService(ctx context.Context, tx conn, org tidemark.OrgID, service int64) ([]*tidemark.Alert, error) {
	found, err := many(ctx, s, tx, alertColumns,
		`FROM alerts WHERE org_id = ? AND id IN (SELECT alert_id FROM alert_services WHERE service_id = ?) ORDER BY id`+s.dialect.forUpdate, org, service)
	if err != nil {
		return nil, err
	}
	return found, s.fillServices(ctx, tx, found)
}
