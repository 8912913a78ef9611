package auth

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// Proof is what somebody who is signed in shows to prove again who they are:
// one of these.
type Proof struct {
	Password string
	Code     string
	Passkey  PasskeyAnswer
}

// Proofs is what somebody may prove with who they are.
type Proofs struct {
	Password bool
	tidemark.SecondFactors
}

// Proofs returns what who may prove with.
func (a *Authenticator) Proofs(ctx context.Context, who tidemark.Identity) (*Proofs, error) {
	u, err := a.store.User(ctx, who.User)
	if err != nil {
		return nil, err
	}
	f, err := a.store.SecondFactors(ctx, who.User)
	if err != nil {
		return nil, err
	}
	return &Proofs{Password: u.PasswordHash != "" && !a.passwordsOff, SecondFactors: *f}, nil
}

// BeginProof asks who for a passkey.
func (a *Authenticator) BeginProof(ctx context.Context, who tidemark.Identity, origin string) (*Challenge, error) {
	u, err := a.store.User(ctx, who.User)
	if err != nil {
		return nil, err
	}
	return a.askPasskey(ctx, u, origin, forProof)
}

// Prove notes that who proved again who they are. A try counts before anything
// is looked at.
func (a *Authenticator) Prove(ctx context.Context, who tidemark.Identity, p Proof, origin string) error {
	u, err := a.store.User(ctx, who.User)
	if err != nil {
		return err
	}
	if !a.current.take(u.Email, "", a.now()) {
		return errTooManyTries
	}
	if err := a.proved(ctx, who, u, p, origin); err != nil {
		return err
	}
	a.current.giveBack(u.Email, "", a.now())
	return a.store.ProveSession(ctx, who.Session, a.now().Unix())
}

// proved reports, as an error about its field, that p proves nothing.
func (a *Authenticator) proved(ctx context.Context, who tidemark.Identity, u *tidemark.User, p Proof, origin string) error {
	b := Browser{Address: who.Address}
	switch {
	case p.Password != "" && a.passwordsOff:
		return errPasswordsOff
	case p.Password != "":
		right, err := a.checkPassword(ctx, u.PasswordHash, p.Password)
		if err == nil && !right {
			err = a.refused(ctx, u, b, withPassword, "wrong password", tidemark.InvalidField("password", "is wrong"))
		}
		return err
	case p.Code != "":
		_, _, err := a.useCode(ctx, u, p.Code, b)
		return fieldIf(err, "code", "is wrong or too old; wait for the next one")
	case p.Passkey.Key != "":
		return fieldIf(a.tryPasskey(ctx, u, origin, forProof, p.Passkey, b), "credential", "does not answer the challenge")
	}
	return tidemark.InvalidField("password", "is not present")
}

// fieldIf makes the refusal of somebody who signs in one about a field: who is
// signed in stays so.
func fieldIf(err error, field, msg string) error {
	if err != nil && tidemark.KindOf(err) == tidemark.Unauthenticated {
		return tidemark.InvalidField(field, "%s", msg)
	}
	return err
}
