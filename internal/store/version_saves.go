package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// SavesBetween returns what people saved of org from a time until another, the
// latest first, and at most length. What was there before versions were kept was
// saved by nobody.
func (s *Store) SavesBetween(ctx context.Context, org tidemark.OrgID, from, until int64, length int) ([]*tidemark.Save, error) {
	type saved struct {
		tidemark.Save
		document map[string]any
	}
	cols := columns[saved]{
		noun:  "version",
		names: `kind, object, number, at, actor, action, document`,
		dest: func(v *saved) []any {
			return []any{&v.Kind, &v.ID, &v.Number, &v.At, &v.Actor, &v.Action, asJSON(&v.document)}
		},
	}
	found, err := many(ctx, s, s.db, cols, `FROM object_versions WHERE org_id = ? AND at >= ? AND at <= ? AND action <> ''
		ORDER BY at DESC, kind, object, number DESC LIMIT ?`, org, from, until, length)
	if err != nil {
		return nil, err
	}
	list := make([]*tidemark.Save, 0, len(found))
	for _, v := range found {
		v.Name, _ = v.document["name"].(string)
		list = append(list, &v.Save)
	}
	return list, nil
}
