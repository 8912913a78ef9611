package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// DueReports returns the report of each organization that is to be sent first
// at now: that somebody asked for or that has waited for longest. Of those with
// further ones it is the next that tells.
func (s *Store) DueReports(ctx context.Context, now int64, limit int) ([]*OrgReport, error) {
	return many(ctx, s, s.db, reportColumns, `
		FROM (SELECT r.*, ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY `+waitingSince+`, id) AS turn
			FROM reports r WHERE due_at > 0 AND due_at <= ? OR asked_at > 0) first
		WHERE turn = 1 ORDER BY `+waitingSince+`, id LIMIT ?`, now, limit)
}

// waitingSince is when a report that is due began to wait.
const waitingSince = `CASE WHEN asked_at > 0 THEN asked_at ELSE due_at END`

// FinishReport saves what became of a report that was due, for the holder of a
// lease. With a picture it is sent to the services that are still there, by
// what n says. One that was changed, sent or deleted meanwhile is left alone.
func (s *Store) FinishReport(ctx context.Context, lease Lease, was, is *OrgReport, png []byte, n *tidemark.Notice) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.fence(ctx, tx, lease); err != nil {
			return err
		}
		changed, err := s.exec(ctx, tx, `
			UPDATE reports SET due_at = ?, asked_at = ?, sent_at = ?, problem = ? WHERE org_id = ? AND id = ? AND due_at = ? AND asked_at = ?`,
			is.DueAt, is.AskedAt, is.SentAt, is.Problem, was.Org, was.ID, was.DueAt, was.AskedAt)
		if err != nil || changed == 0 || png == nil {
			return err
		}
		_, err = s.exec(ctx, tx, `
			INSERT INTO report_pictures (report_id, org_id, slot, png) VALUES (?, ?, ?, ?)
			ON CONFLICT (report_id) DO UPDATE SET slot = excluded.slot, png = excluded.png`, was.ID, was.Org, n.Time, png)
		if err != nil {
			return err
		}
		return s.sendReport(ctx, tx, is, n)
	})
}

func (s *Store) sendReport(ctx context.Context, tx conn, v *OrgReport, n *tidemark.Notice) error {
	there, err := values[int64](ctx, s, tx, `SELECT id `+ofOrg+` AND id IN `+placeholders(len(v.Services))+` ORDER BY id`, anys(v.Org, v.Services)...)
	if err != nil {
		return err
	}
	for _, service := range there {
		d := &tidemark.Delivery{
			Org: v.Org, Service: service, Kind: n.Kind, Key: v.DeliveryKey(n.Time), Status: tidemark.DeliveryWaiting,
			CreatedAt: v.SentAt, StartedAt: v.SentAt, DueAt: v.SentAt, Notice: n,
		}
		if err := s.insertDelivery(ctx, tx, d); err != nil {
			return err
		}
	}
	return nil
}

// ReportPicture returns the picture that was sent for a slot of a report of org,
// as long as there is no later one.
func (s *Store) ReportPicture(ctx context.Context, org tidemark.OrgID, id, slot int64) ([]byte, error) {
	return value[[]byte](ctx, s, s.db, "picture", `SELECT png FROM report_pictures WHERE org_id = ? AND report_id = ? AND slot = ?`, org, id, slot)
}

// noteUndelivered has a report, unless it was sent again since, say that a
// service of it got none.
func (s *Store) noteUndelivered(ctx context.Context, tx conn, d *tidemark.Delivery, answer string) error {
	titles, err := values[string](ctx, s, tx, `SELECT title `+ofOrg+` AND id = ?`, d.Org, d.Service)
	if err != nil || len(titles) == 0 {
		return err // whoever deleted it knows
	}
	_, err = s.exec(ctx, tx, `UPDATE reports SET problem = ? WHERE org_id = ? AND id = ? AND sent_at <= ?`,
		tidemark.ClipProblem(titles[0]+": "+answer), d.Org, d.Notice.Report.ID, d.CreatedAt)
	return err
}
