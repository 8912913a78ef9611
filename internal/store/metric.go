package store

import (
	"context"
	"iter"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

var metricColumns = columns[tidemark.Metric]{
	noun:  "metric",
	names: `name, type, display_name, description, period, source_lag, composite, attributes, created_at, updated_at`,
	dest: func(v *tidemark.Metric) []any {
		return []any{
			&v.Name, &v.Type, &v.DisplayName, &v.Description, &v.Period, &v.SourceLag, &v.Composite,
			asJSON(&v.Attributes), &v.CreatedAt, &v.UpdatedAt,
		}
	},
	object: func(v *tidemark.Metric) string { return metricObject(v.Name) },
}

// Metrics returns a page of org's metrics.
func (s *Store) Metrics(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Metric, tidemark.Counts, error) {
	return page(ctx, s, metricColumns, metricList(org), p)
}

// MetricsWithin is Metrics among those that within lets through. Meanwhile it
// holds a connection: within may ask nothing of the store.
func (s *Store) MetricsWithin(ctx context.Context, org tidemark.OrgID, p tidemark.Page, within func(*tidemark.Metric) bool) ([]*tidemark.Metric, tidemark.Counts, error) {
	return pageWithin(ctx, s, metricColumns, metricList(org), p, within)
}

func metricList(org tidemark.OrgID) listing {
	return listing{
		from: `FROM metrics WHERE org_id = ?`, args: []any{org}, key: "name_key", last: "name_key",
		orders: []order{{"name", "name_key"}, {"updated_at", "updated_at"}, {"created_at", "created_at"}, {"type", "type"}},
	}
}

// Metric returns one metric of org, by its name in any case.
func (s *Store) Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	return one(ctx, s, s.db, metricColumns, `FROM metrics WHERE org_id = ? AND name_key = ?`, org, tidemark.MetricKey(name))
}

// EachMetric yields all metrics of org by name, for caches: no more than one
// is in memory at a time. It holds a connection meanwhile, so that nothing else
// may be asked of the store.
func (s *Store) EachMetric(ctx context.Context, org tidemark.OrgID) iter.Seq2[*tidemark.Metric, error] {
	return each(ctx, s, s.db, metricColumns, `FROM metrics WHERE org_id = ? ORDER BY name_key`, org)
}

// MetricNames yields the names of all metrics of org, in order, as EachMetric
// does.
func (s *Store) MetricNames(ctx context.Context, org tidemark.OrgID) iter.Seq2[string, error] {
	names := columns[string]{names: `name`, dest: func(v *string) []any { return []any{v} }}
	return func(yield func(string, error) bool) {
		for name, err := range each(ctx, s, s.db, names, `FROM metrics WHERE org_id = ? ORDER BY name_key`, org) {
			if err != nil {
				yield("", err)
				return
			}
			if !yield(*name, nil) {
				return
			}
		}
	}
}

// PutMetric applies change to the metric of org called name, or to a new one
// if there is none, and returns the result and whether it is new. A metric is
// called what it was first called.
func (s *Store) PutMetric(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string, change func(*tidemark.Metric)) (m *tidemark.Metric, created bool, err error) {
	return s.putMetric(ctx, revision{operation: operation{org, by, "metric.update"}}, name, change)
}

func (s *Store) putMetric(ctx context.Context, w revision, name string, change func(*tidemark.Metric)) (m *tidemark.Metric, created bool, err error) {
	fresh := w
	if w.restored == 0 {
		fresh.action = "metric.create"
	}
	err = s.write(ctx, func(tx conn) error {
		for {
			if m, err = s.updateMetric(ctx, tx, w, name, change); m != nil || tidemark.KindOf(err) != tidemark.NotFound {
				created = false
				return err
			}
			if m, err = s.createMetric(ctx, tx, fresh, name, change); m != nil || err != nil {
				created = true
				return err
			}
			// Somebody else created it between the two.
		}
	})
	if err != nil {
		return nil, false, err
	}
	return m, created, nil
}

func (s *Store) updateMetric(ctx context.Context, tx conn, w revision, name string, change func(*tidemark.Metric)) (*tidemark.Metric, error) {
	m, err := one(ctx, s, tx, metricColumns, `FROM metrics WHERE org_id = ? AND name_key = ?`+s.dialect.forUpdate,
		w.org, tidemark.MetricKey(name))
	if err != nil {
		return nil, err
	}
	if err := s.checkSeen(ctx, tx, w.operation, tidemark.VersionsOfMetric(name)); err != nil {
		return nil, err
	}
	old, was := *m, fieldsOf(m)
	if err := s.changeMetric(m, change); err != nil {
		return nil, err
	}
	if err := s.saveMetrics(ctx, tx, w.org, []*tidemark.Metric{m}); err != nil {
		return nil, err
	}
	if err := s.keepMetric(ctx, tx, w, &old, was, m); err != nil {
		return nil, err
	}
	return m, s.noteChange(ctx, tx, w.operation, metricObject(m.Name), was, fieldsOf(m))
}

// keepMetric adds a version of a metric that is m, was old, and had fields, if
// it is or was a composite. Nil is for what is not there.
func (s *Store) keepMetric(ctx context.Context, tx conn, w revision, old *tidemark.Metric, was fields, m *tidemark.Metric) error {
	v := save{operation: w.operation, restored: w.restored}
	if old != nil && old.Type == tidemark.Composite {
		v.key, v.was, v.since = tidemark.VersionsOfMetric(old.Name), was, old.UpdatedAt
	}
	if m != nil && m.Type == tidemark.Composite {
		v.key, v.is = tidemark.VersionsOfMetric(m.Name), fieldsOf(m)
	}
	if v.was == nil && v.is == nil {
		return nil
	}
	if v.is == nil {
		v.action = "metric.delete" // as a composite it is gone, also where a metric stays
	}
	return s.keep(ctx, tx, v)
}

// createMetric returns nil if there is such a metric already.
func (s *Store) createMetric(ctx context.Context, tx conn, w revision, name string, change func(*tidemark.Metric)) (*tidemark.Metric, error) {
	m := &tidemark.Metric{Name: name, Type: tidemark.Gauge, Attributes: map[string]any{}}
	if err := s.changeMetric(m, change); err != nil {
		return nil, err
	}
	if err := s.room(ctx, tx, w.org, tidemark.LimitMetrics); err != nil {
		return nil, err
	}
	m.CreatedAt = m.UpdatedAt
	n, err := s.insertMetrics(ctx, tx, w.org, []*tidemark.Metric{m})
	if err != nil || n == 0 {
		return nil, err
	}
	s.added(w.org, tidemark.LimitMetrics, n)
	if err := s.keepMetric(ctx, tx, w, nil, nil, m); err != nil {
		return nil, err
	}
	return m, created(ctx, s, tx, w.operation, metricColumns, m)
}

// changeMetric applies change to m, but for what makes it the metric it is.
func (s *Store) changeMetric(m *tidemark.Metric, change func(*tidemark.Metric)) error {
	name, created, updated := m.Name, m.CreatedAt, m.UpdatedAt
	m.CutUnits()
	change(m)
	m.Name, m.CreatedAt, m.UpdatedAt = name, created, s.after(updated)
	if m.Attributes == nil {
		m.Attributes = map[string]any{}
	}
	return m.Validate()
}

const insertMetric = `
	INSERT INTO metrics (org_id, name_key, name, type, display_name, description, period, source_lag, composite, attributes, created_at, updated_at)
	VALUES `

// metricRow is a row of insertMetric.
const metricRow = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func metricArgs(org tidemark.OrgID, ms []*tidemark.Metric) []any {
	args := make([]any, 0, 12*len(ms))
	for _, m := range ms {
		args = append(args, org, tidemark.MetricKey(m.Name), m.Name, m.Type, m.DisplayName, m.Description, m.Period, m.SourceLag,
			m.Composite, asJSON(&m.Attributes), m.CreatedAt, m.UpdatedAt)
	}
	return args
}

// insertMetrics adds those of ms that are not there, and returns how many.
func (s *Store) insertMetrics(ctx context.Context, tx conn, org tidemark.OrgID, ms []*tidemark.Metric) (added int64, err error) {
	for chunk := range slices.Chunk(ms, maxIn) {
		n, err := s.exec(ctx, tx, insertMetric+rowsOf(len(chunk), metricRow)+` ON CONFLICT DO NOTHING`, metricArgs(org, chunk)...)
		if err != nil {
			return 0, err
		}
		added += n
	}
	return added, nil
}

// saveMetrics saves ms, which are there and locked.
func (s *Store) saveMetrics(ctx context.Context, tx conn, org tidemark.OrgID, ms []*tidemark.Metric) error {
	for chunk := range slices.Chunk(ms, maxIn) {
		_, err := s.exec(ctx, tx, insertMetric+rowsOf(len(chunk), metricRow)+`
			ON CONFLICT (org_id, name_key) DO UPDATE SET
				type = excluded.type, display_name = excluded.display_name, description = excluded.description,
				period = excluded.period, source_lag = excluded.source_lag, composite = excluded.composite,
				attributes = excluded.attributes, updated_at = excluded.updated_at`,
			metricArgs(org, chunk)...)
		if err != nil {
			return err
		}
	}
	return s.bump(ctx, tx, metricsTopic)
}

// DeleteMetric removes one metric of org, by its name in any case. Its data is
// elsewhere.
func (s *Store) DeleteMetric(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string) error {
	const from = `FROM metrics WHERE org_id = ? AND name_key = ?`
	w := operation{org, by, "metric.delete"}
	return s.write(ctx, func(tx conn) error {
		m, err := one(ctx, s, tx, metricColumns, from+s.dialect.forUpdate, org, tidemark.MetricKey(name))
		if err != nil {
			return err
		}
		if err := remove(ctx, s, tx, w, metricColumns, from, org, tidemark.MetricKey(name)); err != nil {
			return err
		}
		if err := s.keepMetric(ctx, tx, revision{operation: w}, m, fieldsOf(m), nil); err != nil {
			return err
		}
		return s.bump(ctx, tx, metricsTopic)
	})
}
