package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// limitDay is the use of one limit of an organization on one day.
type limitDay struct {
	name tidemark.LimitName
	tidemark.LimitDay
}

var limitDayColumns = columns[limitDay]{
	noun:  "use",
	names: `name, day, most`,
	dest:  func(v *limitDay) []any { return []any{&v.name, &v.Day, &v.Use} },
}

// AddLimitUse notes what org uses of its limits on a day, of which the most is
// kept. An organization that is gone is fine.
func (s *Store) AddLimitUse(ctx context.Context, org tidemark.OrgID, day int64, use map[tidemark.LimitName]int64) error {
	if len(use) == 0 {
		return nil
	}
	args := make([]any, 0, 4*len(use))
	for name, n := range use {
		args = append(args, org, name, day, n)
	}
	_, err := s.exec(ctx, s.writer, `
		INSERT INTO limit_days (org_id, name, day, most) VALUES `+rowsOf(len(use), `(?, ?, ?, ?)`)+`
		ON CONFLICT (org_id, name, day) DO UPDATE SET most = excluded.most WHERE excluded.most > limit_days.most`, args...)
	if s.isForeignKey(err) {
		return nil
	}
	return err
}

// LimitDays returns what org used of its limits since a day, the oldest first.
func (s *Store) LimitDays(ctx context.Context, org tidemark.OrgID, since int64) (map[tidemark.LimitName][]tidemark.LimitDay, error) {
	days := make(map[tidemark.LimitName][]tidemark.LimitDay)
	for v, err := range each(ctx, s, s.db, limitDayColumns, `FROM limit_days WHERE org_id = ? AND day >= ? ORDER BY day, name`, org, since) {
		if err != nil {
			return nil, err
		}
		days[v.name] = append(days[v.name], v.LimitDay)
	}
	return days, nil
}

// DeleteLimitDays forgets what organizations used before a day.
func (s *Store) DeleteLimitDays(ctx context.Context, day int64) error {
	return s.prune(ctx, `DELETE FROM limit_days WHERE (org_id, name, day) IN (SELECT org_id, name, day FROM limit_days WHERE day < ? LIMIT ?)`, day)
}
