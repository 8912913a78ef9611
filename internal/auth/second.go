package auth

import (
	"context"
	"encoding/json"

	"github.com/tidemark-metrics/tidemark"
)

// secondLife is how many seconds somebody has for the second step.
const secondLife = 10 * 60

// How somebody took the second step, as the audit log has it.
const (
	withTOTP     = "authenticator app"
	withPasskey  = "passkey"
	withRecovery = "recovery code"
)

var (
	errWrongCode  = tidemark.Errorf(tidemark.Unauthenticated, "This code is wrong or too old. Wait for the next one.")
	errNoStep     = tidemark.Errorf(tidemark.Unauthenticated, "That took too long. Sign in again.")
	errSecondStep = tidemark.Error{Kind: tidemark.Unauthenticated, Code: "second_step", Msg: "One more step: prove with a second factor that it is you."}
)

// SecondStep is the error of somebody who proved with one thing who they are
// and has to prove it with another. Key carries the sign-in there.
type SecondStep struct {
	Key tidemark.Secret
	err tidemark.Error
}

func (e *SecondStep) Error() string { return e.err.Msg }
func (e *SecondStep) Unwrap() error { return &e.err }

// halfway is what a sign-in has to remember until its second step.
type halfway struct {
	Org  tidemark.OrgID `json:"org"`
	With string         `json:"with"`
	Life int64          `json:"life"`
	// Invite is the hash of the invitation that they accept by signing in.
	Invite string `json:"invite,omitempty"`
	// Try is the address whose try is given back once it turns out to be no
	// guess.
	Try string `json:"try,omitempty"`
}

// enter opens a session for somebody who proved with one thing who they are, or
// returns a SecondStep if they have a second factor.
func (a *Authenticator) enter(ctx context.Context, u *tidemark.User, h halfway, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	if err := a.needsStep(ctx, u, h); err != nil {
		return "", nil, err
	}
	if h.Try != "" {
		a.wrong.giveBack(u.Email, h.Try, a.now())
	}
	return a.openSession(ctx, u, h.Org, b, h.With, h.Life)
}

// needsStep returns a SecondStep if u has a second factor. The try that brought
// them here stays counted until they have taken it.
func (a *Authenticator) needsStep(ctx context.Context, u *tidemark.User, h halfway) error {
	f, err := a.store.SecondFactors(ctx, u.ID)
	if err != nil || !f.Any() {
		return err
	}
	detail, _ := json.Marshal(h)
	key := newKey()
	k := &tidemark.OneTimeKey{Kind: tidemark.SecondKey, User: u.ID, Detail: string(detail), ExpiresAt: a.now().Unix() + secondLife}
	if err := a.store.CreateStepKey(ctx, k, key.Hash()); err != nil {
		return err
	}
	return &SecondStep{Key: key, err: errSecondStep}
}

// Stepping returns who is at the second step, and what they may take it with.
func (a *Authenticator) Stepping(ctx context.Context, key tidemark.Secret) (*tidemark.User, *tidemark.SecondFactors, error) {
	u, _, err := a.stepping(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	f, err := a.store.SecondFactors(ctx, u.ID)
	return u, f, err
}

func (a *Authenticator) stepping(ctx context.Context, key tidemark.Secret) (*tidemark.User, halfway, error) {
	var h halfway
	k, err := a.store.OneTimeKey(ctx, tidemark.SecondKey, key.Hash(), a.now().Unix())
	if err != nil {
		return nil, h, lateIf(err)
	}
	if err := json.Unmarshal([]byte(k.Detail), &h); err != nil {
		return nil, h, err
	}
	u, err := a.store.User(ctx, k.User)
	return u, h, lateIf(err)
}

// lateIf says that a sign-in is over where there is nothing left of it.
func lateIf(err error) error {
	if err != nil && tidemark.KindOf(err) == tidemark.NotFound {
		return errNoStep
	}
	return err
}

// StepWithCode takes the second step with a code of an authenticator app or a
// recovery code. Left is how many of those are left, or -1 if none was used. A
// try counts before the code is looked at.
func (a *Authenticator) StepWithCode(ctx context.Context, key tidemark.Secret, code string, b Browser) (secret tidemark.Secret, s *tidemark.Session, left int64, err error) {
	defer func() { a.secondSteps.count(err) }()
	u, h, err := a.stepping(ctx, key)
	if err != nil {
		return "", nil, -1, err
	}
	if !a.wrong.take(u.Email, b.Address, a.now()) || !a.codes.take(u.Email, "", a.now()) {
		return "", nil, -1, errTooManyTries
	}
	with, left, err := a.useCode(ctx, u, code, b)
	if err != nil {
		return "", nil, -1, err
	}
	a.codes.giveBack(u.Email, "", a.now())
	secret, s, err = a.step(ctx, key, u, h, with, b)
	return secret, s, left, err
}

// step opens the session of somebody who took the second step.
func (a *Authenticator) step(ctx context.Context, key tidemark.Secret, u *tidemark.User, h halfway, with string, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	if _, err := a.store.UseOneTimeKey(ctx, tidemark.SecondKey, key.Hash(), a.now().Unix()); err != nil {
		return "", nil, lateIf(err)
	}
	a.wrong.giveBack(u.Email, b.Address, a.now())
	if h.Try != "" {
		a.wrong.giveBack(u.Email, h.Try, a.now())
	}
	if h.Invite != "" {
		v, err := a.store.AcceptInvitation(ctx, tidemark.PersonActor(u.Email, b.Address), h.Invite, a.now().Unix(), u)
		if err != nil {
			return "", nil, err
		}
		h.Org = v.Org
	}
	return a.openSession(ctx, u, h.Org, b, h.With+", "+with, h.Life)
}

// useCode uses a code of u's up, and returns of what kind it was. A wrong one
// is refused and noted. Left is how many recovery codes are left, or -1.
func (a *Authenticator) useCode(ctx context.Context, u *tidemark.User, code string, b Browser) (with string, left int64, err error) {
	ok, unread := a.useTOTP(ctx, u.ID, code)
	// Recovery codes are hashes: they work where the key of secrets is lost.
	if ok || unread != nil && tidemark.KindOf(unread) != tidemark.Unavailable {
		return withTOTP, -1, unread
	}
	hash, err := a.findCode(ctx, u.ID, code)
	if err != nil {
		return "", -1, err
	}
	if hash == "" {
		if unread != nil {
			return "", -1, unread
		}
		return "", -1, a.refused(ctx, u, b, "second step", "wrong code", errWrongCode)
	}
	left, err = a.store.UseRecoveryCode(ctx, tidemark.PersonActor(u.Email, b.Address), u.ID, hash)
	if err != nil && tidemark.KindOf(err) == tidemark.NotFound {
		err = errWrongCode // somebody else was first
	}
	return withRecovery, left, err
}

// useTOTP reports whether code is one of the person's app that was not used
// before.
func (a *Authenticator) useTOTP(ctx context.Context, user int64, code string) (bool, error) {
	v, err := a.store.TOTP(ctx, user)
	if err != nil {
		if tidemark.KindOf(err) == tidemark.NotFound {
			err = nil
		}
		return false, err
	}
	step, ok := totpStep(v.Seed, digits(code), a.now())
	if !ok || v.ConfirmedAt == 0 {
		return false, nil
	}
	return a.store.UseTOTP(ctx, user, step)
}

// digits is a code without the space that apps show in its middle.
func digits(code string) string {
	var text []byte
	for i := range len(code) {
		if code[i] != ' ' {
			text = append(text, code[i])
		}
	}
	return string(text)
}

// BeginTOTP returns the seed of a new authenticator app for who, and the
// address that a QR code of it holds. It counts once a code of it was right.
func (a *Authenticator) BeginTOTP(ctx context.Context, who tidemark.Identity) (seed tidemark.Secret, uri string, err error) {
	seed = newSeed()
	return seed, totpURI(seed, who.Name), a.store.BeginTOTP(ctx, who.User, seed)
}

// ConfirmTOTP makes the app that who began with a second factor, given one of
// its codes. The first factor comes with recovery codes.
func (a *Authenticator) ConfirmTOTP(ctx context.Context, who tidemark.Identity, code string) ([]string, error) {
	v, err := a.store.TOTP(ctx, who.User)
	if err != nil {
		return nil, err
	}
	if v.ConfirmedAt != 0 {
		return nil, tidemark.Errorf(tidemark.Conflict, "There is an authenticator app already. Remove it first.")
	}
	step, ok := totpStep(v.Seed, digits(code), a.now())
	if !ok {
		return nil, tidemark.InvalidField("code", "is wrong or too old; wait for the next one")
	}
	codes, hashes, err := a.firstCodes(ctx, who.User)
	if err != nil {
		return nil, err
	}
	return codes, a.store.ConfirmTOTP(ctx, who.Actor(), who.User, step, hashes)
}
