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
	rotateGrace = 60             // seconds that the secret before still works once the new one was seen
	seenEvery   = 60             // seconds between two notes that a session was seen
	recentLife  = 600            // seconds for which a proof of who somebody is counts as recent
	maxAgent    = 200            // characters of a user agent that are kept
)

var (
	errWrongPassword = tidemark.Errorf(tidemark.Unauthenticated, "E-mail or password is wrong.")
	errPasswordsOff  = tidemark.Errorf(tidemark.Forbidden, "Passwords are switched off on this server. Use single sign-on.")
	errTooManyTries  = tidemark.Errorf(tidemark.TooMany, "Too many tries. Wait 2 minutes.")
)

// newKey returns a secret of 256 bits that is at home in a URL and a cookie.
func newKey() tidemark.Secret { return tidemark.Secret(rand.Text() + rand.Text()) }

// Browser is where a person signs in from. Key is what it is known by, if it
// has a key.
type Browser struct {
	UserAgent, Address string
	Key                tidemark.Secret
}

// browserKey is what the browser is known by from now on: what it showed, if
// that can be a key of ours.
func (b Browser) browserKey() tidemark.Secret {
	fresh := newKey()
	if len(b.Key) != len(fresh) {
		return fresh
	}
	return b.Key
}

// SignIn opens a session for the person with this e-mail and password, in the
// organization they joined first. The secret is the cookie's value.
func (a *Authenticator) SignIn(ctx context.Context, email, password string, b Browser) (_ tidemark.Secret, _ *tidemark.Session, err error) {
	defer func() { a.signIns.count(err) }()
	u, err := a.prove(ctx, email, password, b)
	if err != nil {
		return "", nil, err
	}
	return a.enter(ctx, u, halfway{With: withPassword, Life: sessionLife, Try: b.Address}, b)
}

// DisablePasswords has people sign in with the issuer alone: no password opens
// a session, is accepted with an invitation, changed or reset. It is for before
// the Authenticator is used. The operator's commands go on working, and so does
// the set-up link, without which a new server would have no owner.
func (a *Authenticator) DisablePasswords() { a.passwordsOff = true }

// TakesPasswords reports whether people may sign in with a password.
func (a *Authenticator) TakesPasswords() bool { return !a.passwordsOff }

// MayTry reports, as an error, that too many tries came from b's address. It
// is for before anything else is done for a request.
func (a *Authenticator) MayTry(b Browser) error {
	if !a.wrong.open(b.Address, a.now()) {
		a.signIns.count(errTooManyTries)
		return errTooManyTries
	}
	return nil
}

// prove returns the person with this e-mail and password. A try counts before
// the password is looked at, so that many at once are as many tries; whoever
// calls gives it back once the person is in.
func (a *Authenticator) prove(ctx context.Context, email, password string, b Browser) (*tidemark.User, error) {
	if a.passwordsOff {
		return nil, errPasswordsOff
	}
	email = cleanEmail(email)
	if !a.wrong.take(email, b.Address, a.now()) {
		return nil, errTooManyTries
	}
	u, err := a.store.UserByEmail(ctx, email)
	if err != nil && tidemark.KindOf(err) != tidemark.NotFound {
		return nil, err
	}
	hash := ""
	if err == nil {
		hash = u.PasswordHash
	}
	right, err := a.checkPassword(ctx, hash, password)
	switch {
	case err != nil:
		return nil, err
	case !right:
		return nil, a.refused(ctx, u, b, withPassword, "wrong password", errWrongPassword)
	}
	return u, nil
}

func cleanEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// With what somebody signs in, as the audit log has it.
const (
	withPassword   = "password"
	withIssuer     = "oidc"
	withInvitation = "invitation"
	withSetup      = "setup"
)

// refused notes that somebody was not let in, and returns the error they get.
// U is whose account they gave, or nil.
func (a *Authenticator) refused(ctx context.Context, u *tidemark.User, b Browser, with, why string, refusal error) error {
	var id int64
	if u != nil {
		id = u.ID
	}
	return cmp.Or(a.store.RefuseSignIn(ctx, tidemark.VisitorActor(b.Address), id, with, why), refusal)
}

// OpenSession opens a session for a person who has proved who they are. An
// org of 0 is the one that they joined first.
func (a *Authenticator) OpenSession(ctx context.Context, user int64, org tidemark.OrgID, b Browser) (tidemark.Secret, *tidemark.Session, error) {
	u, err := a.store.User(ctx, user)
	if err != nil {
		return "", nil, err
	}
	return a.openSession(ctx, u, org, b, withPassword, sessionLife)
}

// openSession is OpenSession for a life in seconds.
func (a *Authenticator) openSession(ctx context.Context, u *tidemark.User, org tidemark.OrgID, b Browser, with string, life int64) (tidemark.Secret, *tidemark.Session, error) {
	if org == 0 {
		places, err := a.store.MembershipsOf(ctx, u.ID)
		if err != nil {
			return "", nil, err
		}
		if len(places) == 0 {
			return "", nil, tidemark.Errorf(tidemark.Forbidden, "You belong to no organization. Ask an Admin to invite you.")
		}
		org = firstJoined(places).Org
	}
	now := a.now().Unix()
	s := &tidemark.Session{
		User: u.ID, Org: org, CreatedAt: now, LastSeenAt: now, RotatedAt: now, ExpiresAt: now + life, ProvedAt: now,
		UserAgent: cut(b.UserAgent, maxAgent), Address: b.Address, Browser: b.browserKey(),
	}
	key := newKey()
	return key, s, a.store.CreateSession(ctx, tidemark.PersonActor(u.Email, b.Address), s, key.Hash(), with)
}

// MayMailSignIn reports whether a person may be mailed about one more sign-in
// now, and counts it.
func (a *Authenticator) MayMailSignIn(email string) bool { return a.notices.take(email, "", a.now()) }

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
	m, err := a.placeOf(ctx, s)
	if err != nil {
		return who, "", unknownIf(err, tidemark.NotFound) // no longer a member
	}
	who = tidemark.Identity{
		Org: m.Org, Role: m.Role, User: s.User, Session: s.ID, Name: m.Email,
		Recent: now-s.ProvedAt < recentLife, MustEnrol: m.MustEnrol(), Operator: m.Operator,
	}
	fresh, err = a.keepSession(ctx, s, secret.Hash(), now)
	return who, fresh, unknownIf(err, tidemark.NotFound)
}

// placeOf is where the person of a session is while no address says
// otherwise: where they last were, or where they still belong.
func (a *Authenticator) placeOf(ctx context.Context, s *tidemark.Session) (*tidemark.Membership, error) {
	m, err := a.store.Membership(ctx, s.Org, s.User)
	if err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		return m, err
	}
	rest, listed := a.store.MembershipsOf(ctx, s.User)
	if listed != nil || len(rest) == 0 {
		return nil, cmp.Or(listed, err)
	}
	return firstJoined(rest), nil
}

// firstJoined is the membership that is oldest.
func firstJoined(places []*tidemark.Membership) *tidemark.Membership {
	return slices.MinFunc(places, func(a, b *tidemark.Membership) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.Org, b.Org))
	})
}

// keepSession replaces the secret of a session that is due, and notes what was
// seen of it. An answer with a new secret may never arrive: the browser shows
// that it did by using it, and until then the one before works. Hash is of the
// secret that was shown.
func (a *Authenticator) keepSession(ctx context.Context, s *tidemark.Session, hash string, now int64) (fresh tidemark.Secret, err error) {
	if hash == s.Hash && s.OldUntil > now+rotateGrace {
		if err := a.store.RetireOldSecret(ctx, s, now+rotateGrace); err != nil {
			return "", err
		}
	}
	switch {
	case now-s.RotatedAt >= rotateAfter:
		fresh = newKey()
		if done, err := a.store.RotateSession(ctx, s, hash, fresh.Hash(), now); err != nil || !done {
			return "", err // another request was first, and its answer has the new one
		}
		return fresh, nil
	case now-s.LastSeenAt >= seenEvery:
		return "", a.store.TouchSession(ctx, s.ID, now)
	}
	return "", nil
}

// unknownIf makes an error of kind k the one of unknown credentials.
func unknownIf(err error, k tidemark.Kind) error {
	if err != nil && tidemark.KindOf(err) == k {
		return errUnknown
	}
	return err
}
