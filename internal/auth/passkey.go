package auth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"net/url"
	"strconv"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/tidemark-metrics/tidemark"
)

// challengeLife is how many seconds somebody has to answer with a passkey.
const challengeLife = 5 * 60

// What a challenge is for: the answer to one is none to another.
const (
	forNewPasskey = "new"
	forSignIn     = "signin"
	forStep       = "step"
	forProof      = "proof"
)

var (
	errNoName        = tidemark.Errorf(tidemark.Conflict, "Passkeys need a server that is reached by name, not by an address of numbers.")
	errWrongPasskey  = tidemark.Errorf(tidemark.Unauthenticated, "This passkey does not work here. Try another way.")
	errLateChallenge = tidemark.Errorf(tidemark.Unauthenticated, "That took too long. Try again.")
)

// passkeySite is where passkeys are made and used: at origin, and nowhere else.
func passkeySite(origin string) (*webauthn.WebAuthn, error) {
	u, err := url.Parse(origin)
	if err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return nil, errNoName
	}
	return webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "Tidemark", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation, // who made it is none of our business
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationPreferred,
		},
	})
}

// keyholder is a person as the library wants to see them.
type keyholder struct {
	user     *tidemark.User
	passkeys []*tidemark.Passkey
}

func (a *Authenticator) keyholder(ctx context.Context, u *tidemark.User) (*keyholder, error) {
	f, err := a.store.SecondFactors(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	return &keyholder{u, f.Passkeys}, nil
}

func (k *keyholder) WebAuthnID() []byte          { return handleOf(k.user.ID) }
func (k *keyholder) WebAuthnName() string        { return k.user.Email }
func (k *keyholder) WebAuthnDisplayName() string { return k.user.Email }

// WebAuthnCredentials are the person's passkeys. One that cannot be read is
// left out: it works no longer.
func (k *keyholder) WebAuthnCredentials() (list []webauthn.Credential) {
	for _, p := range k.passkeys {
		var c webauthn.Credential
		if json.Unmarshal([]byte(p.Data), &c) == nil {
			list = append(list, c)
		}
	}
	return list
}

// handleOf is what authenticators know a person by. It says nothing about them.
func handleOf(user int64) []byte { return []byte("user " + strconv.FormatInt(user, 10)) }

// Challenge is what a browser's authenticator has to answer. Options is a JSON
// document of WebAuthn; the answer comes with the key.
type Challenge struct {
	Key     tidemark.Secret
	Options string
}

// PasskeyAnswer is what an authenticator answered, as a JSON document.
type PasskeyAnswer struct {
	Key        tidemark.Secret
	Credential string
}

// challenged is a challenge as it is kept until it is answered.
type challenged struct {
	For  string                `json:"for"`
	Data *webauthn.SessionData `json:"data"`
}

func (a *Authenticator) challenge(ctx context.Context, user int64, purpose string, data *webauthn.SessionData, options any) (*Challenge, error) {
	detail, err := json.Marshal(challenged{purpose, data})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	key := newKey()
	k := &tidemark.OneTimeKey{Kind: tidemark.PasskeyKey, User: user, Detail: string(detail), ExpiresAt: a.now().Unix() + challengeLife}
	return &Challenge{key, string(text)}, a.store.CreateStepKey(ctx, k, key.Hash())
}

// answered uses up the challenge of a key, which must be that person's and for
// that purpose.
func (a *Authenticator) answered(ctx context.Context, key tidemark.Secret, user int64, purpose string) (*webauthn.SessionData, error) {
	k, err := a.store.UseOneTimeKey(ctx, tidemark.PasskeyKey, key.Hash(), a.now().Unix())
	if err != nil {
		if tidemark.KindOf(err) == tidemark.NotFound {
			err = errLateChallenge
		}
		return nil, err
	}
	var c challenged
	if err := json.Unmarshal([]byte(k.Detail), &c); err != nil {
		return nil, err
	}
	if k.User != user || c.For != purpose {
		return nil, errLateChallenge
	}
	return c.Data, nil
}

// BeginPasskey asks the browser of who for a new passkey.
func (a *Authenticator) BeginPasskey(ctx context.Context, who tidemark.Identity, origin string) (*Challenge, error) {
	site, err := passkeySite(origin)
	if err != nil {
		return nil, err
	}
	u, err := a.store.User(ctx, who.User)
	if err != nil {
		return nil, err
	}
	holder, err := a.keyholder(ctx, u)
	if err != nil {
		return nil, err
	}
	had := webauthn.Credentials(holder.WebAuthnCredentials()).CredentialDescriptors()
	options, data, err := site.BeginRegistration(holder, webauthn.WithExclusions(had))
	if err != nil {
		return nil, err
	}
	return a.challenge(ctx, who.User, forNewPasskey, data, options.Response)
}

// FinishPasskey adds the passkey that the browser of who made. The first factor
// comes with recovery codes.
func (a *Authenticator) FinishPasskey(ctx context.Context, who tidemark.Identity, origin, name string, answer PasskeyAnswer) (*tidemark.Passkey, []string, error) {
	v := &tidemark.Passkey{User: who.User, Name: name}
	if err := v.Validate(); err != nil { // before the challenge is used up
		return nil, nil, err
	}
	site, err := passkeySite(origin)
	if err != nil {
		return nil, nil, err
	}
	data, err := a.answered(ctx, answer.Key, who.User, forNewPasskey)
	if err != nil {
		return nil, nil, invalidAnswer(err)
	}
	made, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer.Credential))
	if err != nil {
		return nil, nil, tidemark.InvalidField("credential", "is no answer of an authenticator")
	}
	credential, err := site.CreateCredential(&keyholder{user: &tidemark.User{ID: who.User}}, *data, made)
	if err != nil {
		return nil, nil, tidemark.InvalidField("credential", "does not answer the challenge")
	}
	credential.Attestation = webauthn.CredentialAttestation{} // none was requested
	text, err := json.Marshal(credential)
	if err != nil {
		return nil, nil, err
	}
	v.Credential, v.Data = base64.RawURLEncoding.EncodeToString(credential.ID), string(text)
	codes, hashes, err := a.firstCodes(ctx, who.User)
	if err != nil {
		return nil, nil, err
	}
	return v, codes, a.store.CreatePasskey(ctx, who.Actor(), v, hashes)
}

// invalidAnswer says to somebody who is signed in that an answer came too late.
func invalidAnswer(err error) error {
	if err != nil && tidemark.KindOf(err) == tidemark.Unauthenticated {
		return tidemark.InvalidField("key", "is used or too old")
	}
	return err
}

// BeginPasskeySignIn asks a browser for a passkey of whomever, who must show to
// the authenticator who they are: the passkey is the only step.
func (a *Authenticator) BeginPasskeySignIn(ctx context.Context, origin string, b Browser) (*Challenge, error) {
	if a.passwordsOff {
		return nil, errPasswordsOff
	}
	if !a.starts.take("", b.Address, a.now()) {
		return nil, errTooManyTries
	}
	site, err := passkeySite(origin)
	if err != nil {
		return nil, err
	}
	options, data, err := site.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, err
	}
	return a.challenge(ctx, 0, forSignIn, data, options.Response)
}

// SignInWithPasskey opens a session for the person whose passkey answered.
func (a *Authenticator) SignInWithPasskey(ctx context.Context, origin string, answer PasskeyAnswer, b Browser) (_ tidemark.Secret, _ *tidemark.Session, err error) {
	defer func() { a.signIns.count(err) }()
	if a.passwordsOff {
		return "", nil, errPasswordsOff
	}
	p, u, err := a.ownerOf(ctx, answer)
	if err != nil {
		return "", nil, err
	}
	name := ""
	if u != nil {
		name = u.Email
	}
	if !a.wrong.take(name, b.Address, a.now()) {
		return "", nil, errTooManyTries
	}
	data, err := a.answered(ctx, answer.Key, 0, forSignIn)
	if err != nil {
		return "", nil, err
	}
	if u == nil {
		return "", nil, a.refused(ctx, nil, b, withPasskey, "unknown passkey", errWrongPasskey)
	}
	// What makes it the only step is that the authenticator verified the person.
	data.UserVerification, data.UserID = protocol.VerificationRequired, handleOf(u.ID)
	if err := a.check(ctx, origin, p, u, data, answer, b); err != nil {
		return "", nil, err
	}
	a.wrong.giveBack(u.Email, b.Address, a.now())
	return a.openSession(ctx, u, 0, b, withPasskey, sessionLife)
}

// ownerOf returns the passkey that answered and whose it is, or nothing.
func (a *Authenticator) ownerOf(ctx context.Context, answer PasskeyAnswer) (*tidemark.Passkey, *tidemark.User, error) {
	said, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer.Credential))
	if err != nil {
		return nil, nil, tidemark.InvalidField("credential", "is no answer of an authenticator")
	}
	p, err := a.store.PasskeyByCredential(ctx, base64.RawURLEncoding.EncodeToString(said.RawID))
	if err != nil {
		if tidemark.KindOf(err) == tidemark.NotFound {
			err = nil
		}
		return nil, nil, err
	}
	u, err := a.store.User(ctx, p.User)
	return p, u, err
}

// check reports, as an error, that a passkey of u did not answer a challenge,
// and notes when it was used.
func (a *Authenticator) check(ctx context.Context, origin string, p *tidemark.Passkey, u *tidemark.User, data *webauthn.SessionData, answer PasskeyAnswer, b Browser) error {
	site, err := passkeySite(origin)
	if err != nil {
		return err
	}
	said, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer.Credential))
	if err != nil {
		return tidemark.InvalidField("credential", "is no answer of an authenticator")
	}
	credential, err := site.ValidateLogin(&keyholder{u, []*tidemark.Passkey{p}}, *data, said)
	if err != nil {
		return a.refused(ctx, u, b, withPasskey, "wrong passkey", errWrongPasskey)
	}
	if credential.Authenticator.CloneWarning {
		return a.refused(ctx, u, b, withPasskey, "its counter went back: it may have been copied", errWrongPasskey)
	}
	text, err := json.Marshal(credential)
	if err != nil {
		return err
	}
	return a.store.UsePasskey(ctx, p.ID, string(text), a.now().Unix())
}
