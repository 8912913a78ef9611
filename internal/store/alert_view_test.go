package store_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestAlertViews: people see their own views and everybody's, of one
// organization; the audit log has those that everybody sees.
func TestAlertViews(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		ann, bob := addUser(t, s, "ann@example.org").ID, addUser(t, s, "bob@example.org").ID
		firing := tidemark.AlertViewFilter{State: "firing", Label: "team=db", Query: "cpu", Severity: "none", Service: "7"}
		save := func(user int64, name string) *tidemark.AlertView {
			t.Helper()
			v := &tidemark.AlertView{Name: name, Filter: firing}
			ok(t, s.CreateAlertView(ctx, org, operator, user, v))
			return v
		}
		sees := func(org tidemark.OrgID, user int64, want ...*tidemark.AlertView) {
			t.Helper()
			same(t, "views", append([]*tidemark.AlertView{}, want...), must(s.AlertViews(ctx, org, user))(t))
		}
		own, all, mine := save(ann, "Mine"), save(tidemark.Everybody, "all"), save(bob, "mine")
		sees(org, ann, all, own)
		sees(org, bob, all, mine)
		sees(other, ann)
		again := &tidemark.AlertView{Name: "MINE", Filter: firing}
		checkFields(t, s.CreateAlertView(ctx, org, operator, ann, again), "name", "is already taken")
		checkFields(t, s.CreateAlertView(ctx, org, operator, ann, &tidemark.AlertView{Name: "x"}), "filter", "must narrow the list by something")
		wantKind(t, "deleting another's", tidemark.NotFound, s.DeleteAlertView(ctx, org, operator, bob, own.ID))
		wantKind(t, "everybody's as one's own", tidemark.NotFound, s.DeleteAlertView(ctx, org, operator, bob, all.ID))
		wantKind(t, "one's own as everybody's", tidemark.NotFound, s.DeleteAlertView(ctx, org, operator, tidemark.Everybody, own.ID))
		wantKind(t, "of another organization", tidemark.NotFound, s.DeleteAlertView(ctx, other, operator, ann, own.ID))
		ok(t, s.DeleteAlertView(ctx, org, operator, ann, own.ID))
		ok(t, s.DeleteAlertView(ctx, org, operator, tidemark.Everybody, all.ID))
		sees(org, ann)
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "view.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"view.delete", "view.create"}, did)
	})
}

// TestAlertViewsAreBounded: each person has so many, and so has everybody.
func TestAlertViewsAreBounded(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ann, bob := addUser(t, s, "ann@example.org").ID, addUser(t, s, "bob@example.org").ID
		save := func(user int64, n int) error {
			v := &tidemark.AlertView{Name: fmt.Sprint(n), Filter: tidemark.AlertViewFilter{State: "ok"}}
			return s.CreateAlertView(t.Context(), org, operator, user, v)
		}
		for n := range tidemark.MaxAlertViews {
			ok(t, save(ann, n))
			ok(t, save(tidemark.Everybody, n))
		}
		wantKind(t, "one more", tidemark.TooLarge, save(ann, 99))
		wantKind(t, "one more for everybody", tidemark.TooLarge, save(tidemark.Everybody, 99))
		ok(t, save(bob, 99))
	})
}
