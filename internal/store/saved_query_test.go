package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestSavedQueries: an organization sees its own, each name once, and the audit
// log has what became of them.
func TestSavedQueries(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		v := &tidemark.SavedQuery{Name: "Latency", Search: "metric=latency&b.metric=errors"}
		ok(t, s.CreateSavedQuery(ctx, org, operator, v))
		same(t, "queries", []*tidemark.SavedQuery{v}, must(s.SavedQueries(ctx, org))(t))
		same(t, "owner", operator.String(), v.CreatedBy)
		same(t, "queries of another", 0, len(must(s.SavedQueries(ctx, other))(t)))
		checkFields(t, s.CreateSavedQuery(ctx, org, operator, &tidemark.SavedQuery{Name: "LATENCY", Search: "q=1"}), "name", "is already taken")
		ok(t, s.CreateSavedQuery(ctx, other, operator, &tidemark.SavedQuery{Name: "LATENCY", Search: "q=1"}))
		wantKind(t, "of another organization", tidemark.NotFound, s.DeleteSavedQuery(ctx, other, operator, v.ID))
		ok(t, s.DeleteSavedQuery(ctx, org, operator, v.ID))
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "query.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"query.delete", "query.create"}, did)
	})
}
