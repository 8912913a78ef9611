package rest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// service is a Server for tests, and what it logged and told of its answers.
type service struct {
	*rest.Server
	log      bytes.Buffer
	answered []string
}

// newService serves a table to one caller; err is of finding out who that is.
func newService(who rest.Caller, err error, table ...rest.Route) *service {
	s := &service{}
	s.Server = rest.New(rest.Config{
		Site: &rest.Site{Logger: slog.New(slog.NewTextHandler(&s.log, nil))}, Table: table,
		Identify: func(*http.Request, rest.Route) (rest.Caller, error) { return who, err },
		Answered: func(_ *http.Request, rt rest.Route, _ rest.Caller, rep rest.Reply, err error) {
			s.answered = append(s.answered, fmt.Sprintf("%s %d", rt.Name(), rest.StatusOf(rep, err)))
		},
	})
	return s
}

// admin is a token that may do everything.
var admin = rest.Caller{Identity: tidemark.Identity{Org: 1, Role: tidemark.FullAccess, Token: 1, Name: "t"}}

func (s *service) ask(method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// says is an endpoint that answers with a text.
func says(text string) rest.Endpoint {
	return func(*http.Request, tidemark.Identity) (rest.Reply, error) { return rest.OK(text), nil }
}

// fails is an endpoint that fails.
func fails(err error) rest.Endpoint {
	return func(*http.Request, tidemark.Identity) (rest.Reply, error) { return rest.Reply{}, err }
}

// TestRouting: a path has one row for each method, however clients write it;
// what is in no row is 404, and what is in one for other methods 405. No path
// is answered with a redirect.
func TestRouting(t *testing.T) {
	t.Parallel()
	s := newService(admin, nil,
		rest.On("GET    /v1/metrics", tidemark.View, says("list")), rest.On("POST /v1/metrics", tidemark.Edit, says("made")),
		rest.On("GET    /v1/metrics/{name}", tidemark.View, says("one")), rest.On("DELETE /v1/only/{id}", tidemark.Edit, says("gone")))
	for _, c := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/v1/metrics", 200, `"list"`}, {"POST", "/v1/metrics", 200, `"made"`}, {"GET", "/v1/metrics/cpu", 200, `"one"`},
		{"GET", "//v1//metrics/", 200, `"list"`}, {"GET", "/metrics-api/v1/metrics", 200, `"list"`}, {"GET", "/o/7/v1/metrics/cpu", 200, `"one"`},
		{"GET", "/v1/metrics/a%2Fb", 200, `"one"`}, {"HEAD", "/v1/metrics", 200, `"list"`},
		{"PUT", "/v1/metrics", 405, `{"errors":{"request":["Method Not Allowed"]}}`}, {"PATCH", "/v1/metrics/cpu", 405, `{"errors":{"request":["Method Not Allowed"]}}`},
		{"GET", "/v1/only/5", 405, `{"errors":{"request":["Method Not Allowed"]}}`},
		{"GET", "/v1/nothing", 404, `{"errors":{"request":["Not Found"]}}`}, {"GET", "/v1/metrics/../alerts", 404, `{"errors":{"request":["Not Found"]}}`},
		{"GET", "/v1/./metrics", 404, `{"errors":{"request":["Not Found"]}}`}, {"GET", "/o/7/elsewhere", 404, `{"errors":{"request":["Not Found"]}}`},
	} {
		w := s.ask(c.method, c.path)
		if w.Code != c.status || w.Body.String() != c.body {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.path, w.Code, w.Body, c.status, c.body)
		}
	}
	for path, want := range map[string]string{"/v1/metrics": "GET, HEAD, POST", "/v1/metrics/cpu": "GET, HEAD", "/v1/only/5": "DELETE", "/v1/nothing": ""} {
		if got := s.ask("PATCH", path).Header().Get("Allow"); got != want {
			t.Errorf("%s allows %q, want %q", path, got, want)
		}
	}
	if got := s.Match(httptest.NewRequest("GET", "/o/7/v1/metrics/cpu/", nil)); got != "GET /v1/metrics/{name}" {
		t.Errorf("the route is %q", got)
	}
	if got := s.Match(httptest.NewRequest("PUT", "/v1/metrics", nil)); got != "" {
		t.Errorf("no route is %q", got)
	}
}

// TestHeadersOfAnswers: no answer is kept by proxies or taken for another kind
// of content, and each has an id of its own.
func TestHeadersOfAnswers(t *testing.T) {
	t.Parallel()
	s := newService(admin, nil, rest.On("GET /v1/a", tidemark.View, says("a")), rest.On("GET /v1/b", tidemark.View, fails(rest.ErrNotFound)))
	ids := make(map[string]bool)
	for _, path := range []string{"/v1/a", "/v1/b", "/v1/nowhere", "/v1/../a"} {
		h := s.ask("GET", path).Header()
		id := h.Get("X-Request-Id")
		if len(id) != 16 || ids[id] || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Type") != rest.ContentJSON {
			t.Errorf("%s: %v", path, h)
		}
		ids[id] = true
	}
}

// TestWhoMay: each row is for those whose role allows its action; tokens with a
// scope send, or read metrics, and do nothing else, people without a demanded second factor
// set one up, and what is for operators is not there for others.
func TestWhoMay(t *testing.T) {
	t.Parallel()
	view, edit := rest.On("GET /v1/a", tidemark.View, says("done")), rest.On("GET /v1/a", tidemark.Edit, says("done"))
	token := func(role tidemark.Role) tidemark.Identity { return tidemark.Identity{Org: 1, Role: role, Token: 1} }
	person := func(change func(*tidemark.Identity)) tidemark.Identity {
		who := tidemark.Identity{Org: 1, Role: tidemark.FullAccess, User: 1, Session: 1}
		change(&who)
		return who
	}
	scoped := token(tidemark.RecordOnly)
	scoped.Scope = &tidemark.TokenScope{}
	reader := token(tidemark.ViewOnly)
	reader.Scope = &tidemark.TokenScope{}
	plain := person(func(*tidemark.Identity) {})
	enrol := person(func(w *tidemark.Identity) { w.MustEnrol = true })
	for _, c := range []struct {
		name  string
		route rest.Route
		who   tidemark.Identity
		want  string
	}{
		{"admin", edit, token(tidemark.FullAccess), `200 "done"`},
		{"viewer reads", view, token(tidemark.ViewOnly), `200 "done"`},
		{"viewer edits", edit, token(tidemark.ViewOnly), `403 {"errors":{"request":["This token is not permitted to perform this action on this resource"]}}`},
		{"viewing person edits", edit, person(func(w *tidemark.Identity) { w.Role = tidemark.ViewOnly }), `403 {"errors":{"request":["Your role does not allow this. Ask an Admin."]}}`},
		{"no role", view, tidemark.Identity{Org: 1, Token: 1}, `403 {"errors":{"request":["This token is not permitted to perform this action on this resource"]}}`},
		{"scope sends", rest.On("GET /v1/a", tidemark.Record, says("done")).Measures(), scoped, `200 "done"`},
		{"scope does another thing", rest.On("GET /v1/a", tidemark.Record, says("done")), scoped, `403 {"errors":{"request":["This token has a scope: it can send measurements and do nothing else"]}}`},
		{"scope of a sender at what reads", rest.On("GET /v1/a", tidemark.ViewMetrics, says("done")).ReadsMetrics(), scoped, `403 {"errors":{"request":["This token has a scope: it can send measurements and do nothing else"]}}`},
		{"scope reads", view.ReadsMetrics(), reader, `200 "done"`},
		{"scope reads another thing", view, reader, `403 {"errors":{"request":["This token has a scope: it can read the metrics and measurements in it and do nothing else"]}}`},
		{"scope of a reader at what sends", view.Measures(), reader, `403 {"errors":{"request":["This token has a scope: it can read the metrics and measurements in it and do nothing else"]}}`},
		{"token at a page", rest.ForPeople([]rest.Route{view})[0], token(tidemark.FullAccess), `401 {"errors":{"request":["Authorization Required"]}}`},
		{"person at a page", rest.ForPeople([]rest.Route{view})[0], plain, `200 "done"`},
		{"must enrol", view, enrol, `403 {"code":"second_factor_required","errors":{"request":["This organization demands a second factor. Set one up under Settings, Security."]}}`},
		{"must enrol, about themselves", view.About(rest.OnePerson), enrol, `200 "done"`},
		{"no operator", view.About(rest.WholeServer), plain, `404 {"errors":{"request":["Not Found"]}}`},
		{"operator", view.About(rest.WholeServer), person(func(w *tidemark.Identity) { w.Operator = true }), `200 "done"`},
		{"not recent", edit.Recent(), plain, `403 {"code":"prove_again","errors":{"request":["Prove again that it is you: the last time was more than 10 minutes ago."]}}`},
		{"recent", edit.Recent(), person(func(w *tidemark.Identity) { w.Recent = true }), `200 "done"`},
		{"a program cannot be asked", edit.Recent(), token(tidemark.FullAccess), `200 "done"`},
	} {
		s := newService(rest.Caller{Identity: c.who}, nil, c.route)
		w := s.ask("GET", "/v1/a")
		if got := fmt.Sprintf("%d %s", w.Code, w.Body); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if len(s.answered) != 1 || s.answered[0] != fmt.Sprintf("GET /v1/a %d", w.Code) {
			t.Errorf("%s was told as %v", c.name, s.answered)
		}
	}
}

// TestUnknownCallers: who cannot be identified is refused, challenged, and told
// to those who watch.
func TestUnknownCallers(t *testing.T) {
	t.Parallel()
	s := newService(rest.Caller{}, rest.ErrUnauthenticated, rest.On("GET /v1/a", tidemark.View, says("secret")))
	w := s.ask("GET", "/v1/a")
	if w.Code != 401 || strings.Contains(w.Body.String(), "secret") || w.Header().Get("WWW-Authenticate") != `Basic realm="Tidemark"` {
		t.Errorf("%d %s, %v", w.Code, w.Body, w.Header())
	}
	if len(s.answered) != 1 || s.answered[0] != "GET /v1/a 401" {
		t.Errorf("told as %v", s.answered)
	}
}

// TestAnyone: rows for anyone ask nobody who they are, and take no request that
// another site makes a browser send.
func TestAnyone(t *testing.T) {
	t.Parallel()
	s := newService(rest.Caller{}, errors.New("nobody asks"), rest.On("POST /ui/api/session", rest.Anyone, says("welcome")))
	if w := s.ask("POST", "/ui/api/session"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w := s.ask("POST", "/ui/api/session", "Sec-Fetch-Site", "cross-site")
	if want := `{"errors":{"request":["This request comes from another site."]}}`; w.Code != 403 || w.Body.String() != want {
		t.Errorf("from another site: %d %s", w.Code, w.Body)
	}
	if len(s.answered) != 0 {
		t.Errorf("told as %v", s.answered)
	}
}

// TestFreshSecrets: a session's new secret goes back with whatever answer there
// is, unless that has a cookie of its own.
func TestFreshSecrets(t *testing.T) {
	t.Parallel()
	who := admin
	who.Fresh = "fresh"
	own := func(*http.Request, tidemark.Identity) (rest.Reply, error) {
		return rest.Reply{Status: 204, Header: map[string]string{"Set-Cookie": "own"}}, nil
	}
	s := newService(who, nil, rest.On("GET /a", tidemark.View, says("a")), rest.On("GET /b", tidemark.View, fails(rest.ErrNotFound)), rest.On("GET /c", tidemark.View, own))
	for path, want := range map[string]string{"/a": "tidemark_session=fresh", "/b": "tidemark_session=fresh", "/c": "own"} {
		got := s.ask("GET", path).Header().Values("Set-Cookie")
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %v, want %s", path, got, want)
		}
	}
}

// TestOurFaults: what is our own fault is logged with the id of the request, and
// the client learns that id alone; a key in the path is not logged.
func TestOurFaults(t *testing.T) {
	t.Parallel()
	boom := func(*http.Request, tidemark.Identity) (rest.Reply, error) { panic("boom") }
	s := newService(admin, nil,
		rest.On("GET /v1/failed", tidemark.View, fails(fmt.Errorf("read: %w", io.ErrClosedPipe))), rest.On("GET /v1/panics", tidemark.View, boom),
		rest.On("GET /ui/api/shared/{key}", tidemark.View, fails(io.ErrClosedPipe)), rest.On("GET /v1/refused", tidemark.View, fails(rest.ErrNotFound)))
	for path, logged := range map[string]string{"/v1/failed": io.ErrClosedPipe.Error(), "/v1/panics": "panic: boom", "/ui/api/shared/topsecret": "/ui/api/shared/{key}"} {
		s.log.Reset()
		w := s.ask("GET", path)
		id := w.Header().Get("X-Request-Id")
		if want := `{"errors":{"request":["internal error (request ` + id + `)"]}}`; w.Code != 500 || w.Body.String() != want {
			t.Errorf("%s: %d %s, want %s", path, w.Code, w.Body, want)
		}
		if log := s.log.String(); !strings.Contains(log, logged) || !strings.Contains(log, id) || strings.Contains(log, "topsecret") {
			t.Errorf("%s is logged as %s", path, log)
		}
	}
	s.log.Reset()
	if s.ask("GET", "/v1/refused"); s.log.Len() != 0 {
		t.Errorf("what is not our fault is logged: %s", &s.log)
	}
}

// TestShapedErrors: a row with a shape of its own gives it to every refusal,
// those before its endpoint included.
func TestShapedErrors(t *testing.T) {
	t.Parallel()
	rt := rest.On("POST /write", tidemark.Record, says("written"))
	rt.Shape = func(_ *http.Request, err error) error {
		return &rest.WireError{Status: 418, Kind: "text/plain", Text: []byte("no: " + rest.ReasonOf(err)), Header: map[string]string{"X-Why": "role"}}
	}
	s := newService(rest.Caller{Identity: tidemark.Identity{Org: 1, Role: tidemark.ViewOnly, Token: 1}}, nil, rt)
	w := s.ask("POST", "/write")
	if w.Code != 418 || !strings.HasPrefix(w.Body.String(), "no: This token is not permitted") || w.Header().Get("X-Why") != "role" || w.Header().Get("Content-Type") != "text/plain" {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
	if len(s.answered) != 1 || s.answered[0] != "POST /write 403" {
		t.Errorf("told as %v: what people see is the refusal, not its shape", s.answered)
	}
}
