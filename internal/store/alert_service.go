package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// attachment is a service as one alert has it.
type attachment struct {
	alert   int64
	service tidemark.Service
}

func (s *Store) attachmentColumns() columns[attachment] {
	return columns[attachment]{
		noun:  "service",
		names: `a.alert_id, s.id, s.type, s.title, s.settings, s.created_at, s.updated_at, s.org_id, s.secrets`,
		dest: func(v *attachment) []any {
			return append([]any{&v.alert}, s.serviceColumns().dest(&v.service)...)
		},
	}
}

// fillServices sets the Services and ServiceIDs of alerts, however many there
// are, with few queries.
func (s *Store) fillServices(ctx context.Context, q conn, alerts []*tidemark.Alert) error {
	for chunk := range slices.Chunk(alerts, maxIn) {
		byID := make(map[int64]*tidemark.Alert, len(chunk))
		args := make([]any, len(chunk))
		for i, v := range chunk {
			v.Services, v.ServiceIDs = []*tidemark.Service{}, []int64{}
			byID[v.ID], args[i] = v, v.ID
		}
		rest := `FROM alert_services a JOIN services s ON s.id = a.service_id
			WHERE a.alert_id IN ` + placeholders(len(chunk)) + ` ORDER BY a.alert_id, a.position`
		for a, err := range each(ctx, s, q, s.attachmentColumns(), rest, args...) {
			if err != nil {
				return err
			}
			v := byID[a.alert]
			v.Services = append(v.Services, &a.service)
			v.ServiceIDs = append(v.ServiceIDs, a.service.ID)
		}
	}
	return nil
}

// setServices attaches the services of v's ServiceIDs, and no others, to v,
// and fills its Services. It is the last part of every change of an alert.
func (s *Store) setServices(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Alert) error {
	wanted := v.ServiceIDs
	if err := s.fillServices(ctx, tx, []*tidemark.Alert{v}); err != nil {
		return err
	}
	if !slices.Equal(wanted, v.ServiceIDs) {
		if err := s.replaceServices(ctx, tx, org, v.ID, wanted); err != nil {
			return err
		}
		if err := s.fillServices(ctx, tx, []*tidemark.Alert{v}); err != nil {
			return err
		}
	}
	return s.bumpAlerts(ctx, tx, org)
}

func (s *Store) replaceServices(ctx context.Context, tx conn, org tidemark.OrgID, alert int64, ids []int64) error {
	if err := s.checkServices(ctx, tx, org, "services", ids); err != nil {
		return err
	}
	if _, err := s.exec(ctx, tx, `DELETE FROM alert_services WHERE alert_id = ?`, alert); err != nil {
		return err
	}
	for i, id := range ids {
		if err := s.attach(ctx, tx, alert, id, i, "services"); err != nil {
			return err
		}
	}
	return nil
}

// checkServices checks that org has all services in ids.
func (s *Store) checkServices(ctx context.Context, tx conn, org tidemark.OrgID, field string, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	found, err := values[int64](ctx, s, tx, `SELECT id `+ofOrg+` AND id IN `+placeholders(len(ids)), anys(org, ids)...)
	if err != nil {
		return err
	}
	var p tidemark.Problems
	for _, id := range ids {
		p.Check(slices.Contains(found, id), field, "%d does not exist", id)
	}
	return p.Err()
}

func (s *Store) attach(ctx context.Context, tx conn, alert, service int64, position int, field string) error {
	_, err := s.exec(ctx, tx, `INSERT INTO alert_services (alert_id, service_id, position) VALUES (?, ?, ?)`, alert, service, position)
	if s.isForeignKey(err) { // deleted since it was looked up
		return tidemark.InvalidField(field, "%d does not exist", service)
	}
	return err
}

// AttachService adds a service to an alert, both of org. One that is attached
// already stays so. A service that does not exist is Invalid, an alert that
// does not exist is NotFound.
func (s *Store) AttachService(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.AttachmentKey) error {
	return s.changeServices(ctx, operation{org, by, "alert.update"}, k.Alert, func(tx conn, v *tidemark.Alert) error {
		if slices.Contains(v.ServiceIDs, k.Service) {
			return nil
		}
		if err := s.checkServices(ctx, tx, org, "service", []int64{k.Service}); err != nil {
			return err
		}
		v.ServiceIDs = append(v.ServiceIDs, k.Service)
		if err := v.Validate(); err != nil {
			return err
		}
		position, err := value[int](ctx, s, tx, "alert",
			`SELECT COALESCE(MAX(position), -1) + 1 FROM alert_services WHERE alert_id = ?`, k.Alert)
		if err != nil {
			return err
		}
		return s.attach(ctx, tx, k.Alert, k.Service, position, "service")
	})
}

// DetachService removes a service from an alert of org.
func (s *Store) DetachService(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.AttachmentKey) error {
	return s.changeServices(ctx, operation{org, by, "alert.update"}, k.Alert, func(tx conn, v *tidemark.Alert) error {
		v.ServiceIDs = slices.DeleteFunc(v.ServiceIDs, func(id int64) bool { return id == k.Service })
		return s.affect(ctx, tx, "service", `DELETE FROM alert_services WHERE alert_id = ? AND service_id = ?`, k.Alert, k.Service)
	})
}

// changeServices changes the services of an alert of org, which is locked
// meanwhile.
func (s *Store) changeServices(ctx context.Context, w operation, alert int64, change func(tx conn, v *tidemark.Alert) error) error {
	return s.write(ctx, func(tx conn) error {
		v, err := s.alert(ctx, tx, `FROM alerts WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, w.org, alert)
		if err != nil {
			return err
		}
		was := fieldsOfAlert(v)
		if err := change(tx, v); err != nil {
			return err
		}
		is := fieldsOfAlert(v)
		if err := s.keepAlert(ctx, tx, revision{operation: w}, alert, was, is, v.UpdatedAt); err != nil {
			return err
		}
		if err := s.noteChange(ctx, tx, w, alertColumns.object(v), was, is); err != nil {
			return err
		}
		return s.bumpAlerts(ctx, tx, w.org)
	})
}
