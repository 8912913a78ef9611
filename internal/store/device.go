package store

import (
	"context"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// deviceColumns are those of a service that is a device. They leave its
// subscription sealed: lists and decisions need none.
var deviceColumns = columns[tidemark.Device]{
	noun:  "device",
	names: `id, title, settings, created_at`,
	dest: func(v *tidemark.Device) []any {
		return []any{&v.ID, &v.Name, settingsOfDevice{v}, &v.CreatedAt}
	},
	object: func(v *tidemark.Device) string { return named("device", v.ID, v.Name) },
}

// settingsOfDevice reads what of the settings of a service is public into the
// device that it is.
type settingsOfDevice struct{ v *tidemark.Device }

// Scan implements sql.Scanner.
func (c settingsOfDevice) Scan(src any) error {
	s := tidemark.Service{ID: c.v.ID, Title: c.v.Name, CreatedAt: c.v.CreatedAt}
	if err := asJSON((*map[string]string)(&s.Settings)).Scan(src); err != nil {
		return err
	}
	*c.v = *tidemark.DeviceOf(&s)
	return nil
}

// ofPerson are the devices of a person in an organization.
const ofPerson = `FROM services WHERE org_id = ? AND user_id = ?`

// Devices returns the devices of a user on which they are notified of the
// alerts of org, in the order in which they were added.
func (s *Store) Devices(ctx context.Context, org tidemark.OrgID, user int64) ([]*tidemark.Device, error) {
	return many(ctx, s, s.db, deviceColumns, ofPerson+` ORDER BY id`, org, user)
}

// DeviceService returns one device of a user as the service that it is.
func (s *Store) DeviceService(ctx context.Context, org tidemark.OrgID, user, id int64) (*tidemark.Service, error) {
	return one(ctx, s, s.db, s.serviceColumns(), ofPerson+` AND id = ?`, org, user, id)
}

// CreateDevice has a device of a user be notified of the alerts of org, and
// sets its ID and time. A subscription is one device: whatever it was to
// anybody before, it is no longer, since a browser is one person's at a time.
func (s *Store) CreateDevice(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user int64, v *tidemark.Device) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt = s.now()
	service := v.Service(user)
	return s.write(ctx, func(tx conn) error {
		if err := s.noteTaken(ctx, tx, operation{org, by, "device.delete"}, user, v.Fingerprint); err != nil {
			return err
		}
		_, err := s.exec(ctx, tx, `DELETE FROM services WHERE fingerprint = ? AND (org_id = ? OR user_id <> ?)`, v.Fingerprint, org, user)
		if err != nil {
			return err
		}
		if err := s.roomForDevice(ctx, tx, org, user); err != nil {
			return err
		}
		err = insert(ctx, s, tx, &service.ID, `
			INSERT INTO services (org_id, user_id, fingerprint, type, title, title_key, settings, secrets, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, '{}', '', ?, ?)
			RETURNING id`,
			org, user, v.Fingerprint, service.Type, service.Title, key(service.Title), v.CreatedAt, v.CreatedAt)
		if err != nil {
			return err
		}
		if err := s.saveSettings(ctx, tx, org, service); err != nil {
			return err
		}
		v.ID = service.ID
		return created(ctx, s, tx, operation{org, by, "device.create"}, deviceColumns, v)
	})
}

// noteTaken notes of the devices of others with a subscription that they are
// theirs no longer, since user has it now. Other organizations are not told who
// that is: they may not know them.
func (s *Store) noteTaken(ctx context.Context, tx conn, w operation, user int64, fingerprint string) error {
	const others = `FROM services WHERE fingerprint = ? AND user_id <> ?`
	orgs, err := values[tidemark.OrgID](ctx, s, tx, `SELECT DISTINCT org_id `+others+` ORDER BY org_id`, fingerprint, user)
	if err != nil {
		return err
	}
	for _, org := range orgs {
		of := operation{org, w.by, w.action}
		if org != w.org {
			of.by = tidemark.ServerActor()
		}
		taken, err := many(ctx, s, tx, deviceColumns, others+` AND org_id = ? ORDER BY id`, fingerprint, user, org)
		if err != nil {
			return err
		}
		for _, v := range taken {
			if err := s.noteChange(ctx, tx, of, deviceColumns.object(v), deviceColumns.fieldsOf(v), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// roomForDevice refuses one more device where the organization or the user has
// as many as there may be.
func (s *Store) roomForDevice(ctx context.Context, tx conn, org tidemark.OrgID, user int64) error {
	if err := s.room(ctx, tx, org, tidemark.LimitDevices); err != nil {
		return err
	}
	n, err := value[int64](ctx, s, tx, "user", `SELECT COUNT(*) `+ofPerson, org, user)
	if err != nil {
		return err
	}
	return s.limits.Check(org, tidemark.LimitPersonDevices, n+1)
}

// UpdateDevice applies change to one device of a user and returns the result.
func (s *Store) UpdateDevice(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user, id int64, change func(*tidemark.Device)) (*tidemark.Device, error) {
	var v *tidemark.Device
	err := s.write(ctx, func(tx conn) error {
		service, err := one(ctx, s, tx, s.serviceColumns(), ofPerson+` AND id = ?`+s.dialect.forUpdate, org, user, id)
		if err != nil {
			return err
		}
		if service.Unreadable != "" {
			return tidemark.Errorf(tidemark.Unavailable, "%s", service.Unreadable)
		}
		v = tidemark.DeviceOf(service)
		was := deviceColumns.fieldsOf(v)
		change(v)
		if err := v.Validate(); err != nil {
			return err
		}
		_, err = s.exec(ctx, tx, `UPDATE services SET title = ?, title_key = ?, updated_at = ? WHERE org_id = ? AND id = ?`, v.Name, key(v.Name), s.now(), org, id)
		if err != nil {
			return err
		}
		if err := s.saveSettings(ctx, tx, org, v.Service(user)); err != nil {
			return err
		}
		return s.noteChange(ctx, tx, operation{org, by, "device.update"}, deviceColumns.object(v), was, deviceColumns.fieldsOf(v))
	})
	return v, err
}

// DeleteDevice has one device of a user be notified no longer.
func (s *Store) DeleteDevice(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, user, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "device.delete"}, deviceColumns, ofPerson+` AND id = ?`, org, user, id)
	})
}

// ForgetDevice removes a device whose subscription its browser ended, if it is
// still there.
func (s *Store) ForgetDevice(ctx context.Context, org tidemark.OrgID, id int64) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM services WHERE org_id = ? AND id = ? AND user_id IS NOT NULL`, org, id)
	return err
}

// devicesToNotify returns the devices whose people are members and asked to be
// notified of n.
func (s *Store) devicesToNotify(ctx context.Context, tx conn, c *tidemark.StateChange, n *tidemark.Notice) (ids []int64, err error) {
	if c.Delivered != nil {
		return nil, nil // made up: nobody is really notified
	}
	const from = `FROM services WHERE org_id = ? AND user_id IS NOT NULL
		AND EXISTS (SELECT 1 FROM memberships m WHERE m.org_id = services.org_id AND m.user_id = services.user_id) ORDER BY id`
	now := time.Unix(s.now(), 0)
	for v, err := range each(ctx, s, tx, deviceColumns, from, c.Org) {
		if err != nil {
			return nil, err
		}
		if v.Wants(n, now) {
			ids = append(ids, v.ID)
		}
	}
	return ids, nil
}
