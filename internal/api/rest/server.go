// Package rest is what every endpoint of the API has in common: routes,
// reading of bodies and pages, the shapes that most answers have, and the one
// place where errors become responses. Endpoints return what to say and never
// touch a ResponseWriter.
package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Config is what a Server works with.
type Config struct {
	Site  *Site
	Table []Route
	// Identify finds out who sent a request to a route.
	Identify func(*http.Request, Route) (Caller, error)
	// Answered is called with the outcome of every request but those that
	// anyone may make.
	Answered func(*http.Request, Route, Caller, Reply, error)
}

// Server serves a table of routes. It is an http.Handler.
type Server struct {
	Config
	mux      *http.ServeMux
	observed *observed
}

// New returns a Server.
func New(c Config) *Server {
	s := &Server{Config: c, mux: http.NewServeMux(), observed: newObserved(c.Table)}
	for _, rt := range c.Table {
		s.mux.Handle(rt.Name(), s.handler(rt))
	}
	return s
}

// Match returns the name of the route that answers r; "" if none does.
func (s *Server) Match(r *http.Request) string { return s.match(canonical(r)) }

// match is Match for a request whose path is canonical already.
func (s *Server) match(r *http.Request) string {
	_, pattern := s.mux.Handler(r)
	return pattern
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	a := &answer{ResponseWriter: w, id: requestID()}
	w.Header().Set("X-Request-Id", a.id)
	// Answers are about people, tokens and secrets: no proxy keeps
	// them, and no browser takes them for anything else.
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	defer func() {
		p := recover()
		if p != nil && p != any(http.ErrAbortHandler) {
			s.fail(a, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
		s.observed.add(a.route, a.status, time.Since(start))
		if p == any(http.ErrAbortHandler) {
			panic(p) // the connection is cut: an answer that broke off must not look whole
		}
	}()
	// What was begun for the request ends with it.
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	r = canonical(r.WithContext(ctx))
	pattern := s.match(r)
	switch {
	case path.Clean(r.URL.Path) != r.URL.Path:
		// The mux would answer with a redirect, which clients do not follow.
		s.fail(a, r, ErrNotFound)
	case pattern == "":
		s.fail(a, r, s.unrouted(r))
	default:
		a.route = pattern
		s.mux.ServeHTTP(a, r)
	}
}

// ErrNotFound is the answer where there is nothing.
var ErrNotFound = tidemark.Errorf(tidemark.NotFound, "Not Found")

// methodNotAllowed says which methods a path takes.
func methodNotAllowed(allowed []string) error {
	const says = "Method Not Allowed"
	return &WireError{Status: http.StatusMethodNotAllowed, Body: requestErrors(says), Says: says, Header: map[string]string{"Allow": strings.Join(allowed, ", ")}}
}

// unrouted tells a path that does not exist from a method it does not take.
func (s *Server) unrouted(r *http.Request) error {
	var allowed []string
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE"} {
		other := *r
		other.Method = method
		if s.match(&other) != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		return ErrNotFound
	}
	return methodNotAllowed(allowed)
}

// handler is what every route does before and after its endpoint.
func (s *Server) handler(rt Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer Done(r)
		rep, fresh, err := s.answer(rt, r)
		if a, ok := w.(*answer); ok {
			a.body, _ = r.Body.(*sizedBody)
		}
		if fresh != "" {
			// Whatever the answer is: the browser needs it for the next request.
			// An answer with a cookie of its own replaces it.
			w.Header().Set("Set-Cookie", s.Site.sessionCookie(r, fresh))
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.write(w, r, rep)
	}
}

// Caller is who sent a request. Fresh is a session's new secret, where it was
// due to be replaced: it has to go back with the answer.
// Ends is the end of an unknown token, by which people find it.
type Caller struct {
	tidemark.Identity
	Fresh tidemark.Secret
	Ends  string
}

// answer also returns the new secret of the session that r came with, where
// that was due to be replaced.
func (s *Server) answer(rt Route, r *http.Request) (Reply, tidemark.Secret, error) {
	if rt.Action == Anyone {
		if err := s.Site.SameSite(r); err != nil {
			return Reply{}, "", err
		}
		rep, err := rt.do(r, tidemark.Identity{})
		return rep, "", err
	}
	who, err := s.Identify(r, rt)
	who.Address = s.Site.Address(r)
	var rep Reply
	if err == nil {
		rep, err = s.permit(rt, r, who)
	}
	s.Answered(r, rt, who, rep, err)
	if err != nil && rt.Shape != nil {
		err = rt.Shape(r, err)
	}
	return rep, who.Fresh, err
}

// permit does what r asks for if who may.
func (s *Server) permit(rt Route, r *http.Request, who Caller) (Reply, error) {
	if rt.People && who.User == 0 {
		return Reply{}, ErrUnauthenticated
	}
	if !who.Role.Allows(rt.Action) {
		return Reply{}, forbidden(who.Identity)
	}
	if err := checkScope(rt, who.Identity); err != nil {
		return Reply{}, err
	}
	if who.MustEnrol && rt.Scope != OnePerson {
		return Reply{}, errMustEnrol
	}
	if rt.Scope == WholeServer && who.User != 0 && !who.Operator {
		return Reply{}, ErrNotFound // no word on what there is for operators
	}
	if rt.Proof && who.User != 0 && !who.Recent {
		return Reply{}, ErrProveAgain
	}
	if err := s.Site.Hold(r, who.Org); err != nil {
		return Reply{}, err
	}
	defer shrink(r) // the answer may take long to be read
	if who.Scope != nil && rt.Reads {
		r = r.WithContext(tsdb.WithScope(r.Context(), &tsdb.Scope{TokenScope: *who.Scope, Token: who.Name}))
	}
	return rt.do(r, who.Identity)
}

// checkScope refuses a token with a scope wherever its scope has no meaning.
func checkScope(rt Route, who tidemark.Identity) error {
	switch {
	case who.Scope == nil:
		return nil
	case who.Role == tidemark.ViewOnly && !rt.Reads:
		return errScopeReads
	case who.Role != tidemark.ViewOnly && !rt.Sends:
		return errScopeSends
	}
	return nil
}

var (
	errForbidden       = tidemark.Errorf(tidemark.Forbidden, "This token is not permitted to perform this action on this resource")
	errScopeSends      = tidemark.Errorf(tidemark.Forbidden, "This token has a scope: it can send measurements and do nothing else")
	errScopeReads      = tidemark.Errorf(tidemark.Forbidden, "This token has a scope: it can read the metrics and measurements in it and do nothing else")
	errMustEnrol       = &tidemark.Error{Kind: tidemark.Forbidden, Code: "second_factor_required", Msg: "This organization demands a second factor. Set one up under Settings, Security."}
	ErrProveAgain      = &tidemark.Error{Kind: tidemark.Forbidden, Code: "prove_again", Msg: "Prove again that it is you: the last time was more than 10 minutes ago."}
	ErrForbiddenMember = tidemark.Errorf(tidemark.Forbidden, "Your role does not allow this. Ask an Admin.")
)

func forbidden(who tidemark.Identity) error {
	if who.User != 0 {
		return ErrForbiddenMember
	}
	return errForbidden
}

// ErrUnauthenticated is the refusal of unknown credentials.
var ErrUnauthenticated = tidemark.Errorf(tidemark.Unauthenticated, "Authorization Required")

// isCancelled reports whether err only says that the caller went away.
func isCancelled(r *http.Request, err error) bool {
	return errors.Is(err, context.Canceled) && r.Context().Err() != nil
}
