package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// checkEscalation checks that the services that the steps of v name exist.
// Those that are gone and were there before are left out.
func (s *Store) checkEscalation(ctx context.Context, tx conn, org tidemark.OrgID, v, old *tidemark.Alert) error {
	var had []int64
	for _, step := range old.Escalation {
		had = append(had, step.Services...)
	}
	steps := []tidemark.EscalationStep{}
	for _, step := range v.Escalation {
		there, err := s.existingServices(ctx, tx, org, step.Services)
		if err != nil {
			return err
		}
		var p tidemark.Problems
		for _, id := range step.Services {
			p.Check(slices.Contains(there, id) || slices.Contains(had, id), "escalation.services", "%d does not exist", id)
		}
		if err := p.Err(); err != nil {
			return err
		}
		if step.Services = there; len(there) > 0 {
			steps = append(steps, step)
		}
	}
	if v.Escalation = steps; len(steps) == 0 {
		v.Escalation = nil
	}
	return nil
}

// existingServices returns those of ids that are services of org, each once,
// in the same order.
func (s *Store) existingServices(ctx context.Context, q conn, org tidemark.OrgID, ids []int64) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := values[int64](ctx, s, q, `SELECT id `+ofOrg+` AND id IN `+placeholders(len(ids)), anys(org, ids)...)
	if err != nil {
		return nil, err
	}
	var there []int64
	for _, id := range ids {
		if slices.Contains(found, id) && !slices.Contains(there, id) {
			there = append(there, id)
		}
	}
	return there, nil
}

// addEscalations adds the deliveries of the steps that are taken now, to those
// of their services that are still there.
func (s *Store) addEscalations(ctx context.Context, tx conn, c *tidemark.StateChange) error {
	for _, e := range c.Escalations {
		services, err := s.existingServices(ctx, tx, c.Org, e.Services)
		if err != nil {
			return err
		}
		notice := *e.Notice
		notice.IncidentKey = c.Incident.Key
		for _, service := range services {
			d := &tidemark.Delivery{
				Org: c.Org, Alert: c.Alert.ID, Incident: c.Incident.ID, Service: service, Kind: tidemark.NoticeEscalation,
				Status: tidemark.DeliveryWaiting, Key: tidemark.EscalationKey(c.Incident.Key, e.Step),
				CreatedAt: c.Now, StartedAt: c.Now, DueAt: c.Now, Notice: &notice,
			}
			if err := s.insertDelivery(ctx, tx, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// servicesToNotify returns the services that are notified of n: those of the alert,
// the devices of people who asked for it, and of an end also those that steps of the escalation notified of the incident.
func (s *Store) servicesToNotify(ctx context.Context, tx conn, c *tidemark.StateChange, n *tidemark.Notice) ([]int64, error) {
	services, err := values[int64](ctx, s, tx, `SELECT service_id FROM alert_services WHERE alert_id = ? ORDER BY position`, c.Alert.ID)
	if err != nil {
		return nil, err
	}
	devices, err := s.devicesToNotify(ctx, tx, c, n)
	services = append(services, devices...)
	if err != nil || n.Kind != tidemark.NoticeClear {
		return services, err
	}
	more, err := values[int64](ctx, s, tx, `SELECT DISTINCT service_id FROM deliveries
		WHERE incident_id = ? AND kind = ? AND fallback_of = 0 AND status <> ? ORDER BY service_id`,
		c.Incident.ID, tidemark.NoticeEscalation, tidemark.DeliveryCancelled)
	for _, id := range more {
		if !slices.Contains(services, id) {
			services = append(services, id)
		}
	}
	return services, err
}

// cancelRepeats keeps what waits to be delivered of an incident, beyond the
// first notification of each service of the alert and that of the end, from being
// delivered: somebody has acknowledged it.
func (s *Store) cancelRepeats(ctx context.Context, tx conn, incident, now int64) error {
	_, err := s.exec(ctx, tx, `UPDATE deliveries SET status = ?, finished_at = ? WHERE incident_id = ? AND status = ? AND (kind = ? OR kind = ?
		AND EXISTS (SELECT 1 FROM deliveries e WHERE e.incident_id = deliveries.incident_id AND e.service_id = deliveries.service_id AND e.id < deliveries.id))`,
		tidemark.DeliveryCancelled, now, incident, tidemark.DeliveryWaiting, tidemark.NoticeEscalation, tidemark.NoticeReminder)
	return err
}
