package auth

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// Actor is how the audit log names who.
func Actor(who tidemark.Identity) string {
	switch {
	case who.User != 0:
		return "user:" + who.Name
	case who.Token != 0:
		return "token:" + who.Name
	}
	return "cli"
}

// CreateToken adds t with secret to who's organization. The secret may become
// somebody's who was refused a moment ago.
func (a *Authenticator) CreateToken(ctx context.Context, who tidemark.Identity, t *tidemark.Token, secret tidemark.Secret) error {
	defer a.forget()
	return a.store.CreateToken(ctx, who.Org, Actor(who), t, secret)
}

// UpdateToken changes a token. The change holds for the next request.
func (a *Authenticator) UpdateToken(ctx context.Context, who tidemark.Identity, id int64, change func(*tidemark.Token)) (*tidemark.Token, error) {
	defer a.forget()
	return a.store.UpdateToken(ctx, who.Org, Actor(who), id, change)
}

// RotateToken gives a token a new secret; the old one works until oldUntil,
// or not at all if that is 0.
func (a *Authenticator) RotateToken(ctx context.Context, who tidemark.Identity, id int64, secret tidemark.Secret, oldUntil int64) (*tidemark.Token, error) {
	defer a.forget()
	return a.store.RotateToken(ctx, who.Org, Actor(who), id, secret, oldUntil)
}

// DeleteToken removes a token. The next request with it is refused.
func (a *Authenticator) DeleteToken(ctx context.Context, who tidemark.Identity, id int64) error {
	defer a.forget()
	return a.store.DeleteToken(ctx, who.Org, Actor(who), id)
}
