package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// askAgainAfter is how long after a request that was declined the same limit
// can be asked for again.
const askAgainAfter = 24 * 3600

var limitRequestColumns = columns[tidemark.LimitRequest]{
	noun: "request",
	names: `q.org_id, o.name, q.name, q.wanted, q.allowed, q.used, q.note, q.asked_by, q.asked_at,
		q.state, q.answered_at, q.granted, q.answer`,
	dest: func(v *tidemark.LimitRequest) []any {
		return []any{&v.Org, &v.OrgName, &v.Name, &v.Wanted, &v.Allowed, &v.Use, &v.Note, &v.AskedBy, &v.AskedAt,
			&v.State, &v.AnsweredAt, &v.Granted, &v.Answer}
	},
}

const fromLimitRequests = `FROM limit_requests q JOIN orgs o ON o.id = q.org_id `

// CreateLimitRequest asks the operator for more of what a limit bounds. An open
// request for the same limit, or one that was declined today, is a Conflict.
func (s *Store) CreateLimitRequest(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.LimitRequest) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.Org, v.AskedAt, v.AskedBy, v.State = org, s.now(), by.Name, tidemark.RequestOpen
	return s.write(ctx, func(tx conn) error {
		n, err := s.exec(ctx, tx, `
			INSERT INTO limit_requests (org_id, name, wanted, allowed, used, note, asked_by, asked_at, state, answered_at, granted, answer)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, '')
			ON CONFLICT (org_id, name) DO UPDATE SET wanted = excluded.wanted, allowed = excluded.allowed, used = excluded.used,
				note = excluded.note, asked_by = excluded.asked_by, asked_at = excluded.asked_at, state = excluded.state,
				answered_at = 0, granted = 0, answer = ''
			WHERE limit_requests.state = ? OR limit_requests.state = ? AND limit_requests.asked_at <= ?`,
			org, v.Name, v.Wanted, v.Allowed, v.Use, v.Note, v.AskedBy, v.AskedAt, v.State,
			tidemark.RequestAccepted, tidemark.RequestDeclined, v.AskedAt-askAgainAfter)
		switch {
		case err != nil:
			return err
		case n == 0:
			return tidemark.Errorf(tidemark.Conflict, "the operator was asked for this already, within the last day or without an answer yet")
		}
		return s.note(ctx, tx, operation{org, by, "limits.ask"}, "limits", map[string]any{string(v.Name): v.Wanted})
	})
}

// LimitRequests returns what org asked the operator for, the latest first.
func (s *Store) LimitRequests(ctx context.Context, org tidemark.OrgID) ([]*tidemark.LimitRequest, error) {
	return s.limitRequests(ctx, `WHERE q.org_id = ? ORDER BY q.asked_at DESC, q.name`, org)
}

// maxOpenRequests is how many open requests of all organizations are shown.
const maxOpenRequests = 500

// OpenLimitRequests returns what organizations wait for, the oldest first.
func (s *Store) OpenLimitRequests(ctx context.Context) ([]*tidemark.LimitRequest, error) {
	return s.limitRequests(ctx, `WHERE q.state = ? ORDER BY q.asked_at, q.org_id, q.name LIMIT ?`, tidemark.RequestOpen, maxOpenRequests)
}

func (s *Store) limitRequests(ctx context.Context, where string, args ...any) ([]*tidemark.LimitRequest, error) {
	found, err := many(ctx, s, s.db, limitRequestColumns, fromLimitRequests+where, args...)
	for _, v := range found {
		l, _ := tidemark.LimitCalled(v.Name)
		v.Title, v.Unit = l.Title, l.Unit
	}
	return found, err
}

// ResolveLimitRequest answers an open request of org: accepted, the limit is
// set with it.
func (s *Store) ResolveLimitRequest(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name tidemark.LimitName, a tidemark.LimitAnswer) error {
	if err := a.Validate(); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, limitRequestColumns, fromLimitRequests+`WHERE q.org_id = ? AND q.name = ? AND q.state = ?`, org, name, tidemark.RequestOpen)
		if err != nil {
			return err
		}
		state, granted := tidemark.RequestDeclined, int64(0)
		if a.Accept {
			state, granted = tidemark.RequestAccepted, v.Wanted
			if a.Value != 0 {
				granted = a.Value
			}
		}
		err = s.affect(ctx, tx, "request", `
			UPDATE limit_requests SET state = ?, answered_at = ?, granted = ?, answer = ? WHERE org_id = ? AND name = ? AND state = ?`,
			state, s.now(), granted, a.Text, org, name, tidemark.RequestOpen)
		if err != nil {
			return err
		}
		if !a.Accept {
			return s.note(ctx, tx, operation{org, by, "limits.decline"}, "limits", map[string]any{string(name): v.Wanted, "answer": a.Text})
		}
		return s.setOrgLimits(ctx, tx, operation{org, by, "limits.set"}, map[tidemark.LimitName]*int64{name: &granted})
	})
}
