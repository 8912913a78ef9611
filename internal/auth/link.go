package auth

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

const (
	resetLife = 24 * 3600
	setupLife = 7 * 24 * 3600
)

var (
	errNoKey      = tidemark.Errorf(tidemark.NotFound, "no such key")
	errManyLooks  = tidemark.Errorf(tidemark.TooMany, "This link was opened too often. Wait a minute.")
	errManyCalls  = tidemark.Errorf(tidemark.TooMany, "this heartbeat is called too often; wait a minute")
	errManyNotes  = tidemark.Errorf(tidemark.TooMany, "Too many comments were written with this link. Wait an hour, or sign in.")
	errNoPassword = tidemark.Errorf(tidemark.Forbidden,
		"Your account has no password. To get one, use \"Forgot your password?\" on the sign-in page, or ask the operator of this server.")
)

// MayLook counts a look at what the link of a notification is about, and
// reports, as an error, that there were too many with that key, or from b's
// address. It is for before anything else is done for a request.
func (a *Authenticator) MayLook(key string, b Browser) error {
	if !a.looks.take(key, b.Address, a.now()) {
		return errManyLooks
	}
	return nil
}

// MayNote is MayLook for something that is kept.
func (a *Authenticator) MayNote(key string, b Browser) error {
	if !a.notes.take(key, b.Address, a.now()) {
		return errManyNotes
	}
	return nil
}

// MayCall counts a call of a heartbeat, and reports, as an error, that there
// were too many.
func (a *Authenticator) MayCall(check int64) error {
	if !a.calls.take(strconv.FormatInt(check, 10), "", a.now()) {
		return errManyCalls
	}
	return nil
}

// NewSetupKey returns the key of the one-time link that makes a new server's
// owner, or "" if the server has people already. Links of earlier starts work
// no longer.
func (a *Authenticator) NewSetupKey(ctx context.Context) (tidemark.Secret, error) {
	return a.OfferSetupKey(ctx, newKey())
}

// OfferSetupKey is NewSetupKey with a key that several servers offer, each the
// same.
func (a *Authenticator) OfferSetupKey(ctx context.Context, key tidemark.Secret) (tidemark.Secret, error) {
	has, err := a.store.HasUsers(ctx)
	if err != nil || has {
		return "", err
	}
	return key, a.store.ReplaceSetupKey(ctx, key.Hash(), a.now().Unix()+setupLife)
}

// AskReset returns whose password may be chosen again and the key of the link
// for it. A request for an unknown address, or too many, get neither, and no error: the
// answer must not tell who exists.
func (a *Authenticator) AskReset(ctx context.Context, email string, b Browser) (*tidemark.User, tidemark.Secret, error) {
	email = cleanEmail(email)
	if a.passwordsOff || !a.resets.take(email, b.Address, a.now()) {
		return nil, "", nil
	}
	u, err := a.store.UserByEmail(ctx, email)
	if err != nil {
		if tidemark.KindOf(err) == tidemark.NotFound {
			err = nil
		}
		return nil, "", err
	}
	key, err := a.NewResetKey(ctx, tidemark.VisitorActor(b.Address), u.ID)
	return u, key, err
}

// NewResetKey returns the key of a link by which a person chooses a password.
func (a *Authenticator) NewResetKey(ctx context.Context, by tidemark.Actor, user int64) (tidemark.Secret, error) {
	key := newKey()
	return key, a.store.CreateResetKey(ctx, by, user, a.now().Unix()+resetLife, key.Hash())
}

// CheckSetupKey reports, as an error, that a set-up link does not work. None
// does once the server has people.
func (a *Authenticator) CheckSetupKey(ctx context.Context, key tidemark.Secret) error {
	if has, err := a.store.HasUsers(ctx); err != nil || has {
		return cmp.Or[error](err, errNoKey)
	}
	_, err := a.store.OneTimeKey(ctx, tidemark.SetupKey, key.Hash(), a.now().Unix())
	return err
}

// Setup makes the owner of a new server, in its first organization, and signs
// them in. The key works once; a wrong e-mail or password leaves it working.
func (a *Authenticator) Setup(ctx context.Context, key tidemark.Secret, orgName, email, password string, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	if err := a.CheckSetupKey(ctx, key); err != nil {
		return "", nil, err
	}
	org := &tidemark.Org{Name: strings.TrimSpace(orgName)}
	u := &tidemark.User{Email: cleanEmail(email), Verified: true} // who has the link has the server
	var p tidemark.Problems
	if e := org.Validate(); e != nil {
		p.Check(false, "org_name", "is not present or too long")
	}
	p.Add("", u.Validate())
	p.Add("", checkLength(password))
	if err := p.Err(); err != nil {
		return "", nil, err
	}
	var err error
	if u.PasswordHash, err = a.HashPassword(ctx, password); err != nil {
		return "", nil, err
	}
	id, err := a.store.SetUp(ctx, tidemark.VisitorActor(b.Address), key.Hash(), a.now().Unix(), org.Name, u)
	if err != nil {
		return "", nil, err
	}
	return a.openSession(ctx, u, id, b, withSetup, sessionLife)
}

// ResetPassword sets the password of the person whose link it is, ends their
// sessions and revokes their other links. A link that does not work is found
// out before anything is hashed.
func (a *Authenticator) ResetPassword(ctx context.Context, key tidemark.Secret, password string, b Browser) error {
	if a.passwordsOff {
		return errPasswordsOff
	}
	if _, err := a.store.OneTimeKey(ctx, tidemark.ResetKey, key.Hash(), a.now().Unix()); err != nil {
		return err
	}
	hash, err := a.HashPassword(ctx, password)
	if err != nil {
		return err
	}
	return a.store.ResetPassword(ctx, tidemark.VisitorActor(b.Address), key.Hash(), a.now().Unix(), hash)
}

// ProfileUpdate is what a person wants changed of their own account.
type ProfileUpdate struct {
	Name     tidemark.Opt[string] `json:"name"`
	Password string               `json:"password"` // "" for the one they have
	Current  string               `json:"current_password"`
}

// ChangeProfile changes the name and the password of who, or nothing of it. A
// new password takes the one before, and ends their other sessions.
func (a *Authenticator) ChangeProfile(ctx context.Context, who tidemark.Identity, c ProfileUpdate) error {
	p := store.Profile{Name: c.Name, Keep: who.Session}
	if c.Name.Set { // checked before anything is hashed
		if err := (&tidemark.User{Email: who.Name, Name: c.Name.V}).Validate(); err != nil {
			return err
		}
	}
	if c.Password != "" {
		hash, err := a.newHash(ctx, who, c)
		if err != nil {
			return err
		}
		p.PasswordHash = hash
	}
	return a.store.ChangeProfile(ctx, who.Actor(), who.User, p)
}

// newHash returns the hash of the password that who wants, given the one
// before.
func (a *Authenticator) newHash(ctx context.Context, who tidemark.Identity, c ProfileUpdate) (string, error) {
	if a.passwordsOff {
		return "", errPasswordsOff
	}
	u, err := a.store.User(ctx, who.User)
	if err != nil {
		return "", err
	}
	if err := checkLength(c.Password); err != nil {
		return "", err
	}
	if err := a.proveCurrent(ctx, who, u, c.Current); err != nil {
		return "", err
	}
	return a.HashPassword(ctx, c.Password)
}

// proveCurrent checks the password that somebody has to give to change it.
// Who has none, and came by the issuer, gets one by a mailed link only: anyone who
// finds a browser signed in must not get a way in of their own, and tries are
// counted, for they must not find out the password either.
func (a *Authenticator) proveCurrent(ctx context.Context, who tidemark.Identity, u *tidemark.User, current string) error {
	if u.PasswordHash == "" {
		return errNoPassword
	}
	if !a.current.take(u.Email, "", a.now()) {
		return errTooManyTries
	}
	right, err := a.checkPassword(ctx, u.PasswordHash, current)
	if err != nil {
		return err
	}
	if !right {
		return a.refused(ctx, u, Browser{Address: who.Address}, withPassword, "wrong current password", tidemark.InvalidField("current_password", "is wrong"))
	}
	a.current.giveBack(u.Email, "", a.now())
	return nil
}
