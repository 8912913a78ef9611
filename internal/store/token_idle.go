package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// idleToken is a token that was not used for as long as it may be.
type idleToken struct {
	org tidemark.OrgID
	id  int64
}

var idleTokenColumns = columns[idleToken]{
	noun: "token", names: `org_id, id`,
	dest: func(v *idleToken) []any { return []any{&v.org, &v.id} },
}

// DeactivateIdle deactivates the tokens of all organizations that at a time
// have not been used for as many days as they may be. One that was made or
// changed since has as long again.
func (s *Store) DeactivateIdle(ctx context.Context, now int64) error {
	list, err := many(ctx, s, s.db, idleTokenColumns, `
		FROM tokens WHERE active = ? AND idle_days > 0 AND last_used_at < ? - idle_days * 86400
		AND created_at < ? - idle_days * 86400 AND updated_at < ? - idle_days * 86400`, true, now, now, now)
	if err != nil {
		return err
	}
	for _, t := range list {
		_, err := s.UpdateToken(ctx, t.org, tidemark.ServerActor(), t.id, func(v *tidemark.Token) { v.Active = false })
		if err != nil && tidemark.KindOf(err) != tidemark.NotFound { // else it was deleted just now
			return err
		}
	}
	return nil
}
