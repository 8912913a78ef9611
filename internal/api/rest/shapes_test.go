package rest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// TestKeysInPaths: what a segment of the path names is found, and one that
// cannot name anything names nothing.
func TestKeysInPaths(t *testing.T) {
	t.Parallel()
	type values = map[string]string
	long := strings.Repeat("x", tidemark.MaxName)
	const none = "404 Not Found"
	for _, c := range []struct {
		name string
		find func(values) (any, error)
		in   values
		want string
	}{
		{"id", found(rest.ByID), values{"id": "7"}, "7"}, {"zero", found(rest.ByID), values{"id": "0"}, none}, {"negative", found(rest.ByID), values{"id": "-7"}, none},
		{"a word", found(rest.ByID), values{"id": "seven"}, none}, {"a fraction", found(rest.ByID), values{"id": "7.0"}, none}, {"too long", found(rest.ByID), values{"id": "9223372036854775808"}, none},
		{"the longest", found(rest.ByID), values{"id": "9223372036854775807"}, "9223372036854775807"}, {"no id", found(rest.ByID), values{}, none},
		{"space", found(rest.BySpace), values{"space": "3", "id": "7"}, "3"},
		{"name", found(rest.ByName), values{"name": "cpu.load"}, "cpu.load"}, {"longest name", found(rest.ByName), values{"name": long}, long},
		{"name too long", found(rest.ByName), values{"name": long + "x"}, none}, {"name with a slash", found(rest.ByName), values{"name": "a/b"}, none}, {"no name", found(rest.ByName), values{}, none},
		{"new name", found(rest.ByNewName), values{"name": "cpu"}, "cpu"},
		{"wrong new name", found(rest.ByNewName), values{"name": "c p u"}, "400 invalid parameters; name must be 1 to 255 letters, digits and . : - _"},
		{"chart", found(rest.ByChart), values{"space": "3", "id": "7"}, "{3 7}"}, {"chart of no space", found(rest.ByChart), values{"space": "x", "id": "7"}, none}, {"no chart", found(rest.ByChart), values{"space": "3", "id": "x"}, none},
		{"event", found(rest.ByEvent), values{"name": "deploys", "id": "7"}, "{deploys 7}"}, {"event of no stream", found(rest.ByEvent), values{"name": "", "id": "7"}, none},
		{"link", found(rest.ByLink), values{"name": "deploys", "id": "7", "rel": "commit ü"}, "{{deploys 7} commit ü}"},
		{"link that is no text", found(rest.ByLink), values{"name": "deploys", "id": "7", "rel": "\xff"}, none}, {"link with a zero", found(rest.ByLink), values{"name": "deploys", "id": "7", "rel": "a\x00"}, none},
		{"link of no event", found(rest.ByLink), values{"name": "deploys", "id": "x", "rel": "a"}, none},
		{"attachment", found(rest.ByAttachment), values{"id": "7", "service": "2"}, "{7 2}"}, {"attachment of no alert", found(rest.ByAttachment), values{"id": "x", "service": "2"}, none},
		{"no service", found(rest.ByAttachment), values{"id": "7", "service": ""}, none},
	} {
		got, err := c.find(c.in)
		text := fmt.Sprint(got)
		if err != nil {
			text = apitest.Said(err)
		}
		if text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

// found is what key finds among the values of a path.
func found[K any](key func(*http.Request) (K, error)) func(map[string]string) (any, error) {
	return func(values map[string]string) (any, error) {
		r := httptest.NewRequest("GET", "/", nil)
		for name, v := range values {
			r.SetPathValue(name, v)
		}
		return key(r)
	}
}

// jar is a resource, and change what bodies ask to be made of one.
type jar struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Secret string `json:"secret,omitempty"`
}

func (j *jar) ResourceID() string { return fmt.Sprint(j.ID) }

type change struct {
	Name tidemark.Opt[string] `json:"name"`
}

func (c change) Apply(j *jar) { c.Name.To(&j.Name) }

// shelf keeps jars, as the store does.
type shelf struct {
	jars []*jar
	did  []string // what was asked of it, with who asked
	err  error
}

func (s *shelf) note(org tidemark.OrgID, by tidemark.Actor, what string, args ...any) error {
	s.did = append(s.did, fmt.Sprintf("%d %s %s", org, by, fmt.Sprintf(what, args...)))
	return s.err
}

func (s *shelf) list(_ context.Context, _ tidemark.OrgID, p tidemark.Page) ([]*jar, tidemark.Counts, error) {
	n := len(s.jars)
	return s.jars[min(p.Offset, n):min(p.Offset+p.Length, n)], tidemark.Counts{Found: n, Total: n + 1}, s.err
}

func (s *shelf) get(_ context.Context, _ tidemark.OrgID, id int64) (*jar, error) {
	if i := slices.IndexFunc(s.jars, func(j *jar) bool { return j.ID == id }); i >= 0 && s.err == nil {
		return s.jars[i], nil
	}
	return nil, errors.Join(s.err, rest.ErrNotFound)
}

func (s *shelf) add(_ context.Context, org tidemark.OrgID, by tidemark.Actor, in int64, j *jar) error {
	j.ID = 9
	return s.note(org, by, "add %s to %d", j.Name, in)
}

func (s *shelf) save(_ context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, f func(*jar)) (*jar, error) {
	j := &jar{ID: id, Name: "before"}
	f(j)
	return j, s.note(org, by, "save %s as %d", j.Name, id)
}

func (s *shelf) remove(_ context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.note(org, by, "remove %d", id)
}

// open shows the secret of a jar to Admins.
func open(who tidemark.Identity, j *jar) {
	if who.Role == tidemark.FullAccess {
		j.Secret = "jam"
	}
}

func (s *shelf) table() []rest.Route {
	empty := func() *jar { return &jar{Name: "empty"} }
	top := func(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, j *jar) error {
		return s.add(ctx, org, by, 0, j)
	}
	return []rest.Route{
		rest.On("GET /v1/jars", tidemark.View, rest.List("jars", s.list, open)), rest.On("GET /v1/jars/{id}", tidemark.View, rest.Get(rest.ByID, s.get, open)),
		rest.On("POST /v1/jars", tidemark.Edit, rest.Create[change](empty, top, open)), rest.On("POST /v1/shelves/{space}/jars", tidemark.Edit, rest.CreateIn[change](rest.BySpace, empty, s.add)),
		rest.On("PUT /v1/jars/{id}", tidemark.Edit, rest.Update[change](rest.ByID, s.save)), rest.On("POST /v1/jars/{id}", tidemark.Edit, rest.UpdateShow[change](rest.ByID, s.save)),
		rest.On("DELETE /v1/jars/{id}", tidemark.Edit, rest.Remove(rest.ByID, s.remove)),
	}
}

// TestShapes: the shapes that most rows have read the path before the body, ask
// the store on behalf of the caller, and show secrets to those who may see
// them.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, target, body, want, location, did string
	}{
		{"GET", "/v1/jars?offset=1&length=1", "", `200 {"jars":[{"id":2,"name":"plum","secret":"jam"}],"query":{"found":3,"length":1,"offset":1,"total":4}}`, "", ""},
		{"GET", "/v1/jars?offset=3", "", `200 {"jars":[],"query":{"found":3,"length":0,"offset":3,"total":4}}`, "", ""},
		{"GET", "/v1/jars?length=0", "", `400 {"errors":{"params":{"length":["must be a number from 1"]}}}`, "", ""},
		{"GET", "/v1/jars/2", "", `200 {"id":2,"name":"plum","secret":"jam"}`, "", ""},
		{"GET", "/v1/jars/5", "", `404 {"errors":{"request":["Not Found"]}}`, "", ""},
		{"GET", "/v1/jars/x", "", `404 {"errors":{"request":["Not Found"]}}`, "", ""},
		{"POST", "/v1/jars", `{"name":"fig"}`, `201 {"id":9,"name":"fig","secret":"jam"}`, "/v1/jars/9", "1 token:t add fig to 0"},
		{"POST", "/v1/jars", ``, `201 {"id":9,"name":"empty","secret":"jam"}`, "/v1/jars/9", "1 token:t add empty to 0"},
		{"POST", "/v1/jars", `{"name":{}}`, `400 {"errors":{"params":{"name":["must be a text"]}}}`, "", ""},
		{"POST", "/v1/shelves/4/jars", `{"name":"fig"}`, `201 {"id":9,"name":"fig"}`, "/v1/shelves/4/jars/9", "1 token:t add fig to 4"},
		{"POST", "/v1/shelves/x/jars", `{"name":{}}`, `404 {"errors":{"request":["Not Found"]}}`, "", ""},
		{"PUT", "/v1/jars/2", `{"name":"fig"}`, "204 ", "", "1 token:t save fig as 2"},
		{"PUT", "/v1/jars/2", `{}`, "204 ", "", "1 token:t save before as 2"},
		{"PUT", "/v1/jars/x", `{"name":{}}`, `404 {"errors":{"request":["Not Found"]}}`, "", ""},
		{"POST", "/v1/jars/2", `{"name":"fig"}`, `200 {"id":2,"name":"fig"}`, "", "1 token:t save fig as 2"},
		{"POST", "/v1/jars/2", `[]`, `400 {"errors":{"request":["the body must be an object"]}}`, "", ""},
		{"DELETE", "/v1/jars/2", "", "204 ", "", "1 token:t remove 2"},
		{"DELETE", "/v1/jars/0", "", `404 {"errors":{"request":["Not Found"]}}`, "", ""},
	} {
		s := &shelf{jars: []*jar{{ID: 1, Name: "apple"}, {ID: 2, Name: "plum"}, {ID: 3, Name: "quince"}}}
		srv := newService(admin, nil, s.table()...)
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, httptest.NewRequest(c.method, c.target, strings.NewReader(c.body)))
		if got := fmt.Sprintf("%d %s", w.Code, w.Body); got != c.want || w.Header().Get("Location") != c.location || strings.Join(s.did, ";") != c.did {
			t.Errorf("%s %s %s: %s at %q, did %v; want %s", c.method, c.target, c.body, got, w.Header().Get("Location"), s.did, c.want)
		}
	}
}

// TestShapesOfFailures: what the store refuses is the answer, and nothing of
// what was asked for is shown.
func TestShapesOfFailures(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"GET /v1/jars", "GET /v1/jars/1", "POST /v1/jars", "POST /v1/shelves/1/jars", "PUT /v1/jars/1", "POST /v1/jars/1", "DELETE /v1/jars/1"} {
		s := &shelf{jars: []*jar{{ID: 1, Name: "apple"}}, err: tidemark.Errorf(tidemark.Conflict, "the shelf is full")}
		method, path, _ := strings.Cut(target, " ")
		w := newService(admin, nil, s.table()...).ask(method, path)
		if w.Code != 422 || w.Body.String() != `{"errors":{"request":["the shelf is full"]}}` || w.Header().Get("Location") != "" {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
}

// TestSecretsOfShapes: who may not see a secret does not.
func TestSecretsOfShapes(t *testing.T) {
	t.Parallel()
	s := &shelf{jars: []*jar{{ID: 1, Name: "apple"}}}
	srv := newService(rest.Caller{Identity: tidemark.Identity{Org: 1, Role: tidemark.ViewOnly, Token: 2}}, nil, s.table()...)
	for _, path := range []string{"/v1/jars", "/v1/jars/1"} {
		if w := srv.ask("GET", path); w.Code != 200 || strings.Contains(w.Body.String(), "jam") {
			t.Errorf("%s shows %s", path, w.Body)
		}
	}
}

// TestEvery: a list is read whole, page after page, also where it shrinks while
// it is read.
func TestEvery(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, tidemark.MaxPageLength, tidemark.MaxPageLength + 1, 3*tidemark.MaxPageLength - 1} {
		s := &shelf{}
		for i := range n {
			s.jars = append(s.jars, &jar{ID: int64(i)})
		}
		pages := 0
		all, err := rest.Every(t.Context(), 1, func(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*jar, tidemark.Counts, error) {
			pages++
			return s.list(ctx, org, p)
		})
		if err != nil || !slices.Equal(all, s.jars) || pages != max(1, (n+tidemark.MaxPageLength-1)/tidemark.MaxPageLength) {
			t.Errorf("%d: %d in %d pages, %v", n, len(all), pages, err)
		}
	}
	shrinks := func(_ context.Context, _ tidemark.OrgID, p tidemark.Page) ([]*jar, tidemark.Counts, error) {
		if p.Offset > 0 {
			return nil, tidemark.Counts{Found: 500}, nil
		}
		return []*jar{{ID: 1}}, tidemark.Counts{Found: 500}, nil
	}
	if all, err := rest.Every(t.Context(), 1, shrinks); len(all) != 1 || err != nil {
		t.Errorf("%d, %v", len(all), err)
	}
	failing := &shelf{err: errors.New("away")}
	if all, err := rest.Every(t.Context(), 1, failing.list); all != nil || !errors.Is(err, failing.err) {
		t.Errorf("%v, %v", all, err)
	}
}
