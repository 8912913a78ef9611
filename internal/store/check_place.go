package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// placeForgotten is after how many seconds an agent is forgotten that asks for
// checks no more, where there is no room for another.
const placeForgotten = 30 * 24 * 3600

var placeColumns = columns[tidemark.Place]{
	noun:  "place",
	names: `name, tags, seen_at`,
	dest:  func(v *tidemark.Place) []any { return []any{&v.Name, asJSON(&v.Tags), &v.SeenAt} },
}

// Places returns the agents of org that ask for checks, by name.
func (s *Store) Places(ctx context.Context, org tidemark.OrgID) ([]*tidemark.Place, error) {
	return many(ctx, s, s.db, placeColumns, `FROM check_places WHERE org_id = ? ORDER BY name`, org)
}

// Place returns one agent of org that asks for checks.
func (s *Store) Place(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Place, error) {
	return one(ctx, s, s.db, placeColumns, `FROM check_places WHERE org_id = ? AND name = ?`, org, name)
}

// SeePlace notes that an agent of org asked for checks.
func (s *Store) SeePlace(ctx context.Context, org tidemark.OrgID, v *tidemark.Place) error {
	if err := v.Validate(); err != nil {
		return err
	}
	if v.Tags == nil {
		v.Tags = map[string]string{}
	}
	v.SeenAt = s.now()
	return s.write(ctx, func(tx conn) error {
		known, err := value[int64](ctx, s, tx, "place", `SELECT COUNT(*) FROM check_places WHERE org_id = ? AND name = ?`, org, v.Name)
		if err != nil {
			return err
		}
		if known == 0 {
			if _, err := s.exec(ctx, tx, `DELETE FROM check_places WHERE org_id = ? AND seen_at < ?`, org, v.SeenAt-placeForgotten); err != nil {
				return err
			}
			if err := s.room(ctx, tx, org, tidemark.LimitPlaces); err != nil {
				return err
			}
		}
		_, err = s.exec(ctx, tx, `
			INSERT INTO check_places (org_id, name, tags, seen_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (org_id, name) DO UPDATE SET tags = excluded.tags, seen_at = excluded.seen_at`,
			org, v.Name, asJSON(&v.Tags), v.SeenAt)
		return err
	})
}

// checkResult is what a place found, and of which check.
type checkResult struct {
	check int64
	tidemark.CheckResult
}

var resultColumns = columns[checkResult]{
	noun:  "result of a check",
	names: `check_id, place, ran_at, up, duration, said`,
	dest: func(v *checkResult) []any {
		return []any{&v.check, &v.Place, &v.RanAt, &v.Up, &v.Duration, &v.Said}
	},
}

// checkResults returns what places found, by check.
func (s *Store) checkResults(ctx context.Context, where string, args ...any) (map[int64][]tidemark.CheckResult, error) {
	found, err := many(ctx, s, s.db, resultColumns, `FROM check_results `+where+` ORDER BY check_id, place`, args...)
	by := make(map[int64][]tidemark.CheckResult)
	for _, r := range found {
		by[r.check] = append(by[r.check], r.CheckResult)
	}
	return by, err
}

// SaveCheckResult notes what a place found of a check of org. It is a NotFound
// error where the check is gone, or the place found something later.
func (s *Store) SaveCheckResult(ctx context.Context, org tidemark.OrgID, id int64, v tidemark.CheckResult) error {
	return s.affect(ctx, s.writer, "check", `
		INSERT INTO check_results (org_id, check_id, place, ran_at, up, duration, said)
		SELECT org_id, id, ?, ?, ?, ?, ? FROM checks WHERE org_id = ? AND id = ?
		ON CONFLICT (check_id, place) DO UPDATE SET ran_at = excluded.ran_at, up = excluded.up, duration = excluded.duration, said = excluded.said
		WHERE excluded.ran_at >= check_results.ran_at`,
		v.Place, v.RanAt, v.Up, v.Duration, v.Said, org, id)
}
