// Package apitest has what a table of the API needs to be tried out by itself:
// a store and an engine in memory with one organization, and a client whose
// caller is who the test says.
package apitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Now is the time of every world: the beginning of a day. The store has a clock
// of its own, which must not be ahead of it.
const Now = 4_000_060_800

// World is what endpoints work with.
type World struct {
	*shared.Base
	Org tidemark.OrgID
	Log *bytes.Buffer
}

// keys are those of secrets.
var keys = seal.New(seal.NewKey())

// New returns a world with one organization, called Shop. Each change is made
// to its options before they are used.
func New(t testing.TB, change ...func(*shared.Options)) *World {
	t.Helper()
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if _, err := st.CreateOrg(t.Context(), tidemark.ServerActor(), "Shop"); err != nil {
		t.Fatal(err)
	}
	if err := st.UseKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	now, engine, log := func() time.Time { return time.Unix(Now, 0) }, memory.New(), &bytes.Buffer{}
	authenticator := auth.New(st, now)
	authenticator.Cost = auth.Cost{Time: 1, Memory: 64, Threads: 1}
	book := spelling.New(st, nil)
	o := shared.Options{
		Site: &rest.Site{Logger: slog.New(slog.NewTextHandler(log, nil))}, Store: st, Auth: authenticator, Engine: engine, Now: now,
		Limits: tidemark.NewLimits(nil), Usage: usage.New(usage.Options{Store: st, Engine: engine, Now: now}),
		Recorder: ingest.New(ingest.Options{Engine: engine, Metrics: st, Spellings: book, Now: now}), Spellings: book,
		Querier: query.New(query.Options{Engine: engine, Catalog: st, Spellings: book}),
	}
	for _, f := range change {
		f(&o)
	}
	return &World{Base: shared.New(o), Org: 1, Log: log}
}

// Admin is a token of the organization that may do everything.
func (w *World) Admin() tidemark.Identity { return w.Token(tidemark.FullAccess) }

// Token is a token of the organization with a role.
func (w *World) Token(role tidemark.Role) tidemark.Identity {
	return tidemark.Identity{Org: w.Org, Role: role, Token: 1, Name: string(role)}
}

// Record records a measurement of each value, a minute apart from at on.
func (w *World) Record(t testing.TB, metric string, tags map[string]string, at int64, values ...float64) {
	t.Helper()
	if len(tags) == 0 {
		tags = map[string]string{"host": "a"}
	}
	var list []map[string]any
	for i, v := range values {
		list = append(list, map[string]any{"name": metric, "tags": tags, "time": at + 60*int64(i), "value": v})
	}
	body, err := json.Marshal(map[string]any{"measurements": list})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Recorder.RecordFrom(t.Context(), w.Org, body, ingest.Origin{}); err != nil {
		t.Fatal(err)
	}
}

// Person adds somebody to the organization and signs them in; the secret is
// that of the session.
func (w *World) Person(t testing.TB, email string, role tidemark.Role) (tidemark.Identity, tidemark.Secret) {
	t.Helper()
	u := &tidemark.User{Email: email, Name: strings.Split(email, "@")[0]}
	if err := w.Store.CreateUser(t.Context(), tidemark.ServerActor(), u); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.AddMember(t.Context(), w.Org, tidemark.ServerActor(), u.ID, role); err != nil {
		t.Fatal(err)
	}
	secret, session, err := w.Auth.OpenSession(t.Context(), u.ID, w.Org, auth.Browser{UserAgent: "test", Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	return tidemark.Identity{Org: w.Org, Role: role, User: u.ID, Session: session.ID, Name: email, Recent: true}, secret
}

// Fire makes an alert fire, with one stream that violates its first condition.
func Fire(t testing.TB, st *store.Store, org tidemark.OrgID, alert, now int64) {
	t.Helper()
	a, err := st.WatchedAlert(t.Context(), org, alert)
	if err != nil {
		t.Fatal(err)
	}
	c := &tidemark.StateChange{Org: org, Alert: a.Alert, State: a.State, Now: now, Transition: tidemark.AlertTransition{Kind: tidemark.Triggered, Notify: true}}
	v := tidemark.Violation{Stream: "host=a", Metric: "cpu", Value: 95, RecordedAt: now, Condition: a.Alert.Conditions[0].ID, Since: now, SeenAt: now}
	c.State.Firing, c.State.TriggeredAt, c.State.LastNotifiedAt, c.State.Violations = true, now, now, []tidemark.Violation{v}
	c.Incident = &tidemark.Incident{Alert: alert, TriggeredAt: now, Peak: &v.Value, Violations: c.State.Violations}
	c.Notice = tidemark.NewNotice(org, a.Alert, nil)
	c.Notice.Kind, c.Notice.Time, c.Notice.TriggeredAt = tidemark.NoticeTrigger, now, now
	if err := st.SaveStates(t.Context(), []*tidemark.StateChange{c}); err != nil || !c.Saved {
		t.Fatal(err, c.Saved)
	}
}

// Client asks a table.
type Client struct {
	*rest.Server
	Who      tidemark.Identity // who asks
	Recorded int64             // measurements, by the last request
}

// Client returns a client of a table, for an Admin's token.
func (w *World) Client(table []rest.Route) *Client {
	c := &Client{Who: w.Admin()}
	c.Server = rest.New(rest.Config{
		Site: w.Site, Table: table,
		Identify: func(*http.Request, rest.Route) (rest.Caller, error) { return rest.Caller{Identity: c.Who}, nil },
		Answered: func(_ *http.Request, _ rest.Route, _ rest.Caller, rep rest.Reply, _ error) { c.Recorded = rep.Recorded },
	})
	return c
}

// SignedIn returns a client of tables for an Admin who is signed in.
func (w *World) SignedIn(t testing.TB, tables ...[]rest.Route) *Client {
	t.Helper()
	c := w.Client(slices.Concat(tables...))
	c.Who, _ = w.Person(t, "ann@example.org", tidemark.FullAccess)
	return c
}

// Table is one of the tables of the API.
type Table interface{ Routes() []rest.Route }

// Open returns a world, a table of it, and a client of that table for an Admin
// who is signed in. Those of a second one are there too, as /v1 is for pages,
// which make much of what they show through it.
func Open[T, Second Table](t testing.TB, table func(*shared.Base) T, second func(*shared.Base) Second, change ...func(*shared.Options)) (*World, T, *Client) {
	t.Helper()
	w := New(t, change...)
	s := table(w.Base)
	return w, s, w.SignedIn(t, s.Routes(), second(w.Base).Routes())
}

// Alerted makes a service, and an alert on cpu that notifies it, through /v1.
func (w *World) Alerted(t testing.TB, c *Client) {
	t.Helper()
	w.Record(t, "cpu", nil, Now-60, 1)
	c.Check(t,
		Exchange{Request: "POST /v1/services", Body: `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/s3cret"}}`, Want: `201 {"id":1,...`},
		Exchange{Request: "POST /v1/alerts", Body: `{"name":"high cpu","services":[1],"conditions":[{"type":"above","metric_name":"cpu","threshold":90}]}`, Want: `201 {"id":1,...`},
	)
}

// NotFound is what a client is told of what is not there.
const NotFound = `404 {"errors":{"request":["Not Found"]}}`

// Ask sends a request such as "GET /v1/alerts".
func (c *Client) Ask(request, body string, headers ...string) *httptest.ResponseRecorder {
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	c.ServeHTTP(rec, r)
	return rec
}

// Says is the status and the body of the answer to a request.
func (c *Client) Says(request, body string, headers ...string) string {
	rec := c.Ask(request, body, headers...)
	return strings.TrimSpace(fmt.Sprintf("%d %s", rec.Code, rec.Body))
}

// Read reads an answer of 200.
func (c *Client) Read(t testing.TB, path string, into any) {
	t.Helper()
	said := c.Says("GET "+path, "")
	text, ok := strings.CutPrefix(said, "200 ")
	if err := json.Unmarshal([]byte(text), into); !ok || err != nil {
		t.Fatalf("%s: %v: %s", path, err, said)
	}
}

// Exchange is a request, and what it is answered with.
type Exchange struct{ Request, Body, Want string }

// Check has a conversation: each request is answered as it says. A Want that
// ends in ... is the beginning of the answer.
func (c *Client) Check(t testing.TB, conversation ...Exchange) {
	t.Helper()
	for _, x := range conversation {
		got := c.Says(x.Request, x.Body)
		if begin, cut := strings.CutSuffix(x.Want, "..."); got != x.Want && !(cut && strings.HasPrefix(got, begin)) {
			t.Errorf("%s %.200s\n got %s\nwant %s", x.Request, x.Body, got, x.Want)
		}
	}
}

// Said is an error as a client reads it: its status and its words.
func Said(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf("%d %s", rest.StatusOf(rest.Reply{}, err), rest.ReasonOf(err))
}
