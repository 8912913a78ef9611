package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// openedEvery is how many seconds pass before the opening of the space that was
// opened last is saved again: a page that is loaded over and over does not
// write each time.
const openedEvery = 60

// opening is when a person last looked at a space.
type opening struct{ space, at int64 }

var openingColumns = columns[opening]{
	noun:  "opening",
	names: `space_id, opened_at`,
	dest:  func(v *opening) []any { return []any{&v.space, &v.at} },
}

// OpenSpace records that a user looks at a space of org.
func (s *Store) OpenSpace(ctx context.Context, org tidemark.OrgID, user, space, at int64) error {
	if _, err := s.Space(ctx, org, space); err != nil {
		return err
	}
	last, err := many(ctx, s, s.db, openingColumns, `FROM space_openings WHERE org_id = ? AND user_id = ? ORDER BY opened_at DESC LIMIT 1`, org, user)
	if err != nil || len(last) > 0 && last[0].space == space && at < last[0].at+openedEvery {
		return err
	}
	_, err = s.exec(ctx, s.writer, `
		INSERT INTO space_openings (org_id, user_id, space_id, opened_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (org_id, user_id, space_id) DO UPDATE SET opened_at = excluded.opened_at`, org, user, space, at)
	return err
}

// SpacesOpened returns when a user last looked at each space of org, by id;
// spaces they never opened are missing.
func (s *Store) SpacesOpened(ctx context.Context, org tidemark.OrgID, user int64) (map[int64]int64, error) {
	found, err := many(ctx, s, s.db, openingColumns, `FROM space_openings WHERE org_id = ? AND user_id = ?`, org, user)
	if err != nil {
		return nil, err
	}
	at := make(map[int64]int64, len(found))
	for _, v := range found {
		at[v.space] = v.at
	}
	return at, nil
}
