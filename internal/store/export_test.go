package store

import (
	"context"
	"io/fs"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// OneConnection leaves the store one connection to read and write with, or one
// for each where those are two, so that whoever waits for a second with one in
// hand waits in vain. It is of no use to more than one at a time.
func OneConnection(s *Store) {
	for _, c := range []*connections{s.readers, s.writers} {
		c.size, c.reserve = 1, 0
	}
}

// Slow runs a query that takes as long as ctx, in a transaction that writes if
// write.
func Slow(ctx context.Context, s *Store, write bool) error {
	stmt := `SELECT COUNT(*) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n) AS x`
	if s.InPostgres() {
		stmt = `SELECT COUNT(*) FROM (SELECT pg_sleep(600)) AS x`
	}
	if !write {
		_, err := value[int64](ctx, s, s.db, "answer", stmt)
		return err
	}
	return s.write(ctx, func(tx conn) error {
		_, err := value[int64](ctx, s, tx, "answer", stmt)
		return err
	})
}

// SetVersionBytes makes versions of one thing be kept until they are longer
// together than others are.
func SetVersionBytes(s *Store, n int64) { s.versionBytes = n }

// SetPatience has work wait for connections for another time. Nothing may wait
// meanwhile.
func SetPatience(s *Store, d time.Duration) { s.readers.patience, s.writers.patience = d, d }

// SetClock makes the store believe what now says of the time.
func (s *Store) SetClock(now func() int64) { s.now = now }

// fill adds n rows by one statement, which inserts what it selects from the
// numbers i from 1 to n: a thousand calls of the store would take long.
func fill(ctx context.Context, s *Store, n int, insert string, args ...any) error {
	_, err := s.exec(ctx, s.writer, `
		WITH RECURSIVE numbers (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM numbers WHERE i < ?) `+insert,
		append([]any{n}, args...)...)
	return err
}

// FillAudit adds entries at the times from 1 to n.
func FillAudit(ctx context.Context, s *Store, org tidemark.OrgID, n int) error {
	return fill(ctx, s, n, `
		INSERT INTO audit (org_id, at, actor, action, object, detail, search_key)
		SELECT CAST(? AS BIGINT), i, '', '', '', '{}', '' FROM numbers`, org)
}

// FillServices adds n services.
func FillServices(ctx context.Context, s *Store, org tidemark.OrgID, n int) error {
	return fill(ctx, s, n, `
		INSERT INTO services (org_id, type, title, title_key, settings, created_at, updated_at)
		SELECT CAST(? AS BIGINT), 'mail', 'x', 'x', '{}', i, i FROM numbers`, org)
}

// FillSpace adds n charts to a space.
func FillSpace(ctx context.Context, s *Store, org tidemark.OrgID, space int64, n int) error {
	return fill(ctx, s, n, `
		INSERT INTO charts (org_id, space_id, body, created_at, updated_at)
		SELECT CAST(? AS BIGINT), CAST(? AS BIGINT), '{"type":"line","streams":[]}', i, i FROM numbers`, org, space)
}

// SetAttributes gives a metric attributes as they are, as before they had to
// be valid.
func SetAttributes(ctx context.Context, s *Store, org tidemark.OrgID, metric string, attributes map[string]any) error {
	_, err := s.exec(ctx, s.writer, `UPDATE metrics SET attributes = ? WHERE org_id = ? AND name_key = ?`,
		asJSON(&attributes), org, tidemark.MetricKey(metric))
	return err
}

// SpoilConditions replaces the conditions of an alert.
func SpoilConditions(ctx context.Context, s *Store, alert int64, text string) error {
	_, err := s.exec(ctx, s.writer, `UPDATE alerts SET conditions = ? WHERE id = ?`, text, alert)
	return err
}

// SpoilNotices replaces the notices of an organization's deliveries.
func SpoilNotices(ctx context.Context, s *Store, org tidemark.OrgID, text string) error {
	_, err := s.exec(ctx, s.writer, `UPDATE deliveries SET notice = ? WHERE org_id = ?`, text, org)
	return err
}

// PageOfEvents is pageOfEvents.
var PageOfEvents = pageOfEvents

// OpenAsOf opens a database as a version did that had the first n migrations.
func OpenAsOf(ctx context.Context, url string, n int) (*Store, error) {
	s, err := connect(url)
	if err != nil {
		return nil, err
	}
	s.now = func() int64 { return time.Now().Unix() }
	files, err := fs.Glob(migrations, "migrations/"+s.dialect.name+"/*.sql")
	if err != nil {
		return nil, err
	}
	return s, s.migrateBy(ctx, files[:n], func(Migration) {})
}

// ForgetAllVersions makes everything look as if it was from before versions
// were kept.
func ForgetAllVersions(ctx context.Context, s *Store) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM object_versions`)
	return err
}

// OnlyCopied is the condition on the rows of a table that CopyTo copies.
func OnlyCopied(table string) string { return onlyCopied[table] }

// ErrMoving and ErrMoveBusy are what is refused while data is moved.
var ErrMoving, ErrMoveBusy = errMoving, errMoveBusy
