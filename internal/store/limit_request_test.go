package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestLimitRequests: an organization has one open request of each limit;
// accepted, it sets the limit, and declined it can be made again a day later.
func TestLimitRequests(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		other := addOrg(t, s, "other")
		ask := func(org tidemark.OrgID, name tidemark.LimitName) error {
			return s.CreateLimitRequest(ctx, org, operator, &tidemark.LimitRequest{Name: name, Wanted: 20, Allowed: 10, Use: new(int64(9)), Note: "a launch"})
		}
		ok(t, ask(org, tidemark.LimitAlerts))
		ofKind(t, ask(org, tidemark.LimitAlerts), tidemark.Conflict)
		ok(t, ask(other, tidemark.LimitAlerts))
		ok(t, ask(org, tidemark.LimitSpaces))
		open := must(s.OpenLimitRequests(ctx))(t)
		if len(open) != 3 || open[0].OrgName == "" || open[0].Title != "Alerts" || *open[0].Use != 9 || open[0].State != tidemark.RequestOpen {
			t.Errorf("open: %+v", open)
		}
		ok(t, s.ResolveLimitRequest(ctx, org, operator, tidemark.LimitAlerts, tidemark.LimitAnswer{Accept: true, Value: 15, Text: "for now"}))
		ok(t, s.ResolveLimitRequest(ctx, org, operator, tidemark.LimitSpaces, tidemark.LimitAnswer{Text: "not now"}))
		ofKind(t, s.ResolveLimitRequest(ctx, org, operator, tidemark.LimitSpaces, tidemark.LimitAnswer{Accept: true}), tidemark.NotFound)
		limits := must(s.OrgLimits(ctx))(t)
		same(t, "limits", map[tidemark.OrgID]map[tidemark.LimitName]int64{org: {tidemark.LimitAlerts: 15}}, limits)
		got := must(s.LimitRequests(ctx, org))(t)
		if len(got) != 2 || got[0].State != tidemark.RequestAccepted || got[0].Granted != 15 || got[0].Answer != "for now" || got[1].State != tidemark.RequestDeclined {
			t.Errorf("answered: %+v %+v", got[0], got[1])
		}
		ok(t, ask(org, tidemark.LimitAlerts)) // more than was given may be needed at once
		ofKind(t, ask(org, tidemark.LimitSpaces), tidemark.Conflict)
		now += 24 * 3600
		ok(t, ask(org, tidemark.LimitSpaces))
		var actions []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "limits.*"}))(t) {
			actions = append([]string{e.Action}, actions...)
		}
		same(t, "audit log", []string{"limits.ask", "limits.ask", "limits.set", "limits.decline", "limits.ask", "limits.ask"}, actions)
	})
}

// TestLimitUses: what is counted for all organizations at once is what is
// counted for each.
func TestLimitUses(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		other := addOrg(t, s, "other")
		furnish(t, s, org)
		all := must(s.LimitUses(t.Context()))(t)
		for _, id := range []tidemark.OrgID{org, other} {
			for name, n := range must(s.LimitUse(t.Context(), id))(t) {
				if all[name] == nil || all[name][id] != n {
					t.Errorf("%s of %d: %v, want %d", name, id, all[name][id], n)
				}
			}
		}
		for name, counts := range all {
			if counts[org] == 0 {
				t.Errorf("nothing of %s is counted", name)
			}
		}
		if all[tidemark.LimitMembers][org] != 2 || all[tidemark.LimitCharts][org] != 1 {
			t.Errorf("members %v, charts %v", all[tidemark.LimitMembers], all[tidemark.LimitCharts])
		}
	})
}

// TestOperators: whoever sets the server up is an operator, others are made
// ones, and the server's log says by whom.
func TestOperators(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ok(t, s.ReplaceSetupKey(ctx, "setup", 1<<40))
		owner := &tidemark.User{Email: "owner@example.org", Verified: true}
		must(s.SetUp(ctx, tidemark.VisitorActor(""), "setup", 1, "shop", owner))(t)
		ann := addUser(t, s, "ann@example.org")
		for range 2 {
			ok(t, s.SetOperator(ctx, operator, ann.ID, true))
		}
		must(s.AddMember(ctx, org, operator, ann.ID, tidemark.ViewOnly))(t)
		is := func(id int64) bool { return must(s.User(ctx, id))(t).Operator }
		if !is(owner.ID) || !is(ann.ID) || !must(s.Membership(ctx, org, ann.ID))(t).Operator {
			t.Error("one of them is none")
		}
		var mailed []string
		for _, u := range must(s.Operators(ctx))(t) {
			mailed = append(mailed, u.Email)
		}
		same(t, "operators with a verified address", []string{"owner@example.org"}, mailed)
		ok(t, s.SetOperator(ctx, operator, ann.ID, false))
		if is(ann.ID) || must(s.Membership(ctx, org, ann.ID))(t).Operator {
			t.Error("still an operator")
		}
		ofKind(t, s.SetOperator(ctx, operator, 99, true), tidemark.NotFound)
		var actions []string
		for _, e := range must(s.ServerAudit(ctx, tidemark.AuditQuery{Action: "operator.*"}))(t) {
			actions = append(actions, e.Action+" "+e.Object)
		}
		same(t, "audit log", []string{"operator.revoke user ann@example.org", "operator.grant user ann@example.org"}, actions)
	})
}

func ofKind(t *testing.T, err error, kind tidemark.Kind) {
	t.Helper()
	if err == nil || tidemark.KindOf(err) != kind {
		t.Errorf("%v, want an error of kind %v", err, kind)
	}
}
