package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// dueDeliveries are those of an organization that wait, whose time has come,
// and before which no other of their incident waits for the same service.
const dueDeliveries = `FROM deliveries d WHERE d.org_id = ? AND d.status = 'waiting' AND d.due_at <= ? AND NOT EXISTS (
	SELECT 1 FROM deliveries e WHERE e.incident_id = d.incident_id AND e.service_id = d.service_id AND e.status = 'waiting' AND e.id < d.id)`

// TakeDue returns deliveries that are due, longest due first, shared evenly
// among the organizations that have some, and makes them due again at q.Until,
// should nobody finish them.
func (s *Store) TakeDue(ctx context.Context, q tidemark.DueQuery) ([]*tidemark.Delivery, error) {
	// Mostly there are none, and then no writer is waited for.
	ids, err := s.dueIDs(ctx, s.db, q, "")
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	var taken []*tidemark.Delivery
	err = s.write(ctx, func(tx conn) error {
		ids, err := s.dueIDs(ctx, tx, q, s.dialect.forUpdate)
		if err != nil || len(ids) == 0 {
			taken = nil
			return err
		}
		in := placeholders(len(ids))
		if _, err := s.exec(ctx, tx, `UPDATE deliveries SET due_at = ? WHERE id IN `+in, anys(q.Until, ids)...); err != nil {
			return err
		}
		taken, err = many(ctx, s, tx, deliveryColumns, `FROM deliveries WHERE id IN `+in+` ORDER BY id`, anys(ids[0], ids[1:])...)
		return err
	})
	return taken, err
}

// dueIDs returns the deliveries that TakeDue takes. What an organization does
// not need of its share is left to those after it.
func (s *Store) dueIDs(ctx context.Context, q conn, due tidemark.DueQuery, lock string) ([]int64, error) {
	orgs, err := s.orgsWithDue(ctx, q, due)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for i, org := range orgs {
		left, sharing := due.Limit-len(ids), len(orgs)-i
		if left <= 0 {
			break
		}
		rest, args := dueDeliveries, []any{org, due.Now}
		if skip := due.Services[:min(len(due.Services), maxIn)]; len(skip) > 0 {
			rest += ` AND d.service_id NOT IN ` + placeholders(len(skip))
			for _, id := range skip {
				args = append(args, id)
			}
		}
		found, err := values[int64](ctx, s, q, `SELECT d.id `+rest+` ORDER BY d.due_at, d.id LIMIT ?`+lock, append(args, (left+sharing-1)/sharing)...)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	return ids, nil
}

// orgsWithDue returns the organizations that have due deliveries, those that
// have waited for longest first.
func (s *Store) orgsWithDue(ctx context.Context, q conn, due tidemark.DueQuery) ([]tidemark.OrgID, error) {
	query, args := `SELECT org_id FROM deliveries WHERE status = 'waiting' AND due_at <= ?`, []any{due.Now}
	if skip := due.Orgs[:min(len(due.Orgs), maxIn)]; len(skip) > 0 {
		query += ` AND org_id NOT IN ` + placeholders(len(skip))
		for _, org := range skip {
			args = append(args, org)
		}
	}
	return values[tidemark.OrgID](ctx, s, q, query+` GROUP BY org_id ORDER BY MIN(due_at), org_id`, args...)
}

// RewindDeliveries makes the deliveries of all organizations due at now that
// wait for a time which only a clock that was ahead can have set: started after
// now, or due after latest.
func (s *Store) RewindDeliveries(ctx context.Context, now, latest int64) error {
	_, err := s.exec(ctx, s.writer, `
		UPDATE deliveries SET due_at = ?, started_at = CASE WHEN started_at > ? THEN ? ELSE started_at END
		WHERE status = 'waiting' AND (started_at > ? OR due_at > ?)`, now, now, now, now, latest)
	return err
}

// DeliveryBacklog returns what waits to be delivered, of all organizations.
func (s *Store) DeliveryBacklog(ctx context.Context) (*tidemark.DeliveryBacklog, error) {
	c := columns[tidemark.DeliveryBacklog]{
		noun:  "delivery",
		names: `COUNT(*), COALESCE(SUM(CASE WHEN tries > 0 THEN 1 ELSE 0 END), 0), COALESCE(MIN(started_at), 0)`,
		dest:  func(v *tidemark.DeliveryBacklog) []any { return []any{&v.Waiting, &v.Retrying, &v.Oldest} },
	}
	return one(ctx, s, s.db, c, `FROM deliveries WHERE status = 'waiting'`)
}
