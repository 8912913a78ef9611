package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var auditColumns = columns[tidemark.AuditEntry]{
	noun:  "audit entry",
	names: `id, at, actor, action, object, detail`,
	dest: func(v *tidemark.AuditEntry) []any {
		return []any{&v.ID, &v.At, &v.Actor, &v.Action, &v.Object, asJSON(&v.Detail)}
	},
}

// Audit returns a page of org's audit log, the newest first. The page's Name
// is looked for in actor, action and object.
func (s *Store) Audit(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.AuditEntry, tidemark.Counts, error) {
	return page(ctx, s, auditColumns, listing{
		from: `FROM audit WHERE org_id = ?`, args: []any{org}, key: "search_key",
		orders: []order{{"id", "id"}}, desc: true,
	}, p)
}

// AddAudit adds an entry to org's audit log and sets its ID, and its time if
// it has none. Changes of tokens write theirs themselves.
func (s *Store) AddAudit(ctx context.Context, org tidemark.OrgID, v *tidemark.AuditEntry) error {
	return s.addAudit(ctx, s.writer, org, v)
}

func (s *Store) addAudit(ctx context.Context, q conn, org tidemark.OrgID, v *tidemark.AuditEntry) error {
	if v.At == 0 {
		v.At = s.now()
	}
	if v.Detail == nil {
		v.Detail = map[string]any{}
	}
	return insert(ctx, s, q, &v.ID, `
		INSERT INTO audit (org_id, at, actor, action, object, detail, search_key)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		org, v.At, v.Actor, v.Action, v.Object, asJSON(&v.Detail), key(v.Actor+" "+v.Action+" "+v.Object))
}
