package auth_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/seal"
)

const annsPassword = "correct horse battery"

var here = auth.Browser{UserAgent: "test", Address: "192.0.2.1"}

// ann is somebody with an authenticator app and recovery codes.
type ann struct {
	*house
	user  *tidemark.User
	seed  tidemark.Secret
	codes []string
}

func newAnn(t *testing.T) *ann {
	t.Helper()
	h := newHouse(t)
	a := &ann{house: h, user: h.member(t, h.home(t), "ann@example.org", tidemark.FullAccess)}
	hash, err := h.HashPassword(t.Context(), annsPassword)
	if err == nil {
		err = h.store.SetPassword(t.Context(), tidemark.ServerActor(), a.user.ID, hash, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	who := a.who(t)
	if a.seed, _, err = h.BeginTOTP(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ConfirmTOTP(t.Context(), who, "000000x"); tidemark.KindOf(err) != tidemark.Invalid {
		t.Fatalf("a wrong code confirms: %v", err)
	}
	if a.codes, err = h.ConfirmTOTP(t.Context(), who, auth.CodeOf(a.seed, *h.at)); err != nil || len(a.codes) != 10 {
		t.Fatal(a.codes, err)
	}
	a.wait(time.Minute)
	return a
}

func (a *ann) who(t *testing.T) tidemark.Identity {
	return tidemark.Identity{Org: a.home(t), User: a.user.ID, Role: tidemark.FullAccess, Name: a.user.Email}
}

func (a *ann) wait(d time.Duration) { *a.at = a.at.Add(d) }

func (a *ann) code() string { return auth.CodeOf(a.seed, *a.at) }

// first takes the first step, and returns the key for the second.
func (a *ann) first(t *testing.T) tidemark.Secret {
	t.Helper()
	_, _, err := a.SignIn(t.Context(), "ann@example.org", annsPassword, here)
	return keyOf(t, err)
}

func keyOf(t *testing.T, err error) tidemark.Secret {
	t.Helper()
	step, ok := errors.AsType[*auth.SecondStep](err)
	if !ok {
		t.Fatalf("no second step: %v", err)
	}
	return step.Key
}

func (a *ann) second(t *testing.T, key tidemark.Secret, code string) (left int64, err error) {
	t.Helper()
	secret, _, left, err := a.StepWithCode(t.Context(), key, code, here)
	if err != nil {
		return left, err
	}
	if _, _, err := a.IdentifySession(t.Context(), secret); err != nil {
		t.Error(err)
	}
	return left, nil
}

// TestSecondStep: the password alone opens no session; a code works once, and
// so does what carried the sign-in to it.
func TestSecondStep(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	key := a.first(t)
	code := a.code()
	if _, err := a.second(t, key, "12345"); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("a wrong code: %v", err)
	}
	if left, err := a.second(t, key, code[:3]+" "+code[3:]); err != nil || left != -1 {
		t.Errorf("the right code: %d, %v", left, err)
	}
	a.wait(30 * time.Second)
	if _, err := a.second(t, key, a.code()); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("the same sign-in again: %v", err)
	}
	if _, err := a.second(t, a.first(t), code); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("the same code again: %v", err)
	}
	key = a.first(t)
	a.wait(11 * time.Minute)
	if _, err := a.second(t, key, a.code()); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("eleven minutes later: %v", err)
	}
	log, err := a.store.AuditLog(t.Context(), a.home(t), tidemark.AuditQuery{Action: "session.open"})
	if err != nil || len(log) != 1 || log[0].Detail["with"] != "password, authenticator app" {
		t.Errorf("audit: %+v, %v", log, err)
	}
}

// TestRecoveryCodes: each signs in once, however it is typed, and says how many
// are left.
func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	if left, err := a.second(t, a.first(t), a.codes[3]); err != nil || left != 9 {
		t.Errorf("%d are left, %v", left, err)
	}
	if _, err := a.second(t, a.first(t), a.codes[3]); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("once more: %v", err)
	}
	fresh, err := a.NewCodes(t.Context(), a.who(t))
	if err != nil || len(fresh) != 10 {
		t.Fatal(fresh, err)
	}
	a.wait(2 * time.Minute)
	if _, err := a.second(t, a.first(t), a.codes[4]); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("one of before: %v", err)
	}
	if left, err := a.second(t, a.first(t), fresh[0]); err != nil || left != 9 {
		t.Errorf("%d are left, %v", left, err)
	}
}

// TestSecondStepIsLimited: wrong codes are tries like wrong passwords, and the
// right password does not take them back.
func TestSecondStepIsLimited(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	refused := func(err error) bool { return err != nil && tidemark.KindOf(err) == tidemark.TooMany }
	tries := 0
	for ; tries < 10; tries++ {
		_, _, err := a.SignIn(t.Context(), "ann@example.org", annsPassword, here)
		if refused(err) {
			break
		}
		if _, err := a.second(t, keyOf(t, err), "nonsense"); refused(err) {
			break
		}
	}
	if tries > 3 {
		t.Errorf("%d rounds of the password and a wrong code", tries)
	}
	// From ever new addresses: the name is limited too, for an hour.
	allowed := 0
	for i := range 60 {
		a.wait(2 * time.Minute)
		from := auth.Browser{Address: "198.51.100." + string(rune('0'+i%10))}
		_, _, err := a.SignIn(t.Context(), "ann@example.org", annsPassword, from)
		if refused(err) {
			continue
		}
		if _, _, _, err := a.StepWithCode(t.Context(), keyOf(t, err), "nonsense", from); !refused(err) {
			allowed++
		}
	}
	if allowed > 45 {
		t.Errorf("%d codes in two hours", allowed)
	}
}

// TestSecondStepAfterIssuer: who comes by the issuer and has a second factor
// needs it too.
func TestSecondStepAfterIssuer(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	_, next, err := a.come(t, "ann@example.org", "/alerts")
	if _, err := a.second(t, keyOf(t, err), a.code()); err != nil || next != "/alerts" {
		t.Errorf("next %q, %v", next, err)
	}
}

// TestJoinWithSecondFactor: an invitation is accepted with the second step, not
// with the password alone.
func TestJoinWithSecondFactor(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	other, err := a.store.CreateOrg(t.Context(), tidemark.ServerActor(), "other")
	if err != nil {
		t.Fatal(err)
	}
	_, invite, err := a.Invite(t.Context(), tidemark.Identity{Org: other.ID, Name: "cli"}, "ann@example.org", tidemark.Member, false, here)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = a.JoinWithPassword(t.Context(), invite, annsPassword, here)
	key := keyOf(t, err)
	if _, err := a.store.Membership(t.Context(), other.ID, a.user.ID); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("joined with the password alone: %v", err)
	}
	_, s, _, err := a.StepWithCode(t.Context(), key, a.code(), here)
	if err != nil || s.Org != other.ID {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestRecentProof: ten minutes after signing in a proof is no longer recent,
// until the person gives another.
func TestRecentProof(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	secret, _, _, err := a.StepWithCode(t.Context(), a.first(t), a.code(), here)
	if err != nil {
		t.Fatal(err)
	}
	recent := func() bool {
		who, _, err := a.IdentifySession(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		return who.Recent
	}
	if !recent() {
		t.Error("not at once")
	}
	a.wait(10 * time.Minute)
	if recent() {
		t.Error("still, ten minutes later")
	}
}

// TestRecoveryWithoutKey: where the key of secrets is lost no code of an app can
// be checked, but a recovery code lets its owner in.
func TestRecoveryWithoutKey(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	if err := a.store.UseKeys(t.Context(), seal.New()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.second(t, a.first(t), a.code()); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("a code of the app: %v", err)
	}
	if left, err := a.second(t, a.first(t), a.codes[0]); err != nil || left != 9 {
		t.Errorf("a recovery code: %d are left, %v", left, err)
	}
	if _, err := a.second(t, a.first(t), a.codes[0]); err == nil {
		t.Error("it worked twice")
	}
}

// TestOutcomes: tries to sign in are counted by step and by what became of them.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	a := newAnn(t)
	key := a.first(t)
	if _, err := a.second(t, key, "12345"); err == nil {
		t.Fatal("a wrong code")
	}
	if _, err := a.second(t, key, a.code()); err != nil {
		t.Fatal(err)
	}
	for range 7 {
		if _, _, err := a.SignIn(t.Context(), "ann@example.org", "wrong", here); err == nil {
			t.Fatal("a wrong password")
		}
	}
	first, second := a.SignIns(), a.SecondSteps()
	got := [...]int64{first.Good(), first.Bad(), first.Limited(), second.Good(), second.Bad(), second.Limited()}
	if got[0] != 1 || got[1] == 0 || got[2] == 0 || got[1]+got[2] != 7 || got[3] != 1 || got[4] != 1 || got[5] != 0 {
		t.Errorf("good, bad, limited: %v", got)
	}
}
