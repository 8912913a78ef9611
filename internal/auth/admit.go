package auth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// vouched is what an issuer says about a person.
type vouched struct {
	email, name string
	groups      []string
}

// admit decides whether a person whom the issuer vouches for may come in, and
// where to. Groups in the settings decide about the first organization: they
// give the role there, and who is in none of them is no member any more.
// Without groups a person keeps the place they have or are invited to, and
// people of an allowed domain who have none become Viewers. Joined says that
// an invitation was used up.
func (a *Authenticator) admit(ctx context.Context, o *OIDC, v vouched, next string, b Browser) (user *tidemark.User, org tidemark.OrgID, joined bool, err error) {
	orgs, err := a.store.Orgs(ctx)
	if err != nil || len(orgs) == 0 {
		return nil, 0, false, fmt.Errorf("no organization to join: %w", err)
	}
	home := orgs[0].ID
	u, err := a.store.UserByEmail(ctx, v.email)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		u, err = &tidemark.User{Email: v.email, Name: v.name, Verified: true}, nil
	}
	if err != nil {
		return nil, 0, false, err
	}
	role, by := o.role(v.groups), tidemark.PersonActor(v.email, b.Address)
	switch {
	case !o.allows(v.email):
		return nil, 0, false, a.refuse(ctx, by, u, ErrNotAllowed)
	case !o.hasGroups():
		org, joined, err = a.place(ctx, o, home, by, u, next)
		return u, org, joined, err
	case role == "":
		return nil, 0, false, cmp.Or(a.expel(ctx, home, u), a.refuse(ctx, by, u, ErrNoGroup))
	}
	err = a.store.Admit(ctx, home, tidemark.ServerActor(), u, role)
	return u, home, false, err
}

// allows reports whether the settings let the domain of an address in.
func (o *OIDC) allows(email string) bool {
	domain := email[strings.LastIndexByte(email, '@')+1:]
	return len(o.AllowedDomains) == 0 || slices.ContainsFunc(o.AllowedDomains, func(d string) bool {
		return strings.EqualFold(strings.TrimPrefix(d, "@"), domain)
	})
}

func (o *OIDC) hasGroups() bool {
	return len(o.AdminGroups)+len(o.MemberGroups)+len(o.ViewerGroups) > 0
}

// refuse ends the sessions of somebody who is no longer let in, and returns why.
func (a *Authenticator) refuse(ctx context.Context, by tidemark.Actor, u *tidemark.User, why error) error {
	if err := a.store.RefuseSignIn(ctx, by, u.ID, withIssuer, "not allowed"); err != nil || u.ID == 0 {
		return cmp.Or(err, why)
	}
	return cmp.Or(a.store.EndSessions(ctx, tidemark.ServerActor(), u.ID), why)
}

// expel takes the place of somebody whose groups were taken away. The last
// Admin keeps theirs, for otherwise nobody could let anybody in.
func (a *Authenticator) expel(ctx context.Context, org tidemark.OrgID, u *tidemark.User) error {
	if u.ID == 0 {
		return nil
	}
	err := a.store.RemoveMember(ctx, org, tidemark.ServerActor(), u.ID)
	if k := tidemark.KindOf(err); err != nil && (k == tidemark.NotFound || k == tidemark.Conflict) {
		return nil
	}
	return err
}

// own makes an account that somebody else may have made that of the person
// whom the issuer vouches for, and of nobody else.
func (a *Authenticator) own(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, u *tidemark.User) error {
	if u.ID == 0 || u.Verified {
		return nil
	}
	return a.store.ClaimUser(ctx, org, by, u)
}

// place finds where a person belongs when no groups say so. An org of 0 is
// the one that they joined first.
func (a *Authenticator) place(ctx context.Context, o *OIDC, home tidemark.OrgID, by tidemark.Actor, u *tidemark.User, next string) (org tidemark.OrgID, joined bool, err error) {
	var places []*tidemark.Membership
	if u.ID != 0 {
		if places, err = a.store.MembershipsOf(ctx, u.ID); err != nil {
			return 0, false, err
		}
	}
	if len(places) > 0 {
		if slices.ContainsFunc(places, func(m *tidemark.Membership) bool { return m.Org == home }) {
			org = home
		}
		return org, false, a.own(ctx, home, by, u)
	}
	invitation, err := a.invitationOf(ctx, u.Email, next)
	switch {
	case err != nil:
		return 0, false, err
	case invitation == "" && len(o.AllowedDomains) == 0:
		return 0, false, a.refuse(ctx, by, u, ErrNotAllowed)
	case invitation == "":
		return home, false, a.store.Admit(ctx, home, tidemark.ServerActor(), u, tidemark.ViewOnly)
	}
	if err := a.own(ctx, home, by, u); err != nil {
		return 0, false, err
	}
	v, err := a.store.AcceptInvitation(ctx, by, invitation, a.now().Unix(), u)
	if err != nil {
		return 0, false, err
	}
	return v.Org, true, nil
}

// invitationOf returns the hash of the invitation that a person accepts by
// signing in: the one whose link they came from, or else the oldest of their
// address.
func (a *Authenticator) invitationOf(ctx context.Context, email, next string) (string, error) {
	if key, ok := strings.CutPrefix(next, invitePath); ok {
		hash := tidemark.Secret(key).Hash()
		if v, err := a.store.Invitation(ctx, hash, a.now().Unix()); err == nil && v.Email == email {
			return hash, nil
		}
	}
	return a.store.InvitationFor(ctx, email, a.now().Unix())
}
