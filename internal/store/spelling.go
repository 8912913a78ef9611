package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// spellingsTopic counts the additions of spellings.
const spellingsTopic = "spellings"

var spellingColumns = columns[tidemark.Spelling]{
	noun:  "spelling",
	names: `id, tag, text`,
	dest:  func(v *tidemark.Spelling) []any { return []any{&v.ID, &v.Tag, &v.Text} },
}

// Spellings returns the spellings of org with an ID above one, in order of
// these: those that were added since.
func (s *Store) Spellings(ctx context.Context, org tidemark.OrgID, after int64) ([]*tidemark.Spelling, error) {
	return many(ctx, s, s.db, spellingColumns, `FROM spellings WHERE org_id = ? AND id > ? ORDER BY id`, org, after)
}

// AddSpellings adds those of list whose text org does not have in any
// spelling: the first one stays. Whoever adds some holds the counter until they
// are committed, so that no reader who looks for later ones misses any.
func (s *Store) AddSpellings(ctx context.Context, org tidemark.OrgID, list []*tidemark.Spelling) error {
	return s.write(ctx, func(tx conn) error {
		if err := s.bump(ctx, tx, spellingsTopic); err != nil {
			return err
		}
		for chunk := range slices.Chunk(list, maxIn) {
			args := make([]any, 0, 4*len(chunk))
			for _, v := range chunk {
				args = append(args, org, v.Tag, v.Key(), v.Text)
			}
			_, err := s.exec(ctx, tx, `INSERT INTO spellings (org_id, tag, text_key, text) VALUES `+
				rowsOf(len(chunk), `(?, ?, ?, ?)`)+` ON CONFLICT DO NOTHING`, args...)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ListenSpellings is Listen for spellings that were added.
func (s *Store) ListenSpellings(ctx context.Context, changed func()) error {
	return s.listen(ctx, spellingsTopic, changed)
}
