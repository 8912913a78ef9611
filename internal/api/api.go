// Package api is the HTTP door: it turns requests into calls of the rooms
// below and what they return into answers. The whole API is the table in
// routes.go; endpoints return what to say and never touch a ResponseWriter.
package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Options are what a Server works with.
type Options struct {
	*rest.Site // how clients reach the server
	Store      *store.Store
	Auth       *auth.Authenticator
	Recorder   *ingest.Recorder
	Querier    *query.Querier
	Engine     tsdb.Reader
	Usage      *usage.Tracker
	Now        func() time.Time // time.Now where nil
	// AnswerPoints is how many points of series one answer holds; what is
	// more is on the page that its link points to. 0 is the default.
	AnswerPoints int
	Version      string
	// SendMail sends a mail to one person, some time soon; nil where the
	// server has no mail.
	SendMail func(to, subject, text string)
	// Guard says which addresses services may have; nil takes any.
	Guard notify.Guard
	// Alerting is what judges alerts and tells of them.
	Alerting Alerting
	// OIDC is how people sign in elsewhere; nil if they do not.
	OIDC *auth.OIDC
	// Backup copies everything to a directory of this machine, for the
	// operator.
	Backup func(ctx context.Context, dir string, progress func(doing string, done, total int64)) error
	// Welcome is told of the one who set the server up. It may be nil.
	Welcome func(ctx context.Context, session *tidemark.Session)
	// Demo is a demo that people may ask for; nil if they may not.
	Demo Demo
	// Stopping is closed when the server is about to stop, so that answers
	// without an end find one.
	Stopping <-chan struct{}
}

// Server answers the API. It is an http.Handler.
type Server struct {
	Options
	*rest.Server
	rest.Writers
	nouns    map[string]string // what each route is about
	bodies   bodies
	watching *atomic.Int64 // pages that hear how many alerts fire
	gaps     *gaps
}

// New returns a Server.
func New(o Options) *Server {
	s := newServer(o)
	s.serve(s.table(), s.authenticate)
	return s
}

func newServer(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.AnswerPoints = cmp.Or(o.AnswerPoints, answerPoints)
	return &Server{Options: o, bodies: newBodies(), watching: new(atomic.Int64), gaps: &gaps{limit: gapsTime}}
}

// table is the whole API.
func (s *Server) table() []rest.Route { return append(s.routes(), s.interfaceRoutes()...) }

// serve makes table what s answers.
func (s *Server) serve(table []rest.Route, identify func(*http.Request, rest.Route) (rest.Caller, error)) {
	s.nouns = make(map[string]string, len(table))
	for _, rt := range table {
		s.nouns[rt.Pattern] = nounOf(rt.Pattern)
	}
	s.Server = rest.New(rest.Config{Site: s.Site, Table: table, Identify: identify, Answered: s.count})
}

// count counts a request for those who look after tokens.
func (s *Server) count(r *http.Request, rt rest.Route, who rest.Caller, rep rest.Reply, err error) {
	if rt.People {
		return
	}
	s.Usage.Note(usage.Request{
		Who: who.Identity, UserAgent: r.UserAgent(), RemoteHost: s.Address(r), Method: r.Method, Path: r.URL.Path, Protocol: protocolOf(r),
		Status: rest.StatusOf(rep, err), Reason: rest.ReasonOf(err), Measurements: rep.Recorded, Sample: rep.Sample,
		Action: rt.Action, Noun: s.nouns[rt.Pattern], TokenEnds: who.Ends,
	})
}

// authenticate finds out who sent r: by a token in either field of Basic
// credentials, since clients disagree about which, or as a Bearer; where there
// is none, by the session of a browser.
func (s *Server) authenticate(r *http.Request, _ rest.Route) (rest.Caller, error) {
	if r.Header.Get("Authorization") == "" {
		return s.bySession(r)
	}
	var candidates []string
	if user, password, ok := r.BasicAuth(); ok {
		candidates = []string{user, password}
	} else if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		candidates = []string{strings.TrimSpace(token)}
	}
	for _, c := range candidates {
		if c == "" {
			continue
		}
		who, err := s.Auth.Identify(r.Context(), tidemark.Secret(c))
		if err == nil || tidemark.KindOf(err) != tidemark.Unauthenticated {
			return rest.Caller{Identity: who}, err
		}
	}
	return rest.Caller{Ends: endOf(candidates)}, rest.ErrUnauthenticated
}

// minTold is how long a credential has to be for its end to be told: of
// anything shorter, four characters would be too much.
const minTold = 16

// protocolOf names how measurements were sent.
func protocolOf(r *http.Request) string {
	if r.URL.Path == "/v1/metrics" {
		return "Librato metrics"
	}
	return "measurements"
}

// endOf is the end of what was sent as a token: the last four characters of
// the longest, and never more.
func endOf(candidates []string) string {
	longest := slices.MaxFunc(append(candidates, ""), func(a, b string) int { return len(a) - len(b) })
	if len(longest) < minTold {
		return ""
	}
	return strings.ToValidUTF8(tidemark.Secret(longest).Last4(), "?")
}

// bySession finds out who sent r by the browser's session. Requests that
// another site's page makes the browser send are refused, whatever cookie
// comes along.
func (s *Server) bySession(r *http.Request) (c rest.Caller, err error) {
	cookie, err := r.Cookie(rest.CookieName)
	if err != nil || cookie.Value == "" {
		return c, rest.ErrUnauthenticated
	}
	if err := s.SameSite(r); err != nil {
		return c, err
	}
	c.Identity, c.Fresh, err = s.Auth.IdentifySession(r.Context(), tidemark.Secret(cookie.Value))
	return c, err
}
