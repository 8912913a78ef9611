package auth

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// CreateToken adds t with secret to who's organization. The secret may become
// somebody's who was refused a moment ago.
func (a *Authenticator) CreateToken(ctx context.Context, who tidemark.Identity, t *tidemark.Token, secret tidemark.Secret) error {
	defer a.forget()
	return a.store.CreateToken(ctx, who.Org, who.Actor(), t, secret)
}

// UpdateToken changes a token. The change holds for the next request.
func (a *Authenticator) UpdateToken(ctx context.Context, who tidemark.Identity, id int64, change func(*tidemark.Token)) (*tidemark.Token, error) {
	defer a.forget()
	return a.store.UpdateToken(ctx, who.Org, who.Actor(), id, change)
}

// RotateToken gives a token a new secret; the old one works until oldUntil,
// or not at all if that is 0.
func (a *Authenticator) RotateToken(ctx context.Context, who tidemark.Identity, id int64, secret tidemark.Secret, oldUntil int64) (*tidemark.Token, error) {
	defer a.forget()
	return a.store.RotateToken(ctx, who.Org, who.Actor(), id, secret, oldUntil)
}

// DeleteToken removes a token. The next request with it is refused.
func (a *Authenticator) DeleteToken(ctx context.Context, who tidemark.Identity, id int64) error {
	defer a.forget()
	return a.store.DeleteToken(ctx, who.Org, who.Actor(), id)
}
