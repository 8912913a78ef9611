package auth

import (
	"context"
	"slices"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/tidemark-metrics/tidemark"
)

// askPasskey asks for one of u's own passkeys.
func (a *Authenticator) askPasskey(ctx context.Context, u *tidemark.User, origin, purpose string) (*Challenge, error) {
	site, err := passkeySite(origin)
	if err != nil {
		return nil, err
	}
	holder, err := a.keyholder(ctx, u)
	if err != nil {
		return nil, err
	}
	if len(holder.passkeys) == 0 {
		return nil, tidemark.Errorf(tidemark.Conflict, "You have no passkey.")
	}
	options, data, err := site.BeginLogin(holder)
	if err != nil {
		return nil, err
	}
	return a.challenge(ctx, u.ID, purpose, data, options.Response)
}

// tryPasskey reports, as an error, that none of u's own passkeys answered.
func (a *Authenticator) tryPasskey(ctx context.Context, u *tidemark.User, origin, purpose string, answer PasskeyAnswer, b Browser) error {
	data, err := a.answered(ctx, answer.Key, u.ID, purpose)
	if err != nil {
		return err
	}
	p, whose, err := a.ownerOf(ctx, answer)
	if err != nil {
		return err
	}
	if whose == nil || whose.ID != u.ID {
		return a.refused(ctx, u, b, withPasskey, "unknown passkey", errWrongPasskey)
	}
	// One of several that were allowed answers; the others need no proof.
	data.AllowedCredentialIDs = slices.DeleteFunc(data.AllowedCredentialIDs, func(id []byte) bool {
		return !slices.ContainsFunc((&keyholder{u, []*tidemark.Passkey{p}}).WebAuthnCredentials(), func(c webauthn.Credential) bool { return string(c.ID) == string(id) })
	})
	return a.check(ctx, origin, p, u, data, answer, b)
}

// BeginStepPasskey asks a user at the second step for a passkey.
func (a *Authenticator) BeginStepPasskey(ctx context.Context, key tidemark.Secret, origin string, b Browser) (*Challenge, error) {
	u, _, err := a.stepping(ctx, key)
	if err != nil {
		return nil, err
	}
	if !a.starts.take("", b.Address, a.now()) {
		return nil, errTooManyTries
	}
	return a.askPasskey(ctx, u, origin, forStep)
}

// StepWithPasskey takes the second step with a passkey.
func (a *Authenticator) StepWithPasskey(ctx context.Context, key tidemark.Secret, origin string, answer PasskeyAnswer, b Browser) (_ tidemark.Secret, _ *tidemark.Session, err error) {
	defer func() { a.secondSteps.count(err) }()
	u, h, err := a.stepping(ctx, key)
	if err != nil {
		return "", nil, err
	}
	if !a.wrong.take(u.Email, b.Address, a.now()) {
		return "", nil, errTooManyTries
	}
	if err := a.tryPasskey(ctx, u, origin, forStep, answer, b); err != nil {
		return "", nil, err
	}
	return a.step(ctx, key, u, h, withPasskey, b)
}
