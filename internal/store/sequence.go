package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// The kinds of part that are stored within something else and have ids of
// their own, unique within an organization.
const (
	conditionParts = "condition"
	streamParts    = "stream"
)

// number gives parts their ids. A part that carries one of the ids the whole
// had before keeps it; every other part gets a new one. ids point to the ids
// of the parts, had are those of before.
func (s *Store) number(ctx context.Context, tx conn, org tidemark.OrgID, kind string, ids []*int64, had map[int64]bool) error {
	kept := make(map[int64]bool, len(had))
	var fresh []*int64
	for _, id := range ids {
		if !had[*id] || kept[*id] {
			fresh = append(fresh, id)
			continue
		}
		kept[*id] = true
	}
	if len(fresh) == 0 {
		return nil
	}
	var last int64
	err := insert(ctx, s, tx, &last, `
		INSERT INTO sequences (org_id, kind, last) VALUES (?, ?, ?)
		ON CONFLICT (org_id, kind) DO UPDATE SET last = sequences.last + excluded.last
		RETURNING last`, org, kind, len(fresh))
	if err != nil {
		return err
	}
	for i, id := range fresh {
		*id = last - int64(len(fresh)-1-i)
	}
	return nil
}
