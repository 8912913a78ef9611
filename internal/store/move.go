package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/tidemark-metrics/tidemark"
)

// moveSetting is where the state of a move is kept. It stays behind when the
// control store is copied.
const moveSetting = "move"

// MoveState is how far a move is.
type MoveState string

const (
	Moving    MoveState = "moving"    // data is copied; no server may start on it
	Finishing MoveState = "finishing" // all is there; metrics that fold are told to
	Moved     MoveState = "moved"     // servers may use it
)

// Move is the copying of another server's data into this database, and into
// the engine that belongs to it.
type Move struct {
	Source    string    `json:"source"` // which data it is
	Engine    string    `json:"engine"` // the engine that is filled; "" if none is
	InPlace   bool      `json:"in_place"`
	State     MoveState `json:"state"`
	StartedAt int64     `json:"started_at"`
	RawFrom   int64     `json:"raw_from"` // from there on records are copied as they are, before it summaries
	Records   int64     `json:"records"`  // that were written so far
	Seconds   float64   `json:"seconds"`  // that it took
}

// Move returns the move into this database; nil if there never was one.
func (s *Store) Move(ctx context.Context) (*Move, error) {
	text, err := s.Setting(ctx, moveSetting)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := new(Move)
	return m, json.Unmarshal(text, m)
}

// SaveMove keeps the state of the move. With the end of it, what was noted of
// its parts goes.
func (s *Store) SaveMove(ctx context.Context, m *Move) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		if m.State == Moved {
			if _, err := s.exec(ctx, tx, `DELETE FROM moved_parts`); err != nil {
				return err
			}
		}
		_, err := s.exec(ctx, tx, `
			INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, moveSetting, text)
		return err
	})
}

var (
	errMoving   = errors.New("tidemark migrate has not copied all data here yet: run it again until it says that the migration is complete")
	errMoveBusy = errors.New("another tidemark migrate copies data to the same place")
)

// CheckMoved refuses a database that is being filled, or whose engine is.
func (s *Store) CheckMoved(ctx context.Context, engine string) error {
	m, err := s.Move(ctx)
	if err != nil || m == nil || m.State == Moved || m.InPlace && m.Engine != engine {
		return err
	}
	return errMoving
}

// LockMove makes the caller the only one who copies data into this database,
// until it lets go or its process ends. SQLite is in a directory that is locked.
func (s *Store) LockMove(ctx context.Context) (release func() error, err error) {
	if !s.InPostgres() {
		return func() error { return nil }, nil
	}
	c, err := s.conn(ctx)
	if err != nil {
		return nil, s.translate(err)
	}
	var free bool
	if err := c.QueryRowContext(ctx, `SELECT pg_try_advisory_lock(727365, hashtext(current_schema()))`).Scan(&free); err != nil {
		return nil, errors.Join(s.translate(err), c.Close())
	}
	if !free {
		return nil, errors.Join(errMoveBusy, c.Close())
	}
	return func() error {
		// The connection goes back to the pool, and the lock is its.
		_, err := c.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(727365, hashtext(current_schema()))`)
		return errors.Join(err, c.Close())
	}, nil
}

// movedPart is a row of moved_parts.
type movedPart struct {
	metric string
	digest int64
}

// MovedParts returns what was copied of an organization and a stretch of time,
// by metric.
func (s *Store) MovedParts(ctx context.Context, org tidemark.OrgID, start int64) (map[string]int64, error) {
	found := make(map[string]int64)
	c := columns[movedPart]{names: `metric, digest`, dest: func(v *movedPart) []any { return []any{&v.metric, &v.digest} }}
	for p, err := range each(ctx, s, s.db, c, `FROM moved_parts WHERE org_id = ? AND start = ?`, org, start) {
		if err != nil {
			return nil, err
		}
		found[p.metric] = p.digest
	}
	return found, nil
}

// SaveMovedParts notes what was copied of a stretch of time.
func (s *Store) SaveMovedParts(ctx context.Context, org tidemark.OrgID, start int64, digests map[string]int64) error {
	if len(digests) == 0 {
		return nil
	}
	return s.write(ctx, func(tx conn) error {
		save, err := tx.(*transaction).PrepareContext(ctx, s.dialect.rebind(`INSERT INTO moved_parts (org_id, start, metric, digest) VALUES (?, ?, ?, ?)
			ON CONFLICT (org_id, start, metric) DO UPDATE SET digest = excluded.digest`))
		if err != nil {
			return err
		}
		defer save.Close()
		for metric, digest := range digests {
			if _, err := save.ExecContext(ctx, org, start, metric, digest); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetMoved forgets that anything of a metric was copied.
func (s *Store) ForgetMoved(ctx context.Context, org tidemark.OrgID, metric string) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM moved_parts WHERE org_id = ? AND metric = ?`, org, metric)
	return err
}

// ForgetMovedPart forgets that a stretch of time of a metric was copied.
func (s *Store) ForgetMovedPart(ctx context.Context, org tidemark.OrgID, start int64, metric string) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM moved_parts WHERE org_id = ? AND start = ? AND metric = ?`, org, start, metric)
	return err
}

// MovedOrgs returns the organizations of which something was copied.
func (s *Store) MovedOrgs(ctx context.Context) ([]tidemark.OrgID, error) {
	return values[tidemark.OrgID](ctx, s, s.db, `SELECT DISTINCT org_id FROM moved_parts ORDER BY org_id`)
}

// MovedMetrics returns the metrics of an organization of which something was
// copied.
func (s *Store) MovedMetrics(ctx context.Context, org tidemark.OrgID) ([]string, error) {
	return values[string](ctx, s, s.db, `SELECT DISTINCT metric FROM moved_parts WHERE org_id = ? ORDER BY metric`, org)
}

// beginReading starts a transaction that sees the database as of one moment.
func (s *Store) beginReading(ctx context.Context) (*sql.Tx, error) {
	var o *sql.TxOptions
	if s.InPostgres() { // SQLite's readers have it as it is
		o = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	}
	return s.db.BeginTx(ctx, o)
}
