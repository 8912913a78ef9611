package store_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestSigningSecret: a webhook gets a secret of its own when it is made, keeps
// it when it is changed, and has another when it is rotated; no other type has
// one. It is sealed, and the audit log says no more than that it was replaced.
func TestSigningSecret(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		v, other := addService(t, s, org, "a"), addService(t, s, org, "b")
		if v.Signing == nil || len(v.Signing.Secret) != 47 || v.Signing.Secret == other.Signing.Secret {
			t.Fatalf("no secret of its own: %t", v.Signing != nil)
		}
		rename := tidemark.ServiceUpdate{Title: tidemark.Some("c")}
		if got := must(s.UpdateService(ctx, org, operator, v.ID, rename.Apply))(t); got.Signing.Secret != v.Signing.Secret {
			t.Error("a new title is a new secret")
		}
		got := must(s.RotateSigning(ctx, org, operator, v.ID, v.Signing.Since+1_000_000))(t)
		if got.Signing.Secret == v.Signing.Secret || got.Signing.Old != v.Signing.Secret || !got.Signing.OldAt(v.Signing.Since) {
			t.Error("not rotated, or the old one does not go on")
		}
		same(t, "after the rotation", got, must(s.Service(ctx, org, v.ID))(t))
		entry := must(s.AuditLog(ctx, org, tidemark.AuditQuery{Length: 1}))(t)[0]
		if entry.Action != "service.rotate" || entry.After["signing"] != "replaced" || entry.Before["signing"] != "set" {
			t.Errorf("entry %+v", entry)
		}
		got = must(s.RotateSigning(ctx, org, operator, v.ID, 0))(t)
		if got.Signing.Old != "" {
			t.Error("the old one goes on")
		}
		slack := tidemark.ServiceUpdate{Type: tidemark.Some("slack")}
		if got := must(s.UpdateService(ctx, org, operator, v.ID, slack.Apply))(t); got.Signing != nil {
			t.Error("a chat has a secret")
		}
		if _, err := s.RotateSigning(ctx, org, operator, v.ID, 0); err == nil || !strings.Contains(err.Error(), "not signed") {
			t.Errorf("rotate a chat's: %v", err)
		}
		if _, err := s.RotateSigning(ctx, org+1, operator, other.ID, 0); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("rotate another organization's: %v", err)
		}
	})
}
