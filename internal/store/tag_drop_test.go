package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestTagDrops: an organization has its own, each once whatever its case,
// recorders are told of every change, and the audit log has them.
func TestTagDrops(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		heard := listen(t, s.ListenMetrics)
		heard("the start")
		v := &tidemark.TagDrop{Metric: " HTTP.* ", Tag: "Session"}
		ok(t, s.CreateTagDrop(ctx, org, operator, v))
		heard("a new one")
		same(t, "metric and tag", "http.* session", v.Metric+" "+v.Tag)
		same(t, "drops", []*tidemark.TagDrop{v}, must(s.TagDrops(ctx, org))(t))
		same(t, "drops of another", 0, len(must(s.TagDrops(ctx, other))(t)))
		checkFields(t, s.CreateTagDrop(ctx, org, operator, &tidemark.TagDrop{Metric: "http.*", Tag: "SESSION"}), "tag", "is already taken")
		ok(t, s.CreateTagDrop(ctx, other, operator, &tidemark.TagDrop{Metric: "http.*", Tag: "session"}))
		heard("one of another")
		wantKind(t, "of another organization", tidemark.NotFound, s.DeleteTagDrop(ctx, other, operator, v.ID))
		ok(t, s.DeleteTagDrop(ctx, org, operator, v.ID))
		heard("a deletion")
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "tag_drop.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"tag_drop.delete", "tag_drop.create"}, did)
	})
}
