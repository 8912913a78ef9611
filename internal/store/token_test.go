package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func addToken(t testing.TB, s *store.Store, org tidemark.OrgID, name string) (*tidemark.Token, tidemark.Secret) {
	t.Helper()
	v, secret := &tidemark.Token{Name: name, Role: tidemark.RecordOnly, Active: true}, tidemark.NewSecret()
	ok(t, s.CreateToken(t.Context(), org, operator, v, secret))
	return v, secret
}

func TestTokens(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		edge, secret := addToken(t, s, org, "Edge collectors")
		if edge.ID <= 0 || edge.Last4 != secret.Last4() || edge.CreatedAt == 0 {
			t.Errorf("created %+v", edge)
		}
		same(t, "Token", edge, must(s.Token(ctx, org, edge.ID))(t))
		found := &store.Credential{Org: org, Token: edge, Hash: secret.Hash()}
		same(t, "TokenByHash", found, must(s.TokenByHash(ctx, secret.Hash()))(t))
		same(t, "RecentCredentials before it was used", []*store.Credential{}, must(s.RecentCredentials(ctx, 2))(t))
		ok(t, s.TouchTokens(ctx, map[int64]int64{edge.ID: 1000}))
		edge.LastUsedAt = 1000
		same(t, "RecentCredentials", []*store.Credential{found}, must(s.RecentCredentials(ctx, 2))(t))

		change := tidemark.TokenUpdate{Active: tidemark.Some(false), Role: tidemark.Some(tidemark.ViewOnly), ExpiresAt: tidemark.Some(int64(1 << 33))}
		got := must(s.UpdateToken(ctx, org, tidemark.PersonActor("ann@example.org", ""), edge.ID, change.Apply))(t)
		want := *edge
		want.Active, want.Role, want.ExpiresAt, want.UpdatedAt = false, tidemark.ViewOnly, 1<<33, got.UpdatedAt
		same(t, "UpdateToken", &want, got)
		same(t, "TokenByHash after the update", &store.Credential{Org: org, Token: &want, Hash: secret.Hash(), ExpiresAt: 1 << 33},
			must(s.TokenByHash(ctx, secret.Hash()))(t))

		ok(t, s.DeleteToken(ctx, org, operator, edge.ID))
		checkKinds(t, []wrong{
			{"deleted", func() error { return errOf(s.Token(ctx, org, edge.ID)) }, tidemark.NotFound},
			{"its secret", func() error { return errOf(s.TokenByHash(ctx, secret.Hash())) }, tidemark.NotFound},
		})
		ok(t, s.CreateToken(ctx, org, operator, &tidemark.Token{Name: "again", Role: tidemark.ViewOnly}, secret)) // free again
	})
}

func TestTokenList(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		for _, name := range []string{"edge", "Edge", "edge 2", "core"} {
			addToken(t, s, org, name)
		}
		addToken(t, s, addOrg(t, s, "other"), "edge")
		name := func(v *tidemark.Token) string { return v.Name }
		f := func(p tidemark.Page, found int, want ...string) {
			t.Helper()
			checkList(t, name, found, 4, want...)(s.Tokens(ctx, org, p))
		}
		f(tidemark.Page{}, 4, "edge", "Edge", "edge 2", "core")
		f(tidemark.Page{OrderBy: "name", Length: 1}, 4, "core")
		f(tidemark.Page{Name: "edge"}, 2, "edge", "Edge") // all of the name
		f(tidemark.Page{Name: "edg"}, 0)
		f(tidemark.Page{Name: "*DGE*"}, 3, "edge", "Edge", "edge 2")
		if list, _, err := s.Tokens(ctx, org, tidemark.Page{Name: strings.Repeat("x", 32<<10)}); err != nil || len(list) != 0 {
			t.Errorf("a long name: %v, %v", list, err)
		}
	})
}

func TestTokenErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		edge, secret := addToken(t, s, org, "edge")
		draft := func() *tidemark.Token { return &tidemark.Token{Name: "x", Role: tidemark.ViewOnly} }
		unname := func(v *tidemark.Token) { v.Name = "" }
		checkKinds(t, []wrong{
			{"no such token", func() error { return errOf(s.Token(ctx, org, 999)) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Token(ctx, other, edge.ID)) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateToken(ctx, other, operator, edge.ID, unname)) }, tidemark.NotFound},
			{"rotate of another org", func() error { return errOf(s.RotateToken(ctx, other, operator, edge.ID, tidemark.NewSecret(), 0)) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteToken(ctx, other, operator, edge.ID) }, tidemark.NotFound},
			{"in no org", func() error { return s.CreateToken(ctx, 999, operator, draft(), tidemark.NewSecret()) }, tidemark.NotFound},
			{"without name", func() error {
				return s.CreateToken(ctx, org, operator, &tidemark.Token{Role: "viewer"}, tidemark.NewSecret())
			}, tidemark.Invalid},
			{"a person's role", func() error {
				return s.CreateToken(ctx, org, operator, &tidemark.Token{Name: "x", Role: tidemark.Member}, tidemark.NewSecret())
			}, tidemark.Invalid},
			{"update to no name", func() error { return errOf(s.UpdateToken(ctx, org, operator, edge.ID, unname)) }, tidemark.Invalid},
			{"a secret in use", func() error { return s.CreateToken(ctx, other, operator, draft(), secret) }, tidemark.Conflict},
			{"rotate to a secret in use", func() error { return errOf(s.RotateToken(ctx, org, operator, edge.ID, secret, 1<<33)) }, tidemark.Conflict},
			{"unknown secret", func() error { return errOf(s.TokenByHash(ctx, tidemark.NewSecret().Hash())) }, tidemark.NotFound},
			{"delete nothing", func() error { return s.DeleteToken(ctx, org, operator, 999) }, tidemark.NotFound},
		})
		same(t, "untouched", edge, must(s.Token(ctx, org, edge.ID))(t))
		checkList(t, auditAction, 1, 1, "token.create")(s.Audit(ctx, org, tidemark.Page{}))
		checkList(t, auditAction, 0, 0)(s.Audit(ctx, other, tidemark.Page{}))
	})
}

func TestRotateToken(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		works := func(secret tidemark.Secret, until int64) {
			t.Helper()
			if c := must(s.TokenByHash(ctx, secret.Hash()))(t); c.ExpiresAt != until {
				t.Errorf("%s works until %d, want %d", secret, c.ExpiresAt, until)
			}
		}
		gone := func(secret tidemark.Secret) {
			t.Helper()
			if err := errOf(s.TokenByHash(ctx, secret.Hash())); tidemark.KindOf(err) != tidemark.NotFound {
				t.Errorf("%s: %v, want not found", secret, err)
			}
		}
		edge, first := addToken(t, s, org, "edge")
		second, third, fourth := tidemark.NewSecret(), tidemark.NewSecret(), tidemark.NewSecret()

		got := must(s.RotateToken(ctx, org, operator, edge.ID, second, now+100))(t)
		if got.Last4 != second.Last4() || got.OldUntil != now+100 || got.UpdatedAt <= edge.UpdatedAt {
			t.Errorf("rotated %+v", got)
		}
		same(t, "Token", got, must(s.Token(ctx, org, edge.ID))(t))
		works(first, now+100)
		works(second, 0)

		// What an earlier rotation promised is kept.
		if got = must(s.RotateToken(ctx, org, operator, edge.ID, third, now+50))(t); got.OldUntil != now+100 {
			t.Errorf("old until %d, want %d", got.OldUntil, now+100)
		}
		works(first, now+100)
		works(second, now+50)
		works(third, 0)

		// What is over is cleared away by the next rotation, and not shown.
		now += 100
		if got = must(s.Token(ctx, org, edge.ID))(t); got.OldUntil != 0 {
			t.Errorf("old until %d, which is over", got.OldUntil)
		}
		must(s.RotateToken(ctx, org, operator, edge.ID, fourth, now+10))(t)
		gone(first)
		gone(second)
		works(third, now+10)

		// Without an overlap everything earlier stops at once.
		if got = must(s.RotateToken(ctx, org, operator, edge.ID, first, now))(t); got.OldUntil != 0 {
			t.Errorf("old until %d, want none", got.OldUntil)
		}
		gone(third)
		gone(fourth)
		works(first, 0)

		// The token's own end comes first.
		end := tidemark.TokenUpdate{ExpiresAt: tidemark.Some(now + 5)}
		must(s.UpdateToken(ctx, org, operator, edge.ID, end.Apply))(t)
		must(s.RotateToken(ctx, org, operator, edge.ID, second, now+10))(t)
		works(first, now+5)
		works(second, now+5)
	})
}

func TestRotateTokenOften(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		edge, _ := addToken(t, s, org, "edge")
		for range 10 {
			must(s.RotateToken(t.Context(), org, operator, edge.ID, tidemark.NewSecret(), 1<<33))(t)
		}
		checkKinds(t, []wrong{{"too many earlier secrets", func() error {
			return errOf(s.RotateToken(t.Context(), org, operator, edge.ID, tidemark.NewSecret(), 1<<33))
		}, tidemark.Conflict}})
		must(s.RotateToken(t.Context(), org, operator, edge.ID, tidemark.NewSecret(), 0))(t)
	})
}

func TestTouchTokens(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		a, _ := addToken(t, s, org, "a")
		b, _ := addToken(t, s, other, "b")
		before := must(s.TokenVersion(ctx))(t)
		used := map[int64]int64{a.ID: 100, b.ID: 200}
		for i := range int64(1200) {
			used[1000+i] = 5 // of tokens that are gone
		}
		ok(t, s.TouchTokens(ctx, used))
		ok(t, s.TouchTokens(ctx, map[int64]int64{a.ID: 90, b.ID: 210})) // out of order
		ok(t, s.TouchTokens(ctx, nil))
		a.LastUsedAt, b.LastUsedAt = 100, 210
		same(t, "a", a, must(s.Token(ctx, org, a.ID))(t))
		same(t, "b", b, must(s.Token(ctx, other, b.ID))(t))
		if after := must(s.TokenVersion(ctx))(t); after != before {
			t.Error("a use counts as a change")
		}
	})
}

func auditAction(v *tidemark.AuditEntry) string { return v.Action }

func TestTokenAudit(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		edge, first := addToken(t, s, org, `"edge"`)
		second := tidemark.NewSecret()
		change := tidemark.TokenUpdate{Name: tidemark.Some("Edge"), Role: tidemark.Some(tidemark.RecordOnly), Active: tidemark.Some(false)}
		must(s.UpdateToken(ctx, org, tidemark.PersonActor("ann@example.org", ""), edge.ID, change.Apply))(t)
		must(s.RotateToken(ctx, org, tidemark.Actor{Kind: tidemark.ByToken, Name: "admin", Address: "192.0.2.7"}, edge.ID, second, 1_900_000_000))(t)
		ok(t, s.DeleteToken(ctx, org, operator, edge.ID))

		log, n, err := s.Audit(ctx, org, tidemark.Page{})
		ok(t, err)
		same(t, "counts", tidemark.Counts{Found: 4, Total: 4}, n)
		object := fmt.Sprintf(`token %d "Edge"`, edge.ID)
		for _, v := range log {
			if v.Org != org {
				t.Errorf("an entry of organization %d", v.Org)
			}
			v.Org = 0
		}
		same(t, "audit log", []*tidemark.AuditEntry{
			{ID: log[0].ID, At: now, Actor: "cli", Action: "token.delete", Object: object,
				Detail: map[string]any{"role": "recorder", "last4": second.Last4()},
				Before: map[string]any{"name": "Edge", "role": "recorder", "active": false, "expires_at": int64(0)}},
			{ID: log[1].ID, At: now, Actor: "token:admin", Address: "192.0.2.7", Action: "token.rotate", Object: object,
				Detail: map[string]any{"from": first.Last4(), "to": second.Last4(), "old_until": int64(1_900_000_000)}},
			{ID: log[2].ID, At: now, Actor: "user:ann@example.org", Action: "token.update", Object: object,
				Detail: map[string]any{
					"name":   map[string]any{"from": `"edge"`, "to": "Edge"},
					"active": map[string]any{"from": true, "to": false},
				},
				Before: map[string]any{"name": `"edge"`, "active": true}, After: map[string]any{"name": "Edge", "active": false}},
			{ID: log[3].ID, At: now, Actor: "cli", Action: "token.create", Object: fmt.Sprintf(`token %d "\"edge\""`, edge.ID),
				Detail: map[string]any{"name": `"edge"`, "role": "recorder", "active": true, "last4": first.Last4()},
				After:  map[string]any{"name": `"edge"`, "role": "recorder", "active": true, "expires_at": int64(0)}},
		}, log)
		checkList(t, auditAction, 1, 4, "token.update")(s.Audit(ctx, org, tidemark.Page{Name: "ANN@"}))
		checkList(t, auditAction, 4, 4, "token.rotate")(s.Audit(ctx, org, tidemark.Page{Offset: 1, Length: 1}))
	})
}
