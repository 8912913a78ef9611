package store_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestOrgs(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		acme := must(s.CreateOrg(ctx, operator, "Acme"))(t)
		if acme.ID <= org || acme.CreatedAt == 0 {
			t.Errorf("created %+v", acme)
		}
		same(t, "Org", acme, must(s.Org(ctx, acme.ID))(t))
		same(t, "OrgByName", acme, must(s.OrgByName(ctx, "aCME"))(t))
		if all := must(s.Orgs(ctx))(t); len(all) != 2 || all[1].ID != acme.ID {
			t.Errorf("Orgs = %v", all)
		}
		rename := func(id tidemark.OrgID, name string) (*tidemark.Org, error) {
			return s.UpdateOrg(ctx, id, operator, func(o *tidemark.Org) { o.Name, o.ID, o.CreatedAt = name, 999, 5 })
		}
		renamed := must(rename(acme.ID, "ACME Inc."))(t)
		same(t, "renamed", renamed, must(s.OrgByName(ctx, "acme inc."))(t))
		must(rename(acme.ID, "acme inc."))(t) // its own name is free for it
		want := &tidemark.Org{ID: acme.ID, Name: "acme inc.", CreatedAt: acme.CreatedAt, AlertsBeforeMetrics: true}
		same(t, "set", want, must(s.UpdateOrg(ctx, acme.ID, operator, func(o *tidemark.Org) { o.AlertsBeforeMetrics = true }))(t))
		same(t, "Org", want, must(s.Org(ctx, acme.ID))(t))

		checkKinds(t, []wrong{
			{"no such org", func() error { return errOf(s.Org(ctx, 999)) }, tidemark.NotFound},
			{"no such name", func() error { return errOf(s.OrgByName(ctx, "Acme")) }, tidemark.NotFound},
			{"no such name, with a NUL", func() error { return errOf(s.OrgByName(ctx, "\x00")) }, tidemark.NotFound},
			{"no name", func() error { return errOf(s.CreateOrg(ctx, operator, "")) }, tidemark.Invalid},
			{"a long name", func() error { return errOf(s.CreateOrg(ctx, operator, strings.Repeat("x", 256))) }, tidemark.Invalid},
			{"twice the same", func() error { return errOf(s.CreateOrg(ctx, operator, "TEST")) }, tidemark.Conflict},
			{"rename to another's", func() error { return errOf(rename(acme.ID, "test")) }, tidemark.Conflict},
			{"rename nothing", func() error { return errOf(rename(999, "x")) }, tidemark.NotFound},
		})
	})
}

// TestOrgOfAPerson: an organization has its first Admin from the moment on in
// which it exists, and does not exist without.
func TestOrgOfAPerson(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ann := addUser(t, s, "ann@example.org")
		made := must(s.CreateOrgFor(ctx, operator, "Hers", ann.ID))(t)
		m := must(s.Membership(ctx, made.ID, ann.ID))(t)
		if m.Role != tidemark.FullAccess || m.OrgName != "Hers" {
			t.Errorf("a member as %+v", m)
		}
		checkKinds(t, []wrong{
			{"the same name", func() error { return errOf(s.CreateOrgFor(ctx, operator, "hers", ann.ID)) }, tidemark.Conflict},
			{"no name", func() error { return errOf(s.CreateOrgFor(ctx, operator, "", ann.ID)) }, tidemark.Invalid},
			{"nobody's", func() error { return errOf(s.CreateOrgFor(ctx, operator, "Nobody's", 999)) }, tidemark.NotFound},
			{"which is not there", func() error { return errOf(s.OrgByName(ctx, "Nobody's")) }, tidemark.NotFound},
			{"she stays", func() error { return s.RemoveMember(ctx, made.ID, operator, ann.ID) }, tidemark.Conflict},
		})
	})
}

// TestDeleteOrg: nothing of an organization is left, nobody else loses
// anything, and who looked at it looks at another of theirs.
func TestDeleteOrg(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		gone := must(s.CreateOrg(ctx, operator, "Gone"))(t)
		ann, bob := addUser(t, s, "ann@example.org"), addUser(t, s, "bob@example.org")
		must(s.AddMember(ctx, org, operator, ann.ID, tidemark.FullAccess))(t)
		session := func(user int64, hash string) {
			must(s.AddMember(ctx, gone.ID, operator, user, tidemark.FullAccess))(t)
			ok(t, s.CreateSession(ctx, tidemark.PersonActor("x", ""), &tidemark.Session{User: user, Org: gone.ID, ExpiresAt: 1000}, hash, "password"))
		}
		session(ann.ID, "ann")
		session(bob.ID, "bob")
		kept, _ := addToken(t, s, org, "kept")
		token, secret := addToken(t, s, gone.ID, "gone")
		version := must(s.TokenVersion(ctx))(t)
		ok(t, s.DeleteOrg(ctx, gone.ID, operator))
		if got := must(s.SessionByHash(ctx, "ann", 1))(t); got.Org != org {
			t.Errorf("ann looks at %d", got.Org)
		}
		if now := must(s.TokenVersion(ctx))(t); now == version {
			t.Error("listeners do not learn that tokens are gone")
		}
		must(s.Token(ctx, org, kept.ID))(t)
		checkKinds(t, []wrong{
			{"it", func() error { return errOf(s.Org(ctx, gone.ID)) }, tidemark.NotFound},
			{"its token", func() error { return errOf(s.Token(ctx, gone.ID, token.ID)) }, tidemark.NotFound},
			{"the token's secret", func() error { return errOf(s.TokenByHash(ctx, secret.Hash())) }, tidemark.NotFound},
			{"a session of somebody without another", func() error { return errOf(s.SessionByHash(ctx, "bob", 1)) }, tidemark.NotFound},
			{"once more", func() error { return s.DeleteOrg(ctx, gone.ID, operator) }, tidemark.NotFound},
		})
	})
}

func addUser(t testing.TB, s *store.Store, email string) *tidemark.User {
	t.Helper()
	v := &tidemark.User{Email: email, Name: "N. N.", PasswordHash: "hash"}
	ok(t, s.CreateUser(t.Context(), operator, v))
	return v
}

func TestUsers(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, _ tidemark.OrgID) {
		ctx := t.Context()
		ann := addUser(t, s, "ann@example.org")
		same(t, "User", ann, must(s.User(ctx, ann.ID))(t))
		same(t, "UserByEmail", ann, must(s.UserByEmail(ctx, "Ann@Example.org"))(t))
		ok(t, s.SetPassword(ctx, operator, ann.ID, "other", 0))
		ok(t, s.ChangeProfile(ctx, operator, ann.ID, store.Profile{Name: tidemark.Some("Ann")}))
		ann.PasswordHash, ann.Name = "other", "Ann"
		same(t, "changed", ann, must(s.User(ctx, ann.ID))(t))

		checkKinds(t, []wrong{
			{"no such user", func() error { return errOf(s.User(ctx, 999)) }, tidemark.NotFound},
			{"no such address", func() error { return errOf(s.UserByEmail(ctx, "bob@example.org")) }, tidemark.NotFound},
			{"no address", func() error { return s.CreateUser(ctx, operator, &tidemark.User{Email: "ann"}) }, tidemark.Invalid},
			{"twice the same", func() error { return s.CreateUser(ctx, operator, &tidemark.User{Email: "ann@example.org"}) }, tidemark.Conflict},
			{"password of nobody", func() error { return s.SetPassword(ctx, operator, 999, "x", 0) }, tidemark.NotFound},
			{"name of nobody", func() error { return s.ChangeProfile(ctx, operator, 999, store.Profile{Name: tidemark.Some("x")}) }, tidemark.NotFound},
			{"a name too long", func() error {
				return s.ChangeProfile(ctx, operator, ann.ID, store.Profile{Name: tidemark.Some(strings.Repeat("x", 256))})
			}, tidemark.Invalid},
		})
	})
}

func TestMembers(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		ann, bob := addUser(t, s, "ann@example.org"), addUser(t, s, "bob@example.org")
		must(s.AddMember(ctx, org, operator, bob.ID, tidemark.ViewOnly))(t)
		first := must(s.AddMember(ctx, org, operator, ann.ID, tidemark.FullAccess))(t)
		same(t, "AddMember", &tidemark.Membership{
			Org: org, User: ann.ID, Role: tidemark.FullAccess, Email: "ann@example.org", Name: "N. N.", OrgName: "test", CreatedAt: first.CreatedAt,
		}, first)
		same(t, "Membership", first, must(s.Membership(ctx, org, ann.ID))(t))
		if all := must(s.Members(ctx, org))(t); len(all) != 2 || all[0].User != ann.ID || all[1].User != bob.ID {
			t.Errorf("Members = %v", all)
		}
		must(s.AddMember(ctx, other, operator, ann.ID, tidemark.Member))(t)
		if all := must(s.MembershipsOf(ctx, ann.ID))(t); len(all) != 2 || all[0].OrgName != "other" || all[1].OrgName != "test" {
			t.Errorf("MembershipsOf = %v", all)
		}

		checkKinds(t, []wrong{
			{"twice the same", func() error { return errOf(s.AddMember(ctx, org, operator, ann.ID, tidemark.Member)) }, tidemark.Conflict},
			{"nobody", func() error { return errOf(s.AddMember(ctx, org, operator, 999, tidemark.Member)) }, tidemark.NotFound},
			{"of nothing", func() error { return errOf(s.AddMember(ctx, 999, operator, ann.ID, tidemark.Member)) }, tidemark.NotFound},
			{"a token's role", func() error { return errOf(s.AddMember(ctx, other, operator, bob.ID, tidemark.RecordOnly)) }, tidemark.Invalid},
			{"to a token's role", func() error { return s.SetMemberRole(ctx, org, operator, bob.ID, tidemark.RecordOnly) }, tidemark.Invalid},
			{"the last admin demoted", func() error { return s.SetMemberRole(ctx, org, operator, ann.ID, tidemark.Member) }, tidemark.Conflict},
			{"the last admin removed", func() error { return s.RemoveMember(ctx, org, operator, ann.ID) }, tidemark.Conflict},
			{"member of another org", func() error { return errOf(s.Membership(ctx, other, bob.ID)) }, tidemark.NotFound},
			{"role in another org", func() error { return s.SetMemberRole(ctx, other, operator, bob.ID, tidemark.Member) }, tidemark.NotFound},
			{"remove from another org", func() error { return s.RemoveMember(ctx, other, operator, bob.ID) }, tidemark.NotFound},
		})

		ok(t, s.SetMemberRole(ctx, org, operator, ann.ID, tidemark.FullAccess)) // as before
		ok(t, s.SetMemberRole(ctx, org, operator, bob.ID, tidemark.FullAccess))
		ok(t, s.SetMemberRole(ctx, org, operator, ann.ID, tidemark.Member)) // now there is another
		ok(t, s.RemoveMember(ctx, org, operator, ann.ID))
		checkKinds(t, []wrong{
			{"the other one is last now", func() error { return s.RemoveMember(ctx, org, operator, bob.ID) }, tidemark.Conflict},
			{"removed twice", func() error { return s.RemoveMember(ctx, org, operator, ann.ID) }, tidemark.NotFound},
		})
	})
}
