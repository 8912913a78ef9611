package auth

import (
	"cmp"
	"context"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

const inviteLife = 7 * 24 * 3600

var (
	errTooManyMails = tidemark.Errorf(tidemark.TooMany, "Too many invitations were sent. Wait 15 minutes.")
	errHasAccount   = tidemark.InvalidField("email", "has an account already; use its password")
)

// Invite asks the owner of an address to join who's organization, and returns
// the key of the link by which they do. Neither tells whether the address has
// an account. Mailed says that the link is sent to the address and shown to
// nobody else.
func (a *Authenticator) Invite(ctx context.Context, who tidemark.Identity, email string, role tidemark.Role, mailed bool, b Browser) (*tidemark.Invitation, tidemark.Secret, error) {
	now := a.now().Unix()
	v := &tidemark.Invitation{
		Email: cleanEmail(email), Role: role, Mailed: mailed, CreatedAt: now, ExpiresAt: now + inviteLife,
	}
	if err := v.Validate(); err != nil {
		return nil, "", err
	}
	if mailed && !a.invites.take(v.Email, b.Address, a.now()) {
		return nil, "", errTooManyMails
	}
	key := newKey()
	return v, key, a.store.CreateInvitation(ctx, who.Org, who.Actor(), v, key.Hash())
}

// Reinvite replaces the link of an invitation.
func (a *Authenticator) Reinvite(ctx context.Context, who tidemark.Identity, id int64, mailed bool, b Browser) (*tidemark.Invitation, tidemark.Secret, error) {
	if mailed && !a.invites.take("invitation "+strconv.FormatInt(id, 10), b.Address, a.now()) {
		return nil, "", errTooManyMails
	}
	key := newKey()
	v, err := a.store.RenewInvitation(ctx, who.Org, who.Actor(), id, key.Hash(), mailed, a.now().Unix()+inviteLife)
	return v, key, err
}

// Invitation returns the invitation that a link's key belongs to.
func (a *Authenticator) Invitation(ctx context.Context, key tidemark.Secret) (*tidemark.Invitation, error) {
	return a.store.Invitation(ctx, key.Hash(), a.now().Unix())
}

// JoinAsNew accepts an invitation with a new account of its address, and signs
// the person in.
func (a *Authenticator) JoinAsNew(ctx context.Context, key tidemark.Secret, name, password string, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	v, err := a.Invitation(ctx, key)
	if err != nil {
		return "", nil, err
	}
	if a.passwordsOff {
		return "", nil, errPasswordsOff
	}
	u := &tidemark.User{Email: v.Email, Name: name}
	var p tidemark.Problems
	p.Add("", u.Validate())
	p.Add("", checkLength(password))
	if err := p.Err(); err != nil {
		return "", nil, err
	}
	if _, err := a.store.UserByEmail(ctx, v.Email); err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		return "", nil, cmp.Or[error](err, errHasAccount)
	}
	if u.PasswordHash, err = a.HashPassword(ctx, password); err != nil {
		return "", nil, err
	}
	return a.accept(ctx, key, u, b)
}

// JoinWithPassword accepts an invitation with the account of its address,
// given its password, and signs the person in.
func (a *Authenticator) JoinWithPassword(ctx context.Context, key tidemark.Secret, password string, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	v, err := a.Invitation(ctx, key)
	if err != nil {
		return "", nil, err
	}
	u, err := a.prove(ctx, v.Email, password, b)
	if err != nil {
		return "", nil, err
	}
	if err := a.needsStep(ctx, u, halfway{With: withInvitation, Life: sessionLife, Try: b.Address, Invite: key.Hash()}); err != nil {
		return "", nil, err
	}
	a.wrong.giveBack(u.Email, b.Address, a.now())
	return a.accept(ctx, key, u, b)
}

func (a *Authenticator) accept(ctx context.Context, key tidemark.Secret, u *tidemark.User, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	v, err := a.store.AcceptInvitation(ctx, tidemark.VisitorActor(b.Address), key.Hash(), a.now().Unix(), u)
	if err != nil {
		return "", nil, err
	}
	return a.openSession(ctx, u, v.Org, b, withInvitation, sessionLife)
}

// JoinSignedIn accepts an invitation for who, whose address it must be, and
// shows them the organization.
func (a *Authenticator) JoinSignedIn(ctx context.Context, key tidemark.Secret, who tidemark.Identity) (tidemark.Identity, error) {
	v, err := a.store.AcceptInvitation(ctx, who.Actor(), key.Hash(), a.now().Unix(), &tidemark.User{ID: who.User})
	if err != nil {
		return who, err
	}
	m, err := a.store.Membership(ctx, v.Org, who.User)
	if err != nil {
		return who, err
	}
	who.Org, who.Role, who.MustEnrol = v.Org, m.Role, m.MustEnrol()
	return who, a.store.SetSessionOrg(ctx, who.Session, v.Org)
}
