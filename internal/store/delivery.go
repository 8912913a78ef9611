package store

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

var deliveryColumns = columns[tidemark.Delivery]{
	noun: "delivery",
	names: `id, org_id, alert_id, COALESCE(incident_id, 0), service_id, kind, dedup, status, tries, created_at, started_at, due_at,
		finished_at, fallback_of, notice`,
	dest: func(v *tidemark.Delivery) []any {
		v.Attempts = []tidemark.Attempt{}
		return []any{
			&v.ID, &v.Org, &v.Alert, &v.Incident, &v.Service, &v.Kind, &v.Key, &v.Status, &v.Tries, &v.CreatedAt, &v.StartedAt, &v.DueAt,
			&v.FinishedAt, &v.FallbackOf, noticeColumn{v},
		}
	},
}

// noticeColumn reads the notice of a delivery. One that cannot be read is an
// attribute of its delivery and no error: the deliveries of all organizations
// are taken together.
type noticeColumn struct{ v *tidemark.Delivery }

// Scan implements sql.Scanner.
func (c noticeColumn) Scan(src any) error {
	err := asJSON(&c.v.Notice).Scan(src)
	if err == nil && c.v.Notice == nil {
		err = errors.New("there is none")
	}
	if err != nil {
		c.v.Unreadable = err.Error()
		c.v.Notice = &tidemark.Notice{Kind: c.v.Kind, Org: c.v.Org, Alert: c.v.Alert, Conditions: []tidemark.Condition{}, Violations: []tidemark.Violation{}}
	}
	return nil
}

// AlertDeliveries returns a page of the deliveries of one alert of
// org, latest first, with every attempt.
func (s *Store) AlertDeliveries(ctx context.Context, org tidemark.OrgID, alert int64, p tidemark.Page) ([]*tidemark.Delivery, tidemark.Counts, error) {
	if err := s.checkAlertExists(ctx, org, alert); err != nil {
		return nil, tidemark.Counts{}, err
	}
	return s.deliveries(ctx, `FROM deliveries WHERE org_id = ? AND alert_id = ?`, []any{org, alert}, p)
}

// ServiceDeliveries is AlertDeliveries for one service.
func (s *Store) ServiceDeliveries(ctx context.Context, org tidemark.OrgID, service int64, p tidemark.Page) ([]*tidemark.Delivery, tidemark.Counts, error) {
	if _, err := s.Service(ctx, org, service); err != nil {
		return nil, tidemark.Counts{}, err
	}
	return s.deliveries(ctx, `FROM deliveries WHERE org_id = ? AND service_id = ?`, []any{org, service}, p)
}

func (s *Store) deliveries(ctx context.Context, from string, args []any, p tidemark.Page) ([]*tidemark.Delivery, tidemark.Counts, error) {
	p.Name = ""
	found, n, err := page(ctx, s, deliveryColumns, listing{from: from, args: args, orders: []order{{"id", "id"}}, desc: true}, p)
	if err != nil {
		return nil, n, err
	}
	return found, n, s.fillDeliveries(ctx, found)
}

// Delivery returns one delivery of org with its attempts.
func (s *Store) Delivery(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Delivery, error) {
	v, err := one(ctx, s, s.db, deliveryColumns, `FROM deliveries WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	return v, s.fillDeliveries(ctx, []*tidemark.Delivery{v})
}

type attemptRow struct {
	tidemark.Attempt
	delivery int64
}

var attemptColumns = columns[attemptRow]{
	noun:  "attempt",
	names: `delivery_id, at, duration_ms, ok, answer`,
	dest: func(v *attemptRow) []any {
		return []any{&v.delivery, &v.At, &v.Duration, &v.OK, &v.Answer}
	},
}

// fillDeliveries adds what is kept beside deliveries.
func (s *Store) fillDeliveries(ctx context.Context, all []*tidemark.Delivery) error {
	if err := s.fillTitles(ctx, all); err != nil {
		return err
	}
	return s.fillAttempts(ctx, all)
}

// serviceTitle is what a service is called by those who look at deliveries: a
// device by whose it is.
type serviceTitle struct {
	id    int64
	title string
}

var serviceTitleColumns = columns[serviceTitle]{
	noun:  "service",
	names: `s.id, CASE WHEN u.id IS NULL THEN s.title ELSE u.email || ', ' || s.title END`,
	dest:  func(v *serviceTitle) []any { return []any{&v.id, &v.title} },
}

func (s *Store) fillTitles(ctx context.Context, all []*tidemark.Delivery) error {
	for chunk := range slices.Chunk(all, maxIn) {
		args := make([]any, len(chunk))
		for i, v := range chunk {
			args[i] = v.Service
		}
		titles := make(map[int64]string, len(chunk))
		rest := `FROM services s LEFT JOIN users u ON u.id = s.user_id WHERE s.id IN ` + placeholders(len(chunk))
		for t, err := range each(ctx, s, s.db, serviceTitleColumns, rest, args...) {
			if err != nil {
				return err
			}
			titles[t.id] = t.title
		}
		for _, v := range chunk {
			v.To = titles[v.Service]
		}
	}
	return nil
}

func (s *Store) fillAttempts(ctx context.Context, all []*tidemark.Delivery) error {
	for chunk := range slices.Chunk(all, maxIn) {
		byID := make(map[int64]*tidemark.Delivery, len(chunk))
		args := make([]any, len(chunk))
		for i, v := range chunk {
			byID[v.ID], args[i] = v, v.ID
		}
		rest := `FROM delivery_attempts WHERE delivery_id IN ` + placeholders(len(chunk)) + ` ORDER BY delivery_id, id`
		for a, err := range each(ctx, s, s.db, attemptColumns, rest, args...) {
			if err != nil {
				return err
			}
			v := byID[a.delivery]
			v.Attempts = append(v.Attempts, a.Attempt)
		}
	}
	return nil
}

// addDeliveries adds a delivery of n to each service of the alert, but a
// reminder only where it is one.
func (s *Store) addDeliveries(ctx context.Context, tx conn, c *tidemark.StateChange, n *tidemark.Notice) error {
	services, err := s.servicesToNotify(ctx, tx, c, n)
	if err != nil {
		return err
	}
	due := func(int64) (int64, bool) { return c.Now, true }
	if n.Kind == tidemark.NoticeReminder && !c.Alert.RearmPerSignal && !c.Transition.Resumed {
		if due, err = s.remindersDue(ctx, tx, c); err != nil {
			return err
		}
	}
	for _, service := range services {
		at, wanted := due(service)
		if !wanted {
			continue
		}
		d := &tidemark.Delivery{
			Org: c.Org, Alert: c.Alert.ID, Incident: c.Incident.ID, Service: service, Kind: n.Kind, Status: tidemark.DeliveryWaiting,
			Key: tidemark.DeliveryKey(n.IncidentKey, n.Kind, c.Now), CreatedAt: c.Now, StartedAt: at, DueAt: at, Notice: n,
		}
		if c.Delivered != nil {
			d.Status, d.Tries, d.FinishedAt = tidemark.DeliveryDelivered, 1, c.Delivered.At
		}
		if err := s.insertDelivery(ctx, tx, d); err != nil {
			return err
		}
		if c.Delivered != nil {
			if err := s.addAttempt(ctx, tx, d.ID, c.Delivered); err != nil {
				return err
			}
		}
	}
	return nil
}

// remindersDue returns when each service is due a reminder of an incident, by
// tidemark.ReminderDue.
func (s *Store) remindersDue(ctx context.Context, tx conn, c *tidemark.StateChange) (func(service int64) (int64, bool), error) {
	earlier := make(map[int64][]*tidemark.Delivery)
	for d, err := range each(ctx, s, tx, deliveryColumns, `FROM deliveries WHERE incident_id = ?`, c.Incident.ID) {
		if err != nil {
			return nil, err
		}
		earlier[d.Service] = append(earlier[d.Service], d)
	}
	return func(service int64) (int64, bool) {
		return tidemark.ReminderDue(earlier[service], c.Alert.RearmSeconds, c.Now)
	}, nil
}

func (s *Store) insertDelivery(ctx context.Context, tx conn, d *tidemark.Delivery) error {
	var incident *int64
	if d.Incident != 0 {
		incident = &d.Incident
	}
	return insert(ctx, s, tx, &d.ID, `
		INSERT INTO deliveries (org_id, alert_id, incident_id, service_id, kind, dedup, status, tries, created_at, started_at, due_at,
			finished_at, fallback_of, notice)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		d.Org, d.Alert, incident, d.Service, d.Kind, d.Key, d.Status, d.Tries, d.CreatedAt, d.StartedAt, d.DueAt,
		d.FinishedAt, d.FallbackOf, asJSON(&d.Notice))
}

// Release makes deliveries that were taken due at the given time.
func (s *Store) Release(ctx context.Context, ids []int64, due int64) error {
	for chunk := range slices.Chunk(ids, maxIn) {
		args := append([]any{due, tidemark.DeliveryWaiting}, anys(chunk[0], chunk[1:])...)
		if _, err := s.exec(ctx, s.writer, `UPDATE deliveries SET due_at = ?, taken_until = 0 WHERE status = ? AND id IN `+placeholders(len(chunk)), args...); err != nil {
			return err
		}
	}
	return nil
}

// Finish records how a try went. A delivery that is not waiting any more keeps
// its status; one that is gone is fine.
func (s *Store) Finish(ctx context.Context, o *tidemark.Outcome) error {
	return s.write(ctx, func(tx conn) error {
		d, err := one(ctx, s, tx, deliveryColumns, `FROM deliveries WHERE id = ?`+s.dialect.forUpdate, o.Delivery)
		if err != nil {
			if tidemark.KindOf(err) == tidemark.NotFound {
				return nil
			}
			return err
		}
		if err := s.addAttempt(ctx, tx, d.ID, &o.Attempt); err != nil {
			return err
		}
		if d.Status == tidemark.DeliveryWaiting {
			d.Status, d.DueAt = o.Status, o.DueAt
			if o.Status != tidemark.DeliveryWaiting {
				d.FinishedAt = o.Attempt.At
			}
		}
		if !o.Uncounted {
			d.Tries++
		}
		_, err = s.exec(ctx, tx, `UPDATE deliveries SET tries = ?, status = ?, due_at = ?, finished_at = ?, taken_until = 0 WHERE id = ?`,
			d.Tries, d.Status, d.DueAt, d.FinishedAt, d.ID)
		if err != nil {
			return err
		}
		if err := s.supersede(ctx, tx, o.Attempt.At, `alert_id = ? AND service_id = ?`, d.Alert, d.Service); err != nil {
			return err
		}
		if d.Status != tidemark.DeliveryFailed {
			return nil
		}
		if d.Notice.Report != nil { // no other service stands in: it might page somebody
			return s.noteUndelivered(ctx, tx, d, o.Attempt.Answer)
		}
		if o.Fallback == 0 {
			return nil
		}
		return s.fallBack(ctx, tx, d, o)
	})
}

func (s *Store) addAttempt(ctx context.Context, tx conn, delivery int64, a *tidemark.Attempt) error {
	_, err := s.exec(ctx, tx, `INSERT INTO delivery_attempts (delivery_id, at, duration_ms, ok, answer) VALUES (?, ?, ?, ?, ?)`,
		delivery, a.At, a.Duration, a.OK, a.Answer)
	return err
}

// fallBack notifies another service of the organization instead, if there is one.
func (s *Store) fallBack(ctx context.Context, tx conn, d *tidemark.Delivery, o *tidemark.Outcome) error {
	there, err := values[int64](ctx, s, tx, `SELECT id `+ofOrg+` AND id = ?`, d.Org, o.Fallback)
	if err != nil || len(there) == 0 {
		return err
	}
	f := *d
	f.Service, f.FallbackOf, f.Status, f.Tries, f.FinishedAt = o.Fallback, d.ID, tidemark.DeliveryWaiting, 0, 0
	f.StartedAt, f.DueAt = o.Attempt.At, o.Attempt.At
	return s.insertDelivery(ctx, tx, &f)
}

// RetryDelivery makes one delivery of org due now, as if it had never been
// tried. One that was delivered or cancelled is a Conflict.
func (s *Store) RetryDelivery(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, now int64) error {
	return s.write(ctx, func(tx conn) error {
		d, err := one(ctx, s, tx, deliveryColumns, `FROM deliveries WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
		if err != nil {
			return err
		}
		if d.Status != tidemark.DeliveryWaiting && d.Status != tidemark.DeliveryFailed {
			return tidemark.Errorf(tidemark.Conflict, "this delivery is %s", d.Status)
		}
		_, err = s.exec(ctx, tx, `UPDATE deliveries SET status = ?, due_at = ?, started_at = ?, finished_at = 0 WHERE org_id = ? AND id = ?`,
			tidemark.DeliveryWaiting, now, now, org, id)
		if err != nil {
			return err
		}
		return s.note(ctx, tx, operation{org, by, "delivery.retry"}, "delivery "+strconv.FormatInt(id, 10), map[string]any{"alert": d.Alert, "service": d.Service})
	})
}

// RecordTest keeps the results of a test notification with the deliveries of
// an alert of org.
func (s *Store) RecordTest(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, n *tidemark.Notice, key string, results []tidemark.TestResult) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.lockAlert(ctx, tx, org, n.Alert); err != nil {
			return err
		}
		for _, r := range results {
			status := tidemark.DeliveryDelivered
			if !r.OK {
				status = tidemark.DeliveryFailed
			}
			d := &tidemark.Delivery{
				Org: org, Alert: n.Alert, Service: r.Service, Kind: tidemark.NoticeTest, Key: key, Status: status, Tries: 1,
				CreatedAt: n.Time, StartedAt: n.Time, DueAt: n.Time, FinishedAt: n.Time, Notice: n,
			}
			if err := s.insertDelivery(ctx, tx, d); err != nil {
				return err
			}
			if err := s.addAttempt(ctx, tx, d.ID, &tidemark.Attempt{At: n.Time, Duration: r.Duration, OK: r.OK, Answer: r.Answer}); err != nil {
				return err
			}
		}
		return s.noteAlert(ctx, tx, operation{org, by, "alert.test"}, n.Alert, map[string]any{"services": len(results)})
	})
}

// PruneAlerting forgets incidents, deliveries and snoozes that ended before
// then.
func (s *Store) PruneAlerting(ctx context.Context, before int64) error {
	for _, stmt := range []string{
		`DELETE FROM deliveries WHERE status <> 'waiting' AND finished_at < ?`,
		`DELETE FROM incidents WHERE cleared_at < ?`,
		`DELETE FROM alert_snoozes WHERE ends_at < ?`,
	} {
		if _, err := s.exec(ctx, s.writer, stmt, before); err != nil {
			return err
		}
	}
	return nil
}

// Account returns by what name receivers of notifications know org: the e-mail
// address of its first admin, or "".
func (s *Store) Account(ctx context.Context, org tidemark.OrgID) (string, error) {
	found, err := values[string](ctx, s, s.db, `
		SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.org_id = ? AND m.role = ? ORDER BY m.created_at, u.id LIMIT 1`, org, string(tidemark.FullAccess))
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}
