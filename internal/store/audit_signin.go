package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

const (
	refusedAction = "session.refuse"
	// refusedWithin is for how many seconds refused sign-ins of one account from
	// one address are one entry.
	refusedWithin = 60
	// maxRefused is how many entries there may be in that time; further accounts
	// and addresses share one, so that nobody can fill the store by guessing.
	maxRefused = 100
)

// unknownAccount stands for whatever was given as an e-mail address and is
// none: people type passwords there.
const unknownAccount = "unknown account"

// RefuseSignIn notes that somebody was not let in, with what and why. User is
// whose account it was, or 0. Those of a minute are counted.
func (s *Store) RefuseSignIn(ctx context.Context, by tidemark.Actor, user int64, with, why string) error {
	return s.write(ctx, func(tx conn) error {
		object, orgs := unknownAccount, []tidemark.OrgID{0}
		if user != 0 {
			email, err := value[string](ctx, s, tx, "user", `SELECT email FROM users WHERE id = ?`, user)
			if err != nil {
				return err
			}
			object = personObject(email)
			some, err := values[tidemark.OrgID](ctx, s, tx, `SELECT org_id FROM memberships WHERE user_id = ? ORDER BY org_id`, user)
			if err != nil {
				return err
			}
			if len(some) > 0 {
				orgs = some
			}
		}
		for _, org := range orgs {
			e := operation{org, by, refusedAction}.entry(object)
			e.Count, e.Detail = 1, map[string]any{"with": with, "why": why}
			if err := s.countRefused(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// countRefused adds to the entry of the last minute that is like e, or adds e.
func (s *Store) countRefused(ctx context.Context, tx conn, e *tidemark.AuditEntry) error {
	since := s.now() - refusedWithin
	n, err := s.addRefused(ctx, tx, e, since)
	if err != nil || n > 0 {
		return err
	}
	recent, err := value[int64](ctx, s, tx, "entry", `SELECT COUNT(*) FROM audit WHERE at > ? AND action = ?`, since, refusedAction)
	if err != nil {
		return err
	}
	if recent >= maxRefused {
		e.Org, e.Object, e.Address, e.Detail = 0, "several accounts", "", map[string]any{}
		if n, err := s.addRefused(ctx, tx, e, since); err != nil || n > 0 {
			return err
		}
	}
	return s.addAudit(ctx, tx, e)
}

func (s *Store) addRefused(ctx context.Context, tx conn, e *tidemark.AuditEntry, since int64) (int64, error) {
	return s.exec(ctx, tx, `UPDATE audit SET times = times + 1
		WHERE at > ? AND action = ? AND object = ? AND address = ? AND actor = ? AND COALESCE(org_id, 0) = ?`,
		since, refusedAction, e.Object, e.Address, e.Actor, e.Org)
}

// RecordBackup notes that a copy of everything is made in dir. It comes before
// the copy, which has it too.
func (s *Store) RecordBackup(ctx context.Context, by tidemark.Actor, dir string) error {
	return s.write(ctx, func(tx conn) error {
		return s.note(ctx, tx, operation{by: by, action: "server.backup"}, "server", map[string]any{"dir": dir})
	})
}
