package store

import (
	"context"
	"maps"

	"github.com/tidemark-metrics/tidemark"
)

// A chart is one JSON column: it comes back as it was written, with what was
// never set left out. Its id comes last, since the JSON was written before
// there was one.
var chartColumns = columns[tidemark.Chart]{
	noun:   "chart",
	names:  `body, id`,
	dest:   func(v *tidemark.Chart) []any { return []any{asJSON(v), &v.ID} },
	object: func(v *tidemark.Chart) string { return named("chart", v.ID, v.Name) },
	shown:  fieldsOfChart,
}

const fromChart = `FROM charts WHERE org_id = ? AND space_id = ? AND id = ?`

// Charts returns all charts of a space of org, the oldest first.
func (s *Store) Charts(ctx context.Context, org tidemark.OrgID, space int64) ([]*tidemark.Chart, error) {
	if err := s.hasSpace(ctx, s.db, org, space); err != nil {
		return nil, err
	}
	found, err := many(ctx, s, s.db, chartColumns, `FROM charts WHERE org_id = ? AND space_id = ? ORDER BY id`, org, space)
	if err != nil {
		return nil, err
	}
	return found, s.fillTypes(ctx, s.db, org, found)
}

// Chart returns one chart of org.
func (s *Store) Chart(ctx context.Context, org tidemark.OrgID, k tidemark.ChartKey) (*tidemark.Chart, error) {
	v, err := one(ctx, s, s.db, chartColumns, fromChart, org, k.Space, k.Chart)
	if err != nil {
		return nil, err
	}
	return v, s.fillTypes(ctx, s.db, org, []*tidemark.Chart{v})
}

// ChartByID returns one chart of org, whatever space it is in.
func (s *Store) ChartByID(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Chart, error) {
	v, err := one(ctx, s, s.db, chartColumns, `FROM charts WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	return v, s.fillTypes(ctx, s.db, org, []*tidemark.Chart{v})
}

// CreateChart adds v to a space of org and sets its ID and those of its
// streams.
func (s *Store) CreateChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, space int64, v *tidemark.Chart) error {
	if err := v.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		if err := s.beginSpace(ctx, tx, org, space); err != nil {
			return err
		}
		w := operation{org, by, "chart.create"}
		if err := s.insertChartAs(ctx, tx, revision{operation: w}, space, 0, v); err != nil {
			return err
		}
		return s.keepSpace(ctx, tx, w, space, 0)
	})
}

// insertChartAs adds a chart to a space, with an id that it had or, if that is
// 0, a new one.
func (s *Store) insertChartAs(ctx context.Context, tx conn, w revision, space, id int64, v *tidemark.Chart) error {
	if err := s.insertChart(ctx, tx, w.org, space, id, v); err != nil {
		return err
	}
	if err := s.keepChart(ctx, tx, w, space, nil, v); err != nil {
		return err
	}
	return created(ctx, s, tx, w.operation, chartColumns, v)
}

func (s *Store) insertChart(ctx context.Context, tx conn, org tidemark.OrgID, space, id int64, v *tidemark.Chart) error {
	if err := s.checkRoom(ctx, tx, org, space); err != nil {
		return err
	}
	if err := s.numberStreams(ctx, tx, org, v, streamIDs(v, id != 0)); err != nil {
		return err
	}
	now := s.now()
	err := insertAs(ctx, s, tx, id, &v.ID, `charts`, `org_id, space_id, body, created_at, updated_at`, org, space, asJSON(v), now, now)
	if err != nil {
		return err
	}
	return s.fillTypes(ctx, tx, org, []*tidemark.Chart{v})
}

// streamIDs are the ids of the streams of v, where they are its own.
func streamIDs(v *tidemark.Chart, own bool) map[int64]bool {
	ids := make(map[int64]bool, len(v.Streams))
	for i := range v.Streams {
		ids[v.Streams[i].ID] = own
	}
	return ids
}

// keepChart adds a version of a chart that is v now. Its space gets one
// afterwards.
func (s *Store) keepChart(ctx context.Context, tx conn, w revision, space int64, was fields, v *tidemark.Chart) error {
	return s.keep(ctx, tx, save{
		operation: w.operation, key: tidemark.VersionsOf(tidemark.ChartVersions, v.ID), space: space, restored: w.restored,
		was: was, is: fieldsOfChart(v),
	})
}

// checkRoom is NotFound unless org has the space, and refuses one more chart if that is full.
func (s *Store) checkRoom(ctx context.Context, tx conn, org tidemark.OrgID, space int64) error {
	if err := s.hasSpace(ctx, tx, org, space); err != nil {
		return err
	}
	n, err := value[int64](ctx, s, tx, "space", `SELECT COUNT(*) FROM charts WHERE org_id = ? AND space_id = ?`, org, space)
	if err != nil {
		return err
	}
	return s.limits.Check(org, tidemark.LimitCharts, n+1)
}

// UpdateChart applies change to one chart of org and returns the result.
// Streams that carry the id of one the chart had keep it.
func (s *Store) UpdateChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.ChartKey, apply func(*tidemark.Chart)) (v *tidemark.Chart, err error) {
	err = s.write(ctx, func(tx conn) (err error) {
		v, err = s.changeChart(ctx, tx, revision{operation: operation{org, by, "chart.update"}}, k, apply)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// changeChart changes a chart, of which there may be a later version than the
// actor has seen, and keeps what becomes of it and of its space.
func (s *Store) changeChart(ctx context.Context, tx conn, w revision, k tidemark.ChartKey, apply func(*tidemark.Chart)) (*tidemark.Chart, error) {
	if err := s.beginSpace(ctx, tx, w.org, k.Space); err != nil {
		return nil, noSuch(chartColumns.noun)
	}
	if err := s.checkSeen(ctx, tx, w.operation, tidemark.VersionsOf(tidemark.ChartVersions, k.Chart)); err != nil {
		return nil, err
	}
	v, err := s.editChart(ctx, tx, w, k, apply)
	if err != nil {
		return nil, err
	}
	return v, s.keepSpace(ctx, tx, w.operation, k.Space, 0)
}

func (s *Store) editChart(ctx context.Context, tx conn, w revision, k tidemark.ChartKey, apply func(*tidemark.Chart)) (*tidemark.Chart, error) {
	v, err := one(ctx, s, tx, chartColumns, fromChart+s.dialect.forUpdate, w.org, k.Space, k.Chart)
	if err != nil {
		return nil, err
	}
	was, had := fieldsOfChart(v), streamIDs(v, true)
	apply(v)
	v.ID = k.Chart
	if err := v.Validate(); err != nil {
		return nil, err
	}
	if w.restored != 0 {
		maps.Copy(had, streamIDs(v, true))
	}
	if err := s.numberStreams(ctx, tx, w.org, v, had); err != nil {
		return nil, err
	}
	_, err = s.exec(ctx, tx, `UPDATE charts SET body = ?, updated_at = ? WHERE org_id = ? AND id = ?`, asJSON(v), s.now(), w.org, k.Chart)
	if err != nil {
		return nil, err
	}
	if err := s.fillTypes(ctx, tx, w.org, []*tidemark.Chart{v}); err != nil {
		return nil, err
	}
	if err := s.keepChart(ctx, tx, w, k.Space, was, v); err != nil {
		return nil, err
	}
	return v, s.noteChange(ctx, tx, w.operation, chartColumns.object(v), was, fieldsOfChart(v))
}

// DeleteChart removes one chart of org.
func (s *Store) DeleteChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.ChartKey) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.beginSpace(ctx, tx, org, k.Space); err != nil {
			return noSuch(chartColumns.noun)
		}
		w := operation{org, by, "chart.delete"}
		if err := s.removeChart(ctx, tx, w, k); err != nil {
			return err
		}
		return s.keepSpace(ctx, tx, w, k.Space, 0)
	})
}

// removeChart deletes a chart and keeps what it was.
func (s *Store) removeChart(ctx context.Context, tx conn, w operation, k tidemark.ChartKey) error {
	v, err := one(ctx, s, tx, chartColumns, fromChart, w.org, k.Space, k.Chart)
	if err != nil {
		return err
	}
	was := save{operation: w, key: tidemark.VersionsOf(tidemark.ChartVersions, k.Chart), space: k.Space, was: fieldsOfChart(v)}
	if err := s.keep(ctx, tx, was); err != nil {
		return err
	}
	return remove(ctx, s, tx, w, chartColumns, fromChart, w.org, k.Space, k.Chart)
}

func (s *Store) numberStreams(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Chart, had map[int64]bool) error {
	if v.Streams == nil {
		v.Streams = []tidemark.ChartStream{}
	}
	ids := make([]*int64, len(v.Streams))
	for i := range v.Streams {
		ids[i] = &v.Streams[i].ID
	}
	return s.number(ctx, tx, org, streamParts, ids, had)
}

// ChartCounts returns how many charts each space of org has.
func (s *Store) ChartCounts(ctx context.Context, org tidemark.OrgID) (map[int64]int, error) {
	spaces, err := values[int64](ctx, s, s.db, `SELECT space_id FROM charts WHERE org_id = ?`, org)
	if err != nil {
		return nil, err
	}
	counts := make(map[int64]int)
	for _, id := range spaces {
		counts[id]++
	}
	return counts, nil
}
