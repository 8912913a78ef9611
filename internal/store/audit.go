package store

import (
	"context"
	"errors"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

var auditColumns = columns[tidemark.AuditEntry]{
	noun:  "audit entry",
	names: `id, COALESCE(org_id, 0), at, actor, address, action, object, detail, before_json, after_json, times`,
	dest: func(v *tidemark.AuditEntry) []any {
		return []any{
			&v.ID, &v.Org, &v.At, &v.Actor, &v.Address, &v.Action, &v.Object, asJSON(&v.Detail), asJSON(&v.Before), asJSON(&v.After), &v.Count,
		}
	},
}

// Audit returns a page of org's audit log, the newest first. The page's Name
// is looked for in actor, address, action and object.
func (s *Store) Audit(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.AuditEntry, tidemark.Counts, error) {
	return page(ctx, s, auditColumns, listing{
		from: `FROM audit WHERE org_id = ?`, args: []any{org}, key: "search_key",
		orders: []order{{"id", "id"}}, desc: true,
	}, p)
}

// AuditLog returns what q selects of org's audit log, the newest first.
func (s *Store) AuditLog(ctx context.Context, org tidemark.OrgID, q tidemark.AuditQuery) ([]*tidemark.AuditEntry, error) {
	return s.auditLog(ctx, `FROM audit WHERE org_id = ?`, []any{org}, q)
}

// ServerAudit is AuditLog for what is about no organization, but the whole
// server.
func (s *Store) ServerAudit(ctx context.Context, q tidemark.AuditQuery) ([]*tidemark.AuditEntry, error) {
	return s.auditLog(ctx, `FROM audit WHERE org_id IS NULL`, nil, q)
}

// AuditOfAll is AuditLog for all organizations and the whole server.
func (s *Store) AuditOfAll(ctx context.Context, q tidemark.AuditQuery) ([]*tidemark.AuditEntry, error) {
	return s.auditLog(ctx, `FROM audit WHERE TRUE`, nil, q)
}

func (s *Store) auditLog(ctx context.Context, from string, args []any, q tidemark.AuditQuery) ([]*tidemark.AuditEntry, error) {
	and := func(where string, more ...any) { from, args = from+" AND "+where, append(args, more...) }
	for _, part := range [][2]string{{"LOWER(actor || ' ' || address)", q.Actor}, {"LOWER(address)", q.From}, {"LOWER(object)", q.Object}, {"search_key", q.Text}} {
		if part[1] != "" {
			m := match(part[0], "*"+strings.ReplaceAll(part[1], "*", "")+"*", false)
			and(m.where, m.args...)
		}
	}
	if q.Action != "" {
		m := match("action", q.Action, true)
		and(m.where, m.args...)
	}
	if q.Since != 0 {
		and("at >= ?", q.Since)
	}
	if q.Until != 0 {
		and("at < ?", q.Until)
	}
	if q.Before != 0 {
		and("id < ?", q.Before)
	}
	length := q.Length
	if length <= 0 || length > maxAuditLog {
		length = maxAuditLog
	}
	return many(ctx, s, s.db, auditColumns, from+` ORDER BY id DESC LIMIT ?`, append(args, length)...)
}

// maxAuditLog is the most entries that one call returns.
const maxAuditLog = 1000

// operation is what somebody asks for: who, where, and how the audit log calls it.
// An org of 0 is the whole server.
type operation struct {
	org    tidemark.OrgID
	by     tidemark.Actor
	action string
}

// errNobody is a programming error: a change without an actor.
var errNobody = errors.New("a change without an actor")

// entry returns an audit entry for w.
func (w operation) entry(object string) *tidemark.AuditEntry {
	return &tidemark.AuditEntry{Org: w.org, Actor: w.by.String(), Address: w.by.Address, Action: w.action, Object: object}
}

// note adds to the audit log, as part of tx, that w was done to object.
func (s *Store) note(ctx context.Context, tx conn, w operation, object string, detail map[string]any) error {
	v := w.entry(object)
	v.Detail = detail
	return s.addAudit(ctx, tx, v)
}

// noteChange is note with what was and what is. Nothing is noted if nothing
// changed.
func (s *Store) noteChange(ctx context.Context, tx conn, w operation, object string, was, is fields) error {
	v := w.entry(object)
	v.Before, v.After = differences(was, is)
	if v.Before == nil && v.After == nil && was != nil && is != nil {
		return nil
	}
	return s.addAudit(ctx, tx, v)
}

// notePerson adds an entry about a person to the audit log of every
// organization they belong to, or to that of the server if there is none.
func (s *Store) notePerson(ctx context.Context, tx conn, w operation, user int64, v *tidemark.AuditEntry) error {
	orgs, err := values[tidemark.OrgID](ctx, s, tx, `SELECT org_id FROM memberships WHERE user_id = ? ORDER BY org_id`, user)
	if err != nil {
		return err
	}
	if len(orgs) == 0 {
		orgs = []tidemark.OrgID{0}
	}
	for _, org := range orgs {
		one := *v
		one.Org, one.Actor, one.Address, one.Action = org, w.by.String(), w.by.Address, w.action
		if err := s.addAudit(ctx, tx, &one); err != nil {
			return err
		}
	}
	return nil
}

// addAudit adds an entry as part of a transaction and sets its ID, and its
// time if it has none. Listeners are notified when the transaction is
// committed.
func (s *Store) addAudit(ctx context.Context, tx conn, v *tidemark.AuditEntry) error {
	if v.Actor == "" {
		return errNobody
	}
	if v.At == 0 {
		v.At = s.now()
	}
	if v.Detail == nil {
		v.Detail = map[string]any{}
	}
	err := insert(ctx, s, tx, &v.ID, `
		INSERT INTO audit (org_id, at, actor, address, action, object, detail, before_json, after_json, times, search_key)
		VALUES (NULLIF(CAST(? AS BIGINT), 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		v.Org, v.At, v.Actor, v.Address, v.Action, v.Object, asJSON(&v.Detail), asJSON(&v.Before), asJSON(&v.After), v.Count,
		key(v.Actor+" "+v.Action+" "+v.Object+" "+v.Address))
	if err == nil {
		tx.(*transaction).audited = append(tx.(*transaction).audited, v)
	}
	return err
}

// WatchAudit has do called with every entry of the audit log that this
// process writes, after it was committed. It is for before the Store is used.
func (s *Store) WatchAudit(do func(*tidemark.AuditEntry)) { s.audited = do }
