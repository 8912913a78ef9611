package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/tidemark-metrics/tidemark"
	"golang.org/x/oauth2"
)

const (
	oidcLife   = 600        // seconds between leaving for the issuer and coming back
	invitePath = "/invite/" // the page of an invitation, before its key
)

// OIDC is signing in with an OpenID Connect issuer. Who may come in, and as
// what, is in admit.go.
type OIDC struct {
	Issuer, ClientID, ClientSecret, Title string
	GroupsClaim                           string
	AdminGroups, MemberGroups             []string
	ViewerGroups                          []string
	// AllowedDomains are those of the e-mail addresses that are let in; any if
	// empty.
	AllowedDomains []string
	// Session is how long a session lasts, at most: it bounds for how long
	// somebody whom the issuer lets in no longer stays.
	Session time.Duration
	// TrustEmail takes an e-mail address of which the issuer does not say
	// whether it is verified. Who may choose theirs could otherwise choose
	// somebody else's, and with it their place here.
	TrustEmail bool
	// Client is the guarded way out, and Reach, if set, lets it contact the
	// host and port of a URL even at a private address.
	Client *http.Client
	Reach  func(*url.URL)

	mu       sync.Mutex
	provider *oidc.Provider // found out on first use: the issuer may be away when the server starts
}

func (o *OIDC) discover(ctx context.Context) (context.Context, *oidc.Provider, error) {
	ctx = oidc.ClientContext(ctx, o.Client)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.provider == nil {
		p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), o.Client), o.Issuer)
		if err != nil {
			return ctx, nil, &tidemark.Error{Kind: tidemark.Unavailable, Msg: "The sign-in service does not answer.", Err: err}
		}
		o.reachNamed(p)
		o.provider = p
	}
	return ctx, o.provider, nil
}

// reachNamed lets the client contact what the issuer names on its own host,
// which may be on other ports. What it names elsewhere is under the rule that
// holds for everything.
func (o *OIDC) reachNamed(p *oidc.Provider) {
	var named struct {
		Token string `json:"token_endpoint"`
		Keys  string `json:"jwks_uri"`
	}
	issuer, err := url.Parse(o.Issuer)
	if o.Reach == nil || err != nil || p.Claims(&named) != nil {
		return
	}
	for _, raw := range []string{named.Token, named.Keys} {
		if u, err := url.Parse(raw); err == nil && strings.EqualFold(u.Hostname(), issuer.Hostname()) {
			o.Reach(u)
		}
	}
}

func (o *OIDC) config(p *oidc.Provider, redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: o.ClientID, ClientSecret: o.ClientSecret, Endpoint: p.Endpoint(), RedirectURL: redirect,
		Scopes: []string{oidc.ScopeOpenID, "email", "profile", "groups"},
	}
}

// Why somebody who comes back from the issuer is not let in.
var (
	ErrNotVouched = tidemark.Errorf(tidemark.Unauthenticated, "The sign-in service did not confirm who you are.")
	ErrNoEmail    = tidemark.Errorf(tidemark.Forbidden, "The sign-in service gives no verified e-mail address for you.")
	ErrNotAllowed = tidemark.Errorf(tidemark.Forbidden, "Your account at the issuer is not allowed here. Ask an Admin.")
	ErrNoGroup    = tidemark.Errorf(tidemark.Forbidden, "None of your groups may use Tidemark.")
)

// pending is what has to be remembered until a person comes back. Next is the
// page they were on their way to.
type pending struct{ Nonce, Verifier, Next string }

// StartOIDC returns where to send a person to sign in, and the state that must
// come back with them. Afterwards they go on to next.
func (a *Authenticator) StartOIDC(ctx context.Context, o *OIDC, redirect, next string, b Browser) (url string, state tidemark.Secret, err error) {
	if !a.starts.take("", b.Address, a.now()) {
		return "", "", errTooManyTries
	}
	_, provider, err := o.discover(ctx)
	if err != nil {
		return "", "", err
	}
	p := pending{Nonce: newKey().Reveal(), Verifier: oauth2.GenerateVerifier(), Next: next}
	detail, _ := json.Marshal(p)
	state = newKey()
	k := &tidemark.OneTimeKey{Detail: string(detail), ExpiresAt: a.now().Unix() + oidcLife}
	if err := a.store.CreateSignInKey(ctx, k, state.Hash()); err != nil {
		return "", "", err
	}
	return o.config(provider, redirect).AuthCodeURL(state.Reveal(), oidc.Nonce(p.Nonce), oauth2.S256ChallengeOption(p.Verifier)), state, nil
}

// FinishOIDC signs in a person who came back with a code, and says where they
// were on their way to. A state works once.
func (a *Authenticator) FinishOIDC(ctx context.Context, o *OIDC, redirect string, state tidemark.Secret, code string, b Browser) (secret tidemark.Secret, s *tidemark.Session, next string, err error) {
	defer func() { a.signIns.count(err) }()
	key, err := a.store.UseOneTimeKey(ctx, tidemark.SignInKey, state.Hash(), a.now().Unix())
	if err != nil {
		return "", nil, "", unknownIf(err, tidemark.NotFound)
	}
	var p pending
	if err := json.Unmarshal([]byte(key.Detail), &p); err != nil {
		return "", nil, "", err
	}
	v, err := o.exchange(ctx, redirect, code, p)
	if err != nil {
		return "", nil, p.Next, a.notVouched(ctx, b, err)
	}
	user, org, joined, err := a.admit(ctx, o, v, p.Next, b)
	if err != nil {
		return "", nil, p.Next, err
	}
	if joined && strings.HasPrefix(p.Next, invitePath) {
		p.Next = "" // the invitation is used up
	}
	secret, s, err = a.enter(ctx, user, halfway{Org: org, With: withIssuer, Life: o.life()}, b)
	return secret, s, p.Next, err
}

// notVouched notes that the issuer did not vouch for somebody. That it could
// not be asked is no refusal.
func (a *Authenticator) notVouched(ctx context.Context, b Browser, err error) error {
	if !errors.Is(err, ErrNotVouched) && !errors.Is(err, ErrNoEmail) {
		return err
	}
	return a.refused(ctx, nil, b, withIssuer, "not vouched for", err)
}

// life is how many seconds a session lasts.
func (o *OIDC) life() int64 {
	if o.Session <= 0 {
		return sessionLife
	}
	return min(int64(o.Session/time.Second), sessionLife)
}

// exchange makes of a code what the issuer says about the person.
func (o *OIDC) exchange(ctx context.Context, redirect, code string, p pending) (v vouched, err error) {
	ctx, provider, err := o.discover(ctx)
	if err != nil {
		return v, err
	}
	refused := func(err error) (vouched, error) {
		return vouched{}, fmt.Errorf("%w: %w", ErrNotVouched, err)
	}
	token, err := o.config(provider, redirect).Exchange(ctx, code, oauth2.VerifierOption(p.Verifier))
	if err != nil {
		return refused(err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := provider.Verifier(&oidc.Config{ClientID: o.ClientID}).Verify(ctx, raw)
	if err != nil {
		return refused(err)
	}
	if id.Nonce != p.Nonce {
		return refused(fmt.Errorf("nonce differs"))
	}
	var claims map[string]any
	if err := id.Claims(&claims); err != nil {
		return refused(err)
	}
	email, _ := claims["email"].(string)
	if email == "" || !o.verified(claims["email_verified"]) {
		return v, fmt.Errorf("%w (email_verified is %v; an issuer that never says may be trusted with oidc.trust_email)", ErrNoEmail, claims["email_verified"])
	}
	name, _ := claims["name"].(string)
	return vouched{strings.ToLower(email), name, texts(claims[o.GroupsClaim])}, nil
}

// verified reports whether the issuer stands by an e-mail address. Some say it
// in text, and some not at all.
func (o *OIDC) verified(claim any) bool {
	return claim == true || claim == "true" || claim == nil && o.TrustEmail
}

// texts are those of a claim, which is a list or one alone.
func texts(claim any) (list []string) {
	switch claim := claim.(type) {
	case string:
		return []string{claim}
	case []any:
		for _, one := range claim {
			if s, ok := one.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// role is the most that a person's groups allow, or "".
func (o *OIDC) role(groups []string) tidemark.Role {
	in := func(wanted []string) bool {
		return slices.ContainsFunc(wanted, func(g string) bool { return slices.Contains(groups, g) })
	}
	switch {
	case in(o.AdminGroups):
		return tidemark.FullAccess
	case in(o.MemberGroups):
		return tidemark.Member
	case in(o.ViewerGroups):
		return tidemark.ViewOnly
	}
	return ""
}
