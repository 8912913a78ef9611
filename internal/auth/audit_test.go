package auth_test

import (
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// TestSignInsAreAudited: who came in, who was refused, and from where.
func TestSignInsAreAudited(t *testing.T) {
	h := newHouse(t)
	ctx, org := t.Context(), h.home(t)
	u := h.member(t, org, "ann@example.org", tidemark.Member)
	from := auth.Browser{Address: "192.0.2.7"}
	for range 2 {
		if _, _, err := h.SignIn(ctx, "ann@example.org", "wrong password", from); tidemark.KindOf(err) != tidemark.Unauthenticated {
			t.Fatal(err)
		}
	}
	if _, _, err := h.SignIn(ctx, "s3cret typed here", "wrong password", from); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Fatal(err)
	}
	if _, _, err := h.OpenSession(ctx, u.ID, org, from); err != nil {
		t.Fatal(err)
	}
	log, err := h.store.AuditLog(ctx, org, tidemark.AuditQuery{Action: "session.*"})
	if err != nil || len(log) != 2 {
		t.Fatalf("%d entries, %v", len(log), err)
	}
	in, refused := log[0], log[1]
	if in.Action != "session.open" || in.Actor != "user:ann@example.org" || in.Address != "192.0.2.7" {
		t.Errorf("signed in: %+v", in)
	}
	if refused.Action != "session.refuse" || refused.Actor != "visitor" || refused.Object != "user ann@example.org" || refused.Count != 2 || refused.Address != "192.0.2.7" {
		t.Errorf("refused: %+v", refused)
	}
	server, err := h.store.ServerAudit(ctx, tidemark.AuditQuery{})
	if err != nil || !slices.ContainsFunc(server, func(e *tidemark.AuditEntry) bool { return e.Object == "unknown account" && e.Count == 1 }) {
		t.Errorf("of nobody: %+v, %v", server, err)
	}
}
