package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// engineTopic counts the changes of engine metrics; commitsTopic, where the
// database has no sequences, the commits.
const (
	engineTopic  = "engine"
	commitsTopic = "commits"
)

// EngineMetric is what all servers must agree on about the measurements of a
// metric, where an engine that several of them use keeps them.
type EngineMetric struct {
	Org  tidemark.OrgID
	Name string
	// Generation is how often the metric was deleted. What was written to an
	// earlier generation is gone, whether it was removed already or not.
	Generation int64
	Fold       bool
	Period     int64 // seconds, with Fold
	Folded     bool  // whether this generation ever folded
	Removed    int64 // generations before this one were removed from the disk
	Change     int64 // larger than that of every change before
}

var engineMetricColumns = columns[EngineMetric]{
	noun:  "metric",
	names: `org_id, name, generation, fold, period, folded, removed, change`,
	dest: func(v *EngineMetric) []any {
		return []any{&v.Org, &v.Name, &v.Generation, &v.Fold, &v.Period, &v.Folded, &v.Removed, &v.Change}
	},
}

// BeginCommit returns the number of a new commit of measurements, larger than
// all before, and the number of the latest change of an engine metric: a
// server that has not seen that change must read it before it writes.
func (s *Store) BeginCommit(ctx context.Context) (commit, change int64, err error) {
	rows, err := s.query(ctx, s.writer, s.dialect.nextCommit)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&commit, &change); err != nil {
			return 0, 0, s.translate(err)
		}
	}
	return commit, change, s.translate(rows.Err())
}

// EngineMetrics returns the engine metrics that were changed after a change,
// in the order of the changes.
func (s *Store) EngineMetrics(ctx context.Context, after int64) ([]*EngineMetric, error) {
	return many(ctx, s, s.db, engineMetricColumns, `FROM engine_metrics WHERE change > ? ORDER BY change`, after)
}

// SetEngineMode says how the records of a metric are kept from now on.
func (s *Store) SetEngineMode(ctx context.Context, org tidemark.OrgID, name string, fold bool, period int64) (*EngineMetric, error) {
	return s.changeEngineMetric(ctx, org, name, func(m *EngineMetric) {
		m.Fold, m.Period, m.Folded = fold, period, m.Folded || fold
	})
}

// DeleteEngineMetric begins a new generation of a metric.
func (s *Store) DeleteEngineMetric(ctx context.Context, org tidemark.OrgID, name string) (*EngineMetric, error) {
	return s.changeEngineMetric(ctx, org, name, func(m *EngineMetric) {
		m.Generation, m.Fold, m.Period, m.Folded = m.Generation+1, false, 0, false
	})
}

// RemovedGenerations records that the data of generations before one is gone.
func (s *Store) RemovedGenerations(ctx context.Context, org tidemark.OrgID, name string, before int64) error {
	_, err := s.exec(ctx, s.writer, `UPDATE engine_metrics SET removed = ? WHERE org_id = ? AND name = ? AND removed < ?`, before, org, name, before)
	return err
}

// changeEngineMetric makes one change after the other: anyone who counted it
// before holds the counter until it is committed, so that no reader that looks for
// changes after a number misses one with a smaller number.
func (s *Store) changeEngineMetric(ctx context.Context, org tidemark.OrgID, name string, change func(*EngineMetric)) (*EngineMetric, error) {
	m := new(EngineMetric)
	err := s.write(ctx, func(tx conn) error {
		if err := s.bump(ctx, tx, engineTopic); err != nil {
			return err
		}
		version, err := value[int64](ctx, s, tx, "version", `SELECT version FROM versions WHERE topic = ?`, engineTopic)
		if err != nil {
			return err
		}
		found, err := many(ctx, s, tx, engineMetricColumns, `FROM engine_metrics WHERE org_id = ? AND name = ?`, org, name)
		if err != nil {
			return err
		}
		*m = EngineMetric{Org: org, Name: name}
		if len(found) > 0 {
			*m = *found[0]
		}
		change(m)
		m.Change = version
		_, err = s.exec(ctx, tx, `
			INSERT INTO engine_metrics (org_id, name, generation, fold, period, folded, removed, change) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (org_id, name) DO UPDATE SET generation = excluded.generation, fold = excluded.fold, period = excluded.period,
				folded = excluded.folded, change = excluded.change`,
			m.Org, m.Name, m.Generation, m.Fold, m.Period, m.Folded, m.Removed, m.Change)
		return err
	})
	return m, err
}

// AddSamples adds to the number of records that organizations have written.
func (s *Store) AddSamples(ctx context.Context, samples map[tidemark.OrgID]int64) error {
	return s.write(ctx, func(tx conn) error {
		for org, n := range samples {
			_, err := s.exec(ctx, tx, `INSERT INTO engine_samples (org_id, samples) VALUES (?, ?)
				ON CONFLICT (org_id) DO UPDATE SET samples = engine_samples.samples + excluded.samples`, org, n)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// orgSamples is a row of engine_samples.
type orgSamples struct {
	org     tidemark.OrgID
	samples int64
}

// Samples returns how many records each organization has written.
func (s *Store) Samples(ctx context.Context) (map[tidemark.OrgID]int64, error) {
	found := make(map[tidemark.OrgID]int64)
	c := columns[orgSamples]{names: `org_id, samples`, dest: func(v *orgSamples) []any { return []any{&v.org, &v.samples} }}
	for row, err := range each(ctx, s, s.db, c, `FROM engine_samples`) {
		if err != nil {
			return nil, err
		}
		found[row.org] = row.samples
	}
	return found, nil
}

// EngineMark returns a number that was kept under a name, 0 if none was.
func (s *Store) EngineMark(ctx context.Context, name string) (int64, error) {
	found, err := values[int64](ctx, s, s.db, `SELECT value FROM engine_marks WHERE name = ?`, name)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// SetEngineMark keeps a number under a name, as long as the caller holds the
// lease with that fencing number: one that lost it without noticing must not
// change what its successor relies on.
func (s *Store) SetEngineMark(ctx context.Context, lease Lease, name string, value int64) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.fence(ctx, tx, lease); err != nil {
			return err
		}
		_, err := s.exec(ctx, tx, `INSERT INTO engine_marks (name, value) VALUES (?, ?)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
		return err
	})
}

// SwapEngineMark changes the number under a name, 0 if there is none, unless it
// is another one by now.
func (s *Store) SwapEngineMark(ctx context.Context, name string, from, to int64) (swapped bool, err error) {
	sql, args := `UPDATE engine_marks SET value = ? WHERE name = ? AND value = ?`, []any{to, name, from}
	if from == 0 {
		sql, args = `INSERT INTO engine_marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`, []any{name, to}
	}
	err = s.write(ctx, func(tx conn) error {
		n, err := s.exec(ctx, tx, sql, args...)
		swapped = n == 1
		return err
	})
	return swapped && err == nil, err
}
