package store

import (
	"context"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// dueDeliveries are those of an organization that wait and whose time has come.
// Those of one alert to one service go one at a time, in order: each after
// those before it of its incident, and after what could go now of the incidents
// before. What was put off of these holds up no page.
const dueDeliveries = `FROM deliveries d WHERE d.org_id = ? AND d.status = 'waiting' AND d.due_at <= ? AND NOT EXISTS (
	SELECT 1 FROM deliveries e WHERE e.alert_id = d.alert_id AND e.service_id = d.service_id AND e.status = 'waiting' AND e.id <> d.id
	AND e.incident_id IS NOT NULL AND d.incident_id IS NOT NULL
	AND (e.taken_until > ? OR e.id < d.id AND (e.incident_id = d.incident_id OR e.due_at <= ? AND NOT EXISTS (
		SELECT 1 FROM deliveries f WHERE f.incident_id = e.incident_id AND f.service_id = e.service_id AND f.status = 'waiting'
		AND f.id < e.id AND f.due_at > ?))))`

// superseded are deliveries that wait, in nobody's hands, and that their
// receiver would take for news of a later incident of the alert, about which
// something has gone there, or may have: the end of an earlier one would close
// it there, and its begin would open it again when it is over.
var superseded = `status = 'waiting' AND taken_until <= ? AND NOT ` + byIncident + ` AND EXISTS (
	SELECT 1 FROM deliveries t WHERE t.alert_id = deliveries.alert_id AND t.service_id = deliveries.service_id
	AND t.incident_id > deliveries.incident_id AND t.kind <> 'clear'
	AND (t.status = 'delivered' OR deliveries.kind = 'clear' AND (t.tries > 0 OR t.taken_until > 0)))`

// byIncident are deliveries to services that go by the incident.
var byIncident = `EXISTS (SELECT 1 FROM services s WHERE s.id = deliveries.service_id AND s.type IN ('` + strings.Join(tidemark.TypesByIncident(), "', '") + `'))`

// supersede marks what is superseded of some deliveries.
func (s *Store) supersede(ctx context.Context, tx conn, now int64, which string, args ...any) error {
	_, err := s.exec(ctx, tx, `UPDATE deliveries SET status = ?, finished_at = ? WHERE `+which+` AND `+superseded,
		append(append([]any{tidemark.DeliverySuperseded, now}, args...), now)...)
	return err
}

// hurryClears makes the ends due of earlier incidents of an alert that fires
// again, where the receiver goes by the incident: they are sent before the news
// of this one, if they can be.
func (s *Store) hurryClears(ctx context.Context, tx conn, alert, now int64) error {
	_, err := s.exec(ctx, tx, `UPDATE deliveries SET due_at = ?
		WHERE alert_id = ? AND status = 'waiting' AND kind = 'clear' AND due_at > ? AND taken_until <= ? AND `+byIncident, now, alert, now, now)
	return err
}

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
		if err := s.supersede(ctx, tx, q.Now, `id IN `+in, anys(ids[0], ids[1:])...); err != nil {
			return err
		}
		in = in + ` AND status = 'waiting'`
		_, err = s.exec(ctx, tx, `UPDATE deliveries SET due_at = ?, taken_until = ? WHERE id IN `+in, append([]any{q.Until}, anys(q.Until, ids)...)...)
		if err != nil {
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
		rest, args := dueDeliveries, []any{org, due.Now, due.Now, due.Now, due.Now}
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
		UPDATE deliveries SET due_at = ?, started_at = CASE WHEN started_at > ? THEN ? ELSE started_at END,
			taken_until = CASE WHEN taken_until > ? THEN ? ELSE taken_until END
		WHERE status = 'waiting' AND (started_at > ? OR due_at > ?)`, now, now, now, now, now, now, latest)
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
