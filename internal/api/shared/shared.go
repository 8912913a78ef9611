// Package shared is what more than one table of the API needs: what they work
// with, expressions, queries of charts, drafts of alerts and services, masks,
// pages that watch, what is done after an answer.
package shared

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Base is what endpoints work with: the room of each table embeds it.
type Base struct {
	Options
	rest.Writers
	// Stored is Engine with tags as storage has them, for what compares them.
	Stored tsdb.Reader
	// Under has a place for each thing that is done after answers.
	Under    chan struct{}
	watchers *watchers
}

// Options are what the API works with.
type Options struct {
	*rest.Site // how clients reach the server
	Store      *store.Store
	Limits     *tidemark.Limits // the defaults where nil
	// Refusing says why nothing that grows can be stored at present, or nil.
	// It may be nil itself.
	Refusing func() error
	Auth     *auth.Authenticator
	Recorder *ingest.Recorder
	Querier  *query.Querier
	Engine   tsdb.Reader
	// Spellings is how tags are shown; nil for lower case.
	Spellings *spelling.Book
	Usage     *usage.Tracker
	Now       func() time.Time // time.Now where nil
	// AnswerPoints is how many points of series one answer holds; what is
	// more is on the page that its link points to. 0 is the default.
	AnswerPoints int
	Version      string
	// SendMail sends a mail to one person, some time soon; nil where the
	// server has no mail.
	SendMail func(to, subject, text string)
	// Guard says which addresses services may have; nil takes any.
	Guard notify.Guard
	// Probe looks at what a check says, once; nil where nothing may leave.
	Probe func(context.Context, *tidemark.Check) tidemark.CheckState
	// Alerting is what evaluates alerts and notifies services.
	Alerting Alerting
	// OIDC is how people sign in elsewhere; nil if they do not.
	OIDC *auth.OIDC
	// AuditKeep is how long entries of the audit log are kept.
	AuditKeep time.Duration
	// Backup copies everything to a directory of this machine, for the
	// operator.
	Backup func(ctx context.Context, by tidemark.Actor, where string, progress func(doing string, done, total int64)) error
	// Snapshot links the measurements into a new directory of the same file
	// system.
	Snapshot func(ctx context.Context, dir string) error
	// Settle tidies the engine up after an import, for the operator. It may
	// be nil: then there is nothing to tidy up.
	Settle func(ctx context.Context) error
	// Machines are the servers on the control store, this one among them, for
	// operators.
	Machines func(ctx context.Context) (*tidemark.Machines, error)
	// Welcome is called with the person who set the server up. It may be nil.
	Welcome func(ctx context.Context, session *tidemark.Session)
	// Demo is a demo that people may ask for; nil if they may not.
	Demo Demo
	// Closed are the doors of other protocols that the operator closed, by
	// name: "prometheus", "otlp", "influx", "datadog".
	Closed map[string]bool
	// LeftOut is called for what a request of another protocol had that is not
	// kept, by reason. It may be nil.
	LeftOut func(protocol.Skip)
	// SubqueryStep is the step of PromQL's subqueries that name none; 0 means
	// as usual.
	SubqueryStep time.Duration
	// Stopping is closed when the server is about to stop, so that answers
	// without an end find one.
	Stopping <-chan struct{}
}

// New returns a Base.
func New(o Options) *Base {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.AnswerPoints = cmp.Or(o.AnswerPoints, answerPoints)
	stored := tsdb.Scoped(o.Engine)
	o.Engine = spelling.Reader(stored, o.Spellings)
	return &Base{Options: o, Stored: stored, Under: make(chan struct{}, maxAfter), watchers: newWatchers()}
}

// answerPoints is how many points an answer holds by default.
const answerPoints = 5_000_000

// BySession finds out who sent r by the browser's session. Requests that
// another site's page makes the browser send are refused, whatever cookie
// comes along.
func (s *Base) BySession(r *http.Request) (c rest.Caller, err error) {
	cookie, err := r.Cookie(s.CookieName(r))
	if err != nil || cookie.Value == "" {
		return c, rest.ErrUnauthenticated
	}
	if err := s.SameSite(r); err != nil {
		return c, err
	}
	c.Identity, c.Fresh, err = s.Auth.IdentifySession(r.Context(), tidemark.Secret(cookie.Value))
	if err != nil {
		return c, err
	}
	return s.inNamedOrg(r, c)
}

var (
	errNotMember = tidemark.Errorf(tidemark.Forbidden, "You are not a member of this organization.")
	errOtherOrg  = tidemark.Errorf(tidemark.Forbidden, "This token belongs to another organization.")
)

// inNamedOrg is c in the organization that r names, where that is another than
// the one the session was last used in.
func (s *Base) inNamedOrg(r *http.Request, c rest.Caller) (rest.Caller, error) {
	org, named, err := s.namedOrg(r)
	if err != nil || !named || org == c.Org {
		return c, err
	}
	m, err := s.Store.Membership(r.Context(), org, c.User)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		return c, errNotMember // no word on whether there is such an organization
	}
	if err == nil {
		c.Org, c.Role, c.MustEnrol = org, m.Role, m.MustEnrol()
	}
	return c, err
}

// namedOrg returns the organization that r names, if it names one; 0 where
// there is none called so.
func (s *Base) namedOrg(r *http.Request) (org tidemark.OrgID, named bool, err error) {
	text, named := rest.NamedOrg(r)
	if !named {
		return 0, false, nil
	}
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return tidemark.OrgID(id), true, nil
	}
	org, err = s.Store.OrgIDByShortName(r.Context(), text)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		return 0, true, nil
	}
	return org, true, err
}

// TokenFits refuses a token whose organization is not the one that r names.
func (s *Base) TokenFits(r *http.Request, who tidemark.Identity) error {
	if org, named, err := s.namedOrg(r); err != nil || named && org != who.Org {
		return cmp.Or(err, errOtherOrg)
	}
	return nil
}
