package store_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestInvitations(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		v := &tidemark.Invitation{Email: "ann@example.org", Role: tidemark.Member, CreatedAt: 100, CreatedBy: "user:x", ExpiresAt: 200}
		ok(t, s.CreateInvitation(ctx, org, tidemark.PersonActor("x", ""), v, "key"))
		want := *v
		want.OrgName = "test"
		same(t, "Invitations", []*tidemark.Invitation{&want}, must(s.Invitations(ctx, org, 150))(t))
		same(t, "over", []*tidemark.Invitation{}, must(s.Invitations(ctx, org, 200))(t))
		same(t, "Invitation", &want, must(s.Invitation(ctx, "key", 150))(t))
		want.Mailed, want.ExpiresAt = true, 300
		same(t, "RenewInvitation", &want, must(s.RenewInvitation(ctx, org, tidemark.PersonActor("x", ""), v.ID, "other", true, 300))(t))

		member := addUser(t, s, "bob@example.org")
		must(s.AddMember(ctx, org, operator, member.ID, tidemark.ViewOnly))(t)
		again := func(email string, at int64) error {
			return s.CreateInvitation(ctx, org, operator, &tidemark.Invitation{Email: email, Role: tidemark.ViewOnly, CreatedAt: at, ExpiresAt: at + 100}, "third")
		}
		checkKinds(t, []wrong{
			{"the link before", func() error { return errOf(s.Invitation(ctx, "key", 150)) }, tidemark.NotFound},
			{"too late", func() error { return errOf(s.Invitation(ctx, "other", 300)) }, tidemark.NotFound},
			{"a member", func() error { return again("bob@example.org", 150) }, tidemark.Conflict},
			{"twice", func() error { return again("ann@example.org", 150) }, tidemark.Conflict},
			{"no address", func() error { return again("ann", 150) }, tidemark.Invalid},
			{"accepted with a wrong link", func() error { return errOf(s.AcceptInvitation(ctx, operator, "key", 150, &tidemark.User{})) }, tidemark.NotFound},
			{"accepted too late", func() error { return errOf(s.AcceptInvitation(ctx, operator, "other", 300, &tidemark.User{})) }, tidemark.NotFound},
		})
		ok(t, again("ann@example.org", 300)) // the one before is over
		ok(t, s.DeleteInvitation(ctx, org, tidemark.PersonActor("x", ""), must(s.Invitation(ctx, "third", 350))(t).ID))
		ok(t, again("bert@example.org", 150))
		ok(t, s.DeleteExpired(ctx, 250))
		same(t, "after pruning", []*tidemark.Invitation{}, must(s.Invitations(ctx, org, 0))(t))
	})
}

// TestAcceptOnce: of many who accept an invitation at once, one does, and
// leaves nothing but one person.
func TestAcceptOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ok(t, s.CreateInvitation(ctx, org, operator, &tidemark.Invitation{Email: "ann@example.org", Role: tidemark.Member, ExpiresAt: 200}, "key"))
		var joined atomic.Int64
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				_, err := s.AcceptInvitation(ctx, operator, "key", 100, &tidemark.User{Name: fmt.Sprint(i), PasswordHash: "hash"})
				switch {
				case err == nil:
					joined.Add(1)
				case tidemark.KindOf(err) != tidemark.NotFound:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if joined.Load() != 1 {
			t.Errorf("%d accepted it", joined.Load())
		}
		members := must(s.Members(ctx, org))(t)
		if len(members) != 1 || members[0].Email != "ann@example.org" || members[0].Role != tidemark.Member {
			t.Errorf("members: %+v", members)
		}
		log, _, err := s.Audit(ctx, org, tidemark.Page{Length: 10})
		ok(t, err)
		if len(log) != 2 || log[0].Action != "member.join" || log[0].Actor != "user:ann@example.org" {
			t.Errorf("audit: %+v", log[0])
		}
	})
}
