// Package api is the HTTP door: it puts the tables of v1, legacy, uiapi and
// doors together, finds out who sent a request, and counts what tokens are used for.
package api

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/doors"
	"github.com/tidemark-metrics/tidemark/internal/api/legacy"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi"
	v1 "github.com/tidemark-metrics/tidemark/internal/api/v1"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Server answers the API. It is an http.Handler.
type Server struct {
	*shared.Base
	*rest.Server
	ui       *uiapi.API
	nouns    map[string]string // what each route is about
	requests requestRates
}

// New returns a Server.
func New(o shared.Options) *Server {
	s := newServer(shared.New(o))
	s.serve(s.table(), s.identify)
	return s
}

// OTLP answers OpenTelemetry's exporters that speak gRPC.
func (s *Server) OTLP() http.Handler {
	return doors.New(s.Base).GRPC(s.authenticate, s.count)
}

// HoldAnswer begins a holding of the memory of queries for an answer to who sent
// r, which is put together outside of the table.
func (s *Server) HoldAnswer(r *http.Request) (*query.Holding, error) {
	who, err := s.authenticate(r, rest.Route{})
	if err != nil {
		return nil, err
	}
	return s.Querier.HoldAnswer(r.Context(), who.Org), nil
}

func newServer(b *shared.Base) *Server { return &Server{Base: b, ui: uiapi.New(b)} }

// table is the whole API.
func (s *Server) table() []rest.Route {
	return slices.Concat(v1.New(s.Base).Routes(), legacy.New(s.Base).Routes(), s.ui.Routes(), doors.New(s.Base).Routes(), []rest.Route{s.streamsRoute()})
}

// serve makes table what s answers.
func (s *Server) serve(table []rest.Route, identify func(*http.Request, rest.Route) (rest.Caller, error)) {
	s.nouns = make(map[string]string, len(table))
	for _, rt := range table {
		if s.nouns[rt.Pattern] = nounOf(rt.Pattern); rt.Protocol != "" {
			s.nouns[rt.Pattern] = "measurements"
		}
	}
	s.Server = rest.New(rest.Config{Site: s.Options.Site, Table: table, Identify: identify, Answered: s.count})
}

// count counts a request for those who look after tokens.
func (s *Server) count(r *http.Request, rt rest.Route, who rest.Caller, rep rest.Reply, err error) {
	if rt.People {
		return
	}
	s.Usage.Note(usage.Request{
		Who: who.Identity, UserAgent: r.UserAgent(), RemoteHost: s.Address(r), Method: r.Method, Path: r.URL.Path, Protocol: protocolOf(r, rt),
		Status: rest.StatusOf(rep, err), Reason: rest.ReasonOf(err), Measurements: rep.Recorded, Sample: rep.Sample,
		Action: rt.Action, Noun: cmp.Or(s.nouns[rt.Pattern], "measurements"), TokenEnds: who.Ends,
	})
}

// identify finds out who sent r, and whether they may make a request now.
func (s *Server) identify(r *http.Request, rt rest.Route) (rest.Caller, error) {
	who, err := s.authenticate(r, rt)
	if err == nil {
		err = s.limitRequests(who)
	}
	return who, err
}

// authenticate finds out who sent r: by a token in either field of Basic
// credentials, since clients disagree about which, or as a Bearer; where there
// is none, by the session of a browser.
func (s *Server) authenticate(r *http.Request, rt rest.Route) (rest.Caller, error) {
	var candidates []string
	if rt.Tokens != nil {
		candidates = rt.Tokens(r)
	}
	if len(candidates) == 0 && r.Header.Get("Authorization") == "" {
		return s.bySession(r, rt)
	}
	if user, password, ok := r.BasicAuth(); ok {
		candidates = append(candidates, user, password)
	} else if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		candidates = append(candidates, strings.TrimSpace(token))
	}
	for _, c := range candidates {
		if c == "" {
			continue
		}
		who, err := s.Auth.Identify(r.Context(), tidemark.Secret(c), s.Base.Address(r))
		if err == nil || tidemark.KindOf(err) != tidemark.Unauthenticated {
			return rest.Caller{Identity: who}, cmp.Or(err, s.TokenFits(r, who))
		}
	}
	return rest.Caller{Ends: endOf(candidates)}, rest.ErrUnauthenticated
}

var errWhichOrg = tidemark.Errorf(tidemark.Invalid, "You belong to several organizations: say which, as in /o/7/v1/alerts.")

// bySession is BySession for a route that may be about one organization: then
// the address says about which, if there are several.
func (s *Server) bySession(r *http.Request, rt rest.Route) (rest.Caller, error) {
	who, err := s.BySession(r)
	if _, named := rest.NamedOrg(r); err != nil || named || rt.Scope != rest.OneOrg {
		return who, err
	}
	places, err := s.Store.MembershipsOf(r.Context(), who.User)
	if err == nil && len(places) > 1 {
		err = errWhichOrg
	}
	return who, err
}

// minShownEnd is how long a credential has to be for its end to be shown: of
// anything shorter, four characters would be too much.
const minShownEnd = 16

// protocolOf names how measurements were sent.
func protocolOf(r *http.Request, rt rest.Route) string {
	if r.URL.Path == "/v1/metrics" {
		return "Librato metrics"
	}
	return cmp.Or(rt.Protocol, "measurements")
}

// endOf is the end of what was sent as a token: the last four characters of
// the longest, and never more.
func endOf(candidates []string) string {
	longest := slices.MaxFunc(append(candidates, ""), func(a, b string) int { return len(a) - len(b) })
	if len(longest) < minShownEnd {
		return ""
	}
	return strings.ToValidUTF8(tidemark.Secret(longest).Last4(), "?")
}
