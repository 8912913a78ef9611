package store_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestPasskeys: a passkey is found by what it says of itself, belongs to one
// person, and there are twenty at most.
func TestPasskeys(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, _ tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		u, bob := addUser(t, s, "ann@example.org").ID, addUser(t, s, "bob@example.org").ID
		v := &tidemark.Passkey{User: u, Name: "Phone", Credential: "c1", Data: `{"count":1}`}
		ok(t, s.CreatePasskey(ctx, operator, v, []string{"code"}))
		same(t, "PasskeyByCredential", v, must(s.PasskeyByCredential(ctx, "c1"))(t))
		wantKind(t, "in another case", tidemark.NotFound, errOf(s.PasskeyByCredential(ctx, "C1")))
		wantKind(t, "somebody else's", tidemark.Conflict, s.CreatePasskey(ctx, operator, &tidemark.Passkey{User: bob, Name: "Mine", Credential: "c1", Data: "{}"}, nil))
		ok(t, s.UsePasskey(ctx, v.ID, `{"count":2}`, now+5))
		v.Data, v.UsedAt = `{"count":2}`, now+5
		same(t, "used", v, must(s.PasskeyByCredential(ctx, "c1"))(t))
		checkKinds(t, []wrong{
			{"use nothing", func() error { return s.UsePasskey(ctx, 999, "{}", now) }, tidemark.NotFound},
			{"rename another's", func() error { return s.RenamePasskey(ctx, operator, bob, v.ID, "Mine") }, tidemark.NotFound},
			{"without a name", func() error { return s.RenamePasskey(ctx, operator, u, v.ID, "") }, tidemark.Invalid},
			{"delete another's", func() error { return s.DeletePasskey(ctx, operator, bob, v.ID) }, tidemark.NotFound},
		})
		for i := range 19 {
			ok(t, s.CreatePasskey(ctx, operator, &tidemark.Passkey{User: u, Name: "Key", Credential: fmt.Sprint("more", i), Data: "{}"}, nil))
		}
		err := s.CreatePasskey(ctx, operator, &tidemark.Passkey{User: u, Name: "Key", Credential: "last", Data: "{}"}, nil)
		if tidemark.KindOf(err) != tidemark.Conflict || err.Error() != "You have 20 passkeys. Remove one first." {
			t.Errorf("the 21st: %v", err)
		}
		ok(t, s.DeletePasskey(ctx, operator, u, v.ID))
		wantKind(t, "deleted", tidemark.NotFound, errOf(s.PasskeyByCredential(ctx, "c1")))
		same(t, "left", 19, len(must(s.SecondFactors(ctx, u))(t).Passkeys))
	})
}
