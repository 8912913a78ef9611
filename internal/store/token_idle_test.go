package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestDeactivateIdle: of tokens that were not used for long, those that may not
// be are deactivated, and say so in the audit log; a change by hand gives one as
// long again.
func TestDeactivateIdle(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		const day = 86400
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		add := func(org tidemark.OrgID, name string, idle int64) *tidemark.Token {
			v := &tidemark.Token{Name: name, Role: tidemark.RecordOnly, Active: true, IdleDays: idle}
			ok(t, s.CreateToken(ctx, org, operator, v, tidemark.NewSecret()))
			return v
		}
		other := addOrg(t, s, "other")
		unused, used, whatever, theirs := add(org, "unused", 60), add(org, "used", 60), add(org, "whatever", 0), add(other, "theirs", 61)
		isActive := func(org tidemark.OrgID, v *tidemark.Token) bool {
			t.Helper()
			return must(s.Token(ctx, org, v.ID))(t).Active
		}
		look := func(when string, want ...bool) {
			t.Helper()
			ok(t, s.DeactivateIdle(ctx, now))
			same(t, when, want, []bool{isActive(org, unused), isActive(org, used), isActive(org, whatever), isActive(other, theirs)})
		}
		now += 60 * day
		ok(t, s.TouchTokens(ctx, map[int64]int64{used.ID: now - day}))
		look("on the last day", true, true, true, true)
		now++
		before := must(s.TokenVersion(ctx))(t)
		look("after it", false, true, true, true)
		if must(s.TokenVersion(ctx))(t) == before {
			t.Error("servers that know the token do not learn of it")
		}
		log, _, err := s.Audit(ctx, org, tidemark.Page{})
		ok(t, err)
		if e := log[0]; e.Actor != "server" || e.Action != "token.update" || e.After["active"] != false {
			t.Errorf("the audit log has %+v", e)
		}
		must(s.UpdateToken(ctx, org, operator, unused.ID, func(v *tidemark.Token) { v.Active = true }))(t)
		now += 58 * day
		look("after it was activated again", true, true, true, false)
		now += 3 * day
		look("two months later", false, false, true, false)
	})
}
