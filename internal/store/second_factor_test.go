package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// enrol gives a person an authenticator app.
func enrol(t *testing.T, s *store.Store, user int64) {
	t.Helper()
	ok(t, s.BeginTOTP(t.Context(), user, "SEED"))
	ok(t, s.ConfirmTOTP(t.Context(), operator, user, 7, []string{"a", "b"}))
}

// TestTOTPSteps: the code of a step works once, and none of before works after
// it; an app that nobody confirmed works never.
func TestTOTPSteps(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, u := t.Context(), addUser(t, s, "ann@example.org")
		ok(t, s.BeginTOTP(ctx, u.ID, "FIRST"))
		ok(t, s.BeginTOTP(ctx, u.ID, "SEED"))
		if used := must(s.UseTOTP(ctx, u.ID, 9))(t); used {
			t.Error("it works before it is confirmed")
		}
		ok(t, s.ConfirmTOTP(ctx, operator, u.ID, 7, []string{"a", "b"}))
		for _, tt := range []struct {
			step int64
			want bool
		}{{7, false}, {8, true}, {8, false}, {7, false}, {9, true}} {
			if got := must(s.UseTOTP(ctx, u.ID, tt.step))(t); got != tt.want {
				t.Errorf("step %d: %v, want %v", tt.step, got, tt.want)
			}
		}
		if seed := must(s.TOTP(ctx, u.ID))(t).Seed; seed != "SEED" {
			t.Errorf("seed %s", seed.Reveal())
		}
		wantKind(t, "a second app", tidemark.Conflict, s.BeginTOTP(ctx, u.ID, "OTHER"))
	})
}

// TestRecoveryCodesWorkOnce: each of them, and none once there are new ones or
// the last factor is gone.
func TestRecoveryCodesWorkOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, u := t.Context(), addUser(t, s, "ann@example.org")
		enrol(t, s, u.ID)
		if left := must(s.UseRecoveryCode(ctx, operator, u.ID, "a"))(t); left != 1 {
			t.Errorf("%d are left", left)
		}
		wantKind(t, "used", tidemark.NotFound, errOf(s.UseRecoveryCode(ctx, operator, u.ID, "a")))
		ok(t, s.ReplaceRecoveryCodes(ctx, operator, u.ID, []string{"c"}))
		wantKind(t, "replaced", tidemark.NotFound, errOf(s.UseRecoveryCode(ctx, operator, u.ID, "b")))
		ok(t, s.DeleteTOTP(ctx, operator, u.ID))
		wantKind(t, "without a factor", tidemark.NotFound, errOf(s.UseRecoveryCode(ctx, operator, u.ID, "c")))
	})
}

// TestDemandedFactorStays: where an organization demands a second factor the
// last one stays, and only somebody who has one can demand it.
func TestDemandedFactorStays(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, u := t.Context(), addUser(t, s, "ann@example.org")
		must(s.AddMember(ctx, org, operator, u.ID, tidemark.FullAccess))(t)
		wantKind(t, "demanded by one who has none", tidemark.Conflict, s.DemandSecondFactor(ctx, org, operator, u.ID, true))
		enrol(t, s, u.ID)
		key := &tidemark.Passkey{User: u.ID, Name: "Phone", Credential: "c1", Data: "{}"}
		ok(t, s.CreatePasskey(ctx, operator, key, nil))
		ok(t, s.DemandSecondFactor(ctx, org, operator, u.ID, true))
		ok(t, s.DeleteTOTP(ctx, operator, u.ID))
		wantKind(t, "the last one", tidemark.Conflict, s.DeletePasskey(ctx, operator, u.ID, key.ID))
		if m := must(s.Membership(ctx, org, u.ID))(t); !m.SecondFactor || !m.Demanded || m.MustEnrol() {
			t.Errorf("with a passkey: %+v", m)
		}
		ok(t, s.ResetSecondFactor(ctx, operator, u.ID))
		if m := must(s.Membership(ctx, org, u.ID))(t); !m.MustEnrol() {
			t.Errorf("after the reset: %+v", m)
		}
		must(s.UpdateOrg(ctx, org, operator, func(o *tidemark.Org) { o.SecondFactor = false }))(t)
		if o := must(s.Org(ctx, org))(t); !o.SecondFactor {
			t.Error("a change of the organization's name takes the demand back")
		}
		ok(t, s.DemandSecondFactor(ctx, org, operator, u.ID, false))
	})
}

// TestPasskeysOfOthers: a person's passkeys are theirs alone, and one
// authenticator's credential belongs to one person.
func TestPasskeysOfOthers(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, ann, bob := t.Context(), addUser(t, s, "ann@example.org"), addUser(t, s, "bob@example.org")
		key := &tidemark.Passkey{User: ann.ID, Name: "Phone", Credential: "c1", Data: "{}"}
		ok(t, s.CreatePasskey(ctx, operator, key, nil))
		wantKind(t, "twice", tidemark.Conflict, s.CreatePasskey(ctx, operator, &tidemark.Passkey{User: bob.ID, Name: "x", Credential: "c1", Data: "{}"}, nil))
		wantKind(t, "rename", tidemark.NotFound, s.RenamePasskey(ctx, operator, bob.ID, key.ID, "mine"))
		wantKind(t, "delete", tidemark.NotFound, s.DeletePasskey(ctx, operator, bob.ID, key.ID))
		for i := range 19 {
			ok(t, s.CreatePasskey(ctx, operator, &tidemark.Passkey{User: ann.ID, Name: "x", Credential: "more" + id(int64(i)), Data: "{}"}, nil))
		}
		wantKind(t, "one too many", tidemark.Conflict, s.CreatePasskey(ctx, operator, &tidemark.Passkey{User: ann.ID, Name: "x", Credential: "c21", Data: "{}"}, nil))
		wantKind(t, "no name", tidemark.Invalid, s.RenamePasskey(ctx, operator, ann.ID, key.ID, ""))
		ok(t, s.DeletePasskey(ctx, operator, ann.ID, key.ID))
	})
}

// TestAccountsThatOthersMade: whoever proves that an address is theirs is not
// kept out by a second factor that somebody else set up before.
func TestAccountsThatOthersMade(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, u := t.Context(), addUser(t, s, "ann@example.org")
		enrol(t, s, u.ID)
		ok(t, s.CreateResetKey(ctx, operator, u.ID, 1000, "reset"))
		ok(t, s.ResetPassword(ctx, operator, "reset", 5, "hash"))
		if f := must(s.SecondFactors(ctx, u.ID))(t); f.Any() || f.Codes > 0 {
			t.Errorf("still there: %+v", f)
		}
		enrol(t, s, u.ID) // by the owner, who now is known
		ok(t, s.CreateResetKey(ctx, operator, u.ID, 1000, "again"))
		ok(t, s.ResetPassword(ctx, operator, "again", 5, "hash"))
		if f := must(s.SecondFactors(ctx, u.ID))(t); !f.Any() {
			t.Error("a new password takes the owner's factor away")
		}
	})
}
