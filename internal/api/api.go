// Package api is the HTTP door: it turns requests into calls of the rooms
// below and what they return into answers. The whole API is the table in
// routes.go; endpoints return what to say and never touch a ResponseWriter.
package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
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
	Store    *store.Store
	Auth     *auth.Authenticator
	Recorder *ingest.Recorder
	Querier  *query.Querier
	Engine   tsdb.Reader
	Usage    *usage.Tracker
	Logger   *slog.Logger
	Now      func() time.Time // time.Now where nil
	// PublicURL is how clients reach the server ("https://host"); where
	// empty, links are made from what each request says.
	PublicURL string
	// TrustedProxies are believed about where requests come from.
	TrustedProxies []netip.Prefix
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
	mux      *http.ServeMux
	table    []route
	observed *observed
	nouns    map[string]string // what each route is about
	identify func(*http.Request) (caller, error)
	bodies   bodies
	writers  *sync.Pool // of *jsonout.Writer
	firewall *http.CrossOriginProtection
	watching *atomic.Int64 // pages that hear how many alerts fire
	gaps     *gaps
	// untrusted warns once of a proxy that the settings do not name.
	untrusted *sync.Once
}

// New returns a Server.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.AnswerPoints = cmp.Or(o.AnswerPoints, answerPoints)
	s := &Server{Options: o, bodies: newBodies(), writers: new(sync.Pool), firewall: http.NewCrossOriginProtection(), watching: new(atomic.Int64), gaps: &gaps{limit: gapsTime}, untrusted: new(sync.Once)}
	s.identify = s.authenticate
	s.serve(append(s.routes(), s.interfaceRoutes()...))
	return s
}

// serve makes table what s answers.
func (s *Server) serve(table []route) {
	s.mux, s.table, s.observed, s.nouns = http.NewServeMux(), table, newObserved(table), make(map[string]string, len(table))
	for _, rt := range table {
		s.nouns[rt.pattern] = nounOf(rt.pattern)
		s.mux.Handle(strings.Join(strings.Fields(rt.pattern), " "), s.handler(rt))
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	a := &answer{ResponseWriter: w, id: requestID()}
	w.Header().Set("X-Request-Id", a.id)
	defer func() {
		if p := recover(); p != nil && p != any(http.ErrAbortHandler) {
			s.fail(a, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
		s.observed.add(a.route, a.status, time.Since(start))
	}()
	r = withoutOldRoot(withoutTrailingSlash(OneSlash(r)))
	_, pattern := s.mux.Handler(r)
	switch {
	case path.Clean(r.URL.Path) != r.URL.Path:
		// The mux would answer with a redirect, which clients do not follow.
		s.fail(a, r, errNotFound)
	case pattern == "":
		s.fail(a, r, s.unrouted(r))
	default:
		a.route = pattern
		s.mux.ServeHTTP(a, r)
	}
}

var (
	errNotFound         = tidemark.Errorf(tidemark.NotFound, "Not Found")
	errMethodNotAllowed = &wireError{status: http.StatusMethodNotAllowed, body: requestErrors("Method Not Allowed"), says: "Method Not Allowed"}
)

// unrouted tells a path that does not exist from a method it does not take.
func (s *Server) unrouted(r *http.Request) error {
	for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
		other := *r
		other.Method = method
		if _, pattern := s.mux.Handler(&other); pattern != "" {
			return errMethodNotAllowed
		}
	}
	return errNotFound
}

// OneSlash returns r with every run of slashes in its path as one: some
// clients join a base address that ends in one to a path that begins with one.
// A mux would redirect them, and they take that for success.
func OneSlash(r *http.Request) *http.Request {
	escaped := r.URL.EscapedPath()
	if !strings.Contains(escaped, "//") {
		return r
	}
	for strings.Contains(escaped, "//") {
		escaped = strings.ReplaceAll(escaped, "//", "/")
	}
	path, _ := url.PathUnescape(escaped) // it came from a path that was unescaped
	return withPath(r, path, escaped)
}

// withPath returns r with another path.
func withPath(r *http.Request, path, raw string) *http.Request {
	r2, u := *r, *r.URL
	u.Path, u.RawPath = path, raw
	r2.URL = &u
	return &r2
}

// OldRoot is where the old service's own pages had the API besides /v1; some
// clients still look for it there.
const OldRoot = "/metrics-api"

// withoutOldRoot makes /metrics-api/v1/metrics mean /v1/metrics.
func withoutOldRoot(r *http.Request) *http.Request {
	if !strings.HasPrefix(r.URL.Path, OldRoot+"/v1/") {
		return r
	}
	return withPath(r, strings.TrimPrefix(r.URL.Path, OldRoot), strings.TrimPrefix(r.URL.RawPath, OldRoot))
}

// withoutTrailingSlash makes /v1/measurements/ mean /v1/measurements, which
// two clients really send; a redirect would lose the bodies of others.
func withoutTrailingSlash(r *http.Request) *http.Request {
	if len(r.URL.Path) < 2 || !strings.HasSuffix(r.URL.Path, "/") {
		return r
	}
	return withPath(r, strings.TrimSuffix(r.URL.Path, "/"), strings.TrimSuffix(r.URL.RawPath, "/"))
}

// handler is what every route does before and after its endpoint.
func (s *Server) handler(rt route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rep, fresh, err := s.answer(rt, r)
		if fresh != "" {
			// Whatever the answer is: the browser needs it for the next request.
			// An answer with a cookie of its own replaces it.
			w.Header().Set("Set-Cookie", s.sessionCookie(r, fresh))
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.write(w, r, rep)
	}
}

// answer also returns the new secret of the session that r came with, where
// that was due to be replaced.
func (s *Server) answer(rt route, r *http.Request) (reply, tidemark.Secret, error) {
	if rt.action == anyone {
		if err := s.sameSite(r); err != nil {
			return reply{}, "", err
		}
		rep, err := rt.do(r, tidemark.Identity{})
		return rep, "", err
	}
	who, err := s.identify(r)
	var rep reply
	if err == nil {
		rep, err = s.permit(rt, r, who)
	}
	if !rt.forPeople() {
		s.Usage.Note(usage.Request{
			Who: who.Identity, UserAgent: r.UserAgent(), RemoteHost: s.address(r), Method: r.Method, Path: r.URL.Path, Protocol: protocolOf(r),
			Status: statusOf(rep, err), Reason: reasonOf(err), Measurements: rep.recorded, Sample: rep.sample,
			Action: rt.action, Noun: s.nouns[rt.pattern], TokenEnds: who.ends,
		})
	}
	return rep, who.fresh, err
}

// permit does what r asks for if who may.
func (s *Server) permit(rt route, r *http.Request, who caller) (reply, error) {
	if rt.forPeople() && who.User == 0 {
		return reply{}, errUnauthenticated
	}
	if !who.Role.Allows(rt.action) {
		return reply{}, forbidden(who.Identity)
	}
	return rt.do(r, who.Identity)
}

var (
	errForbidden       = tidemark.Errorf(tidemark.Forbidden, "This token is not permitted to perform this action on this resource")
	errForbiddenMember = tidemark.Errorf(tidemark.Forbidden, "Your role does not allow this. Ask an Admin.")
)

func forbidden(who tidemark.Identity) error {
	if who.User != 0 {
		return errForbiddenMember
	}
	return errForbidden
}

// authenticate finds out who sent r: by a token in either field of Basic
// credentials, since clients disagree about which, or as a Bearer; where there
// is none, by the session of a browser.
func (s *Server) authenticate(r *http.Request) (caller, error) {
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
			return caller{Identity: who}, err
		}
	}
	return caller{ends: endOf(candidates)}, errUnauthenticated
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

var errUnauthenticated = tidemark.Errorf(tidemark.Unauthenticated, "Authorization Required")

// baseURL is the beginning of absolute links in the answer to r. Without a
// public URL it is what the client says, so that no link that others get may
// begin with it.
func (s *Server) baseURL(r *http.Request) string {
	if s.PublicURL != "" {
		return strings.TrimSuffix(s.PublicURL, "/")
	}
	scheme := "http"
	if s.isHTTPS(r) {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// isCancelled reports whether err only says that the caller went away.
func isCancelled(r *http.Request, err error) bool {
	return errors.Is(err, context.Canceled) && r.Context().Err() != nil
}
