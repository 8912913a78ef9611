package auth

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

const (
	sessionLife = 30 * 24 * 3600 // seconds without a sign-in
	rotateAfter = 3600           // seconds until a session's secret is replaced
	rotateGrace = 60             // seconds that the secret before still works
	seenEvery   = 60             // seconds between two notes that a session was seen
	resetLife   = 24 * 3600
	setupLife   = 7 * 24 * 3600
	maxAgent    = 200 // characters of a user agent that are kept
)

var (
	errWrongPassword = tidemark.Errorf(tidemark.Unauthenticated, "E-mail or password is wrong.")
	errTooManyTries  = tidemark.Errorf(tidemark.TooMany, "Too many tries. Wait 2 minutes.")
)

// newKey returns a secret of 256 bits that is at home in a URL and a cookie.
func newKey() tidemark.Secret { return tidemark.Secret(rand.Text() + rand.Text()) }

// Browser is where a person signs in from.
type Browser struct{ UserAgent, Address string }

// SignIn opens a session for the person with this e-mail and password, in the
// organization they joined first. The secret is the cookie's value.
func (a *Authenticator) SignIn(ctx context.Context, email, password string, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	if !a.wrong.allowed(email, b.Address, a.now()) {
		return "", nil, errTooManyTries
	}
	u, err := a.store.UserByEmail(ctx, email)
	if err != nil && tidemark.KindOf(err) != tidemark.NotFound {
		return "", nil, err
	}
	hash := ""
	if err == nil {
		hash = u.PasswordHash
	}
	if !CheckPassword(hash, password) {
		a.wrong.made(email, b.Address, a.now())
		return "", nil, errWrongPassword
	}
	a.wrong.forget(email)
	return a.OpenSession(ctx, u.ID, 0, b)
}

// OpenSession opens a session for a person who has proved who they are. An
// org of 0 is the one that they joined first.
func (a *Authenticator) OpenSession(ctx context.Context, user int64, org tidemark.OrgID, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	if org == 0 {
		places, err := a.store.MembershipsOf(ctx, user)
		if err != nil {
			return "", nil, err
		}
		if len(places) == 0 {
			return "", nil, tidemark.Errorf(tidemark.Forbidden, "You belong to no organization. Ask an Admin to add you.")
		}
		org = slices.MinFunc(places, func(a, b *tidemark.Membership) int {
			return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.Org, b.Org))
		}).Org
	}
	now := a.now().Unix()
	s := &tidemark.Session{
		User: user, Org: org, CreatedAt: now, LastSeenAt: now, RotatedAt: now, ExpiresAt: now + sessionLife,
		UserAgent: cut(b.UserAgent, maxAgent), Address: b.Address,
	}
	key := newKey()
	return key, s, a.store.CreateSession(ctx, s, key.Hash())
}

// cut returns the first n bytes of s that make whole characters.
func cut(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")
}

// IdentifySession returns who a session's secret belongs to. Where the secret
// is due to be replaced, fresh is the new one, to be sent back.
func (a *Authenticator) IdentifySession(ctx context.Context, secret tidemark.Secret) (who tidemark.Identity, fresh tidemark.Secret, err error) {
	now := a.now().Unix()
	s, err := a.store.SessionByHash(ctx, secret.Hash(), now)
	if err != nil {
		return who, "", unknownIf(err, tidemark.NotFound)
	}
	m, err := a.store.Membership(ctx, s.Org, s.User)
	if err != nil {
		return who, "", unknownIf(err, tidemark.NotFound) // no longer a member
	}
	who = tidemark.Identity{Org: s.Org, Role: m.Role, User: s.User, Session: s.ID, Name: m.Email}
	switch {
	case now-s.RotatedAt >= rotateAfter:
		fresh = newKey()
		err = a.store.RotateSession(ctx, s.ID, fresh.Hash(), now, now+rotateGrace)
	case now-s.LastSeenAt >= seenEvery:
		err = a.store.TouchSession(ctx, s.ID, now)
	}
	return who, fresh, unknownIf(err, tidemark.NotFound)
}

// unknownIf makes an error of kind k the one of credentials nobody has.
func unknownIf(err error, k tidemark.Kind) error {
	if err != nil && tidemark.KindOf(err) == k {
		return errUnknown
	}
	return err
}

// NewSetupKey returns the key of the one-time link that makes a new server's
// owner, or "" if the server has people already.
func (a *Authenticator) NewSetupKey(ctx context.Context) (tidemark.Secret, error) {
	has, err := a.store.HasUsers(ctx)
	if err != nil || has {
		return "", err
	}
	return a.newOneTimeKey(ctx, tidemark.OneTimeKey{Kind: tidemark.SetupKey}, setupLife)
}

// AskReset returns whose password may be chosen anew and the key of the link
// for it. Who asks for strangers or too often gets neither, and no error: the
// answer must not tell who exists.
func (a *Authenticator) AskReset(ctx context.Context, email string, b Browser) (*tidemark.User, tidemark.Secret, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	if !a.resets.allowed(email, b.Address, a.now()) {
		return nil, "", nil
	}
	a.resets.made(email, b.Address, a.now())
	u, err := a.store.UserByEmail(ctx, email)
	if err != nil {
		if tidemark.KindOf(err) == tidemark.NotFound {
			err = nil
		}
		return nil, "", err
	}
	key, err := a.NewResetKey(ctx, u.ID)
	return u, key, err
}

// NewResetKey returns the key of a link by which a person chooses a password.
func (a *Authenticator) NewResetKey(ctx context.Context, user int64) (tidemark.Secret, error) {
	return a.newOneTimeKey(ctx, tidemark.OneTimeKey{Kind: tidemark.ResetKey, User: user}, resetLife)
}

func (a *Authenticator) newOneTimeKey(ctx context.Context, k tidemark.OneTimeKey, life int64) (tidemark.Secret, error) {
	key := newKey()
	k.ExpiresAt = a.now().Unix() + life
	return key, a.store.CreateOneTimeKey(ctx, &k, key.Hash())
}

// CheckSetupKey reports, as an error, that a set-up link does not work.
func (a *Authenticator) CheckSetupKey(ctx context.Context, key tidemark.Secret) error {
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
	u := &tidemark.User{Email: strings.ToLower(strings.TrimSpace(email))}
	var p tidemark.Problems
	if e := org.Validate(); e != nil {
		p.Check(false, "org_name", "is not present or too long")
	}
	p.Add("", u.Validate())
	hash, err := HashPassword(password)
	p.Add("", err)
	if err := p.Err(); err != nil {
		return "", nil, err
	}
	u.PasswordHash = hash
	if _, err := a.store.UseOneTimeKey(ctx, tidemark.SetupKey, key.Hash(), a.now().Unix()); err != nil {
		return "", nil, err
	}
	orgs, err := a.store.Orgs(ctx)
	if err != nil {
		return "", nil, err
	}
	if err := a.store.CreateUser(ctx, u); err != nil {
		return "", nil, err
	}
	if _, err := a.store.RenameOrg(ctx, orgs[0].ID, org.Name); err != nil {
		return "", nil, err
	}
	if _, err := a.store.AddMember(ctx, orgs[0].ID, u.ID, tidemark.FullAccess); err != nil {
		return "", nil, err
	}
	return a.OpenSession(ctx, u.ID, orgs[0].ID, b)
}

// ResetPassword sets the password of the person whose link it is, and ends
// their sessions.
func (a *Authenticator) ResetPassword(ctx context.Context, key tidemark.Secret, password string) error {
	hash, err := HashPassword(password)
	if err != nil {
		return err
	}
	k, err := a.store.UseOneTimeKey(ctx, tidemark.ResetKey, key.Hash(), a.now().Unix())
	if err != nil {
		return err
	}
	if err := a.store.SetPassword(ctx, k.User, hash); err != nil {
		return err
	}
	return a.store.DeleteSessionsOf(ctx, k.User, 0)
}

// ChangePassword sets the password of who, given the one before, and ends
// their other sessions.
func (a *Authenticator) ChangePassword(ctx context.Context, who tidemark.Identity, current, password string) error {
	u, err := a.store.User(ctx, who.User)
	if err != nil {
		return err
	}
	if u.PasswordHash != "" && !CheckPassword(u.PasswordHash, current) {
		return tidemark.InvalidField("current_password", "is wrong")
	}
	hash, err := HashPassword(password)
	if err != nil {
		return err
	}
	if err := a.store.SetPassword(ctx, u.ID, hash); err != nil {
		return err
	}
	return a.store.DeleteSessionsOf(ctx, u.ID, who.Session)
}
