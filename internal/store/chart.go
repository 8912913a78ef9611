package store

import (
	"context"

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
		if err := s.insertChart(ctx, tx, org, space, v); err != nil {
			return err
		}
		return created(ctx, s, tx, operation{org, by, "chart.create"}, chartColumns, v)
	})
}

func (s *Store) insertChart(ctx context.Context, tx conn, org tidemark.OrgID, space int64, v *tidemark.Chart) error {
	if err := s.checkRoom(ctx, tx, org, space); err != nil {
		return err
	}
	if err := s.numberStreams(ctx, tx, org, v, nil); err != nil {
		return err
	}
	now := s.now()
	err := insert(ctx, s, tx, &v.ID, `
		INSERT INTO charts (org_id, space_id, body, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?)
		RETURNING id`, org, space, asJSON(v), now, now)
	if err != nil {
		return err
	}
	return s.fillTypes(ctx, tx, org, []*tidemark.Chart{v})
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
func (s *Store) UpdateChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.ChartKey, change func(*tidemark.Chart)) (*tidemark.Chart, error) {
	var had map[int64]bool
	return editNoted(ctx, s, operation{org, by, "chart.update"}, chartColumns, fromChart, []any{org, k.Space, k.Chart},
		func(v *tidemark.Chart) {
			had = make(map[int64]bool, len(v.Streams))
			for _, st := range v.Streams {
				had[st.ID] = true
			}
			change(v)
			v.ID = k.Chart
		},
		func(tx conn, v *tidemark.Chart) error {
			if err := s.numberStreams(ctx, tx, org, v, had); err != nil {
				return err
			}
			_, err := s.exec(ctx, tx, `UPDATE charts SET body = ?, updated_at = ? WHERE org_id = ? AND id = ?`,
				asJSON(v), s.now(), org, k.Chart)
			if err != nil {
				return err
			}
			return s.fillTypes(ctx, tx, org, []*tidemark.Chart{v})
		})
}

// DeleteChart removes one chart of org.
func (s *Store) DeleteChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.ChartKey) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "chart.delete"}, chartColumns, fromChart, org, k.Space, k.Chart)
	})
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
