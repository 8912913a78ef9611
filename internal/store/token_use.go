package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var tokenUseColumns = columns[tidemark.TokenUse]{
	noun:  "use of a token",
	names: `token_id, action, noun, MAX(day), CAST(SUM(requests) AS BIGINT)`,
	dest: func(v *tidemark.TokenUse) []any {
		return []any{&v.Token, &v.Action, &v.Noun, &v.Day, &v.Requests}
	},
}

// AddTokenUses adds to what is known of what tokens are used for.
func (s *Store) AddTokenUses(ctx context.Context, uses []*tidemark.TokenUse) error {
	return s.write(ctx, func(tx conn) error {
		for _, v := range uses {
			// A token may have been deleted meanwhile: then there is nothing to add to.
			_, err := s.exec(ctx, tx, `
				INSERT INTO token_uses (token_id, action, noun, day, requests)
				SELECT id, ?, ?, ?, ? FROM tokens WHERE id = ?
				ON CONFLICT (token_id, action, noun, day) DO UPDATE SET requests = token_uses.requests + excluded.requests`,
				v.Action, v.Noun, v.Day, v.Requests, v.Token)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// TokenUses returns what a token of org was used for since a day, most used
// first; the Day of each is the last.
func (s *Store) TokenUses(ctx context.Context, org tidemark.OrgID, token, since int64) ([]*tidemark.TokenUse, error) {
	return many(ctx, s, s.db, tokenUseColumns, `
		FROM token_uses WHERE day >= ? AND token_id = (SELECT id FROM tokens WHERE org_id = ? AND id = ?)
		GROUP BY token_id, action, noun ORDER BY SUM(requests) DESC, action, noun`, since, org, token)
}

// DeleteTokenUses forgets what is known of days before day.
func (s *Store) DeleteTokenUses(ctx context.Context, day int64) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM token_uses WHERE day < ?`, day)
	return err
}
