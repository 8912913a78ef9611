package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// world is a server with two organizations and a token of every sort. Tokens
// are called by who holds them: "admin", "recorder", "viewer", "inactive" and
// "expired" of ours, "theirs" of the other; "unknown" is nobody's.
type world struct {
	*Server
	engine       tsdb.Engine
	ours, theirs tidemark.OrgID
	secrets      map[string]string
	people       map[string]string // secrets of sessions
	keys         map[string]string // what links end in, by what they begin with
	path         string            // of the database, where it is a file
	minute       int64             // before the one in which it began
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return newWorldOn(t, fresh.SQLite(t))
}

func newWorldOn(t testing.TB, url string) *world {
	t.Helper()
	return openWorld(t, url).inhabited(t)
}

// inhabited returns w with its organizations and tokens.
func (w *world) inhabited(t testing.TB) *world {
	t.Helper()
	w.ours, w.theirs = w.org(t, "ours"), w.org(t, "theirs")
	for _, role := range []tidemark.Role{tidemark.FullAccess, tidemark.RecordOnly, tidemark.ViewOnly} {
		w.token(t, w.ours, string(role), tidemark.Token{Role: role, Active: true})
	}
	w.token(t, w.ours, "inactive", tidemark.Token{Role: tidemark.FullAccess})
	w.token(t, w.ours, "expired", tidemark.Token{Role: tidemark.FullAccess, Active: true, ExpiresAt: time.Now().Unix() - 10})
	w.token(t, w.theirs, "theirs", tidemark.Token{Role: tidemark.FullAccess, Active: true})
	return w
}

// openWorld returns a world of what is in a database, which may be nothing.
func openWorld(t testing.TB, url string) *world {
	t.Helper()
	w := worldOf(t, openStore(t, url), memory.New())
	w.path = strings.TrimPrefix(url, "sqlite:")
	return w
}

func openStore(t testing.TB, url string) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if err := st.UseKeys(t.Context(), testKeys); err != nil {
		t.Fatal(err)
	}
	return st
}

func worldOf(t testing.TB, st *store.Store, engine tsdb.Engine) *world {
	t.Helper()
	stopped := make(chan struct{})
	close(stopped)
	authenticator := auth.New(st, nil)
	authenticator.Cost = cheap
	w := &world{engine: engine, minute: time.Now().Unix()/60*60 - 60, secrets: map[string]string{"unknown": tidemark.NewSecret().Reveal()}}
	book := spelling.New(st, nil)
	w.Server = New(shared.Options{
		Site:  &rest.Site{Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil))},
		Store: st, Auth: authenticator, Engine: engine, Usage: usage.New(usage.Options{Store: st, Engine: engine}),
		Recorder:  ingest.New(ingest.Options{Engine: engine, Metrics: st, Spellings: book}),
		Spellings: book,
		Probe: func(_ context.Context, c *tidemark.Check) tidemark.CheckState {
			return tidemark.CheckState{RanAt: 1, Up: true, Duration: 0.25, Said: "tried " + c.Target}
		},
		Querier:   query.New(query.Options{Engine: engine, Catalog: st, Spellings: book}),
		Stopping:  stopped, // so that watching has an end
		AuditKeep: 400 * 24 * time.Hour,
		Machines: func(context.Context) (*tidemark.Machines, error) {
			one := tidemark.Machine{ID: "tm-01:/data", Address: "http://127.0.0.1:8433", State: tidemark.MachineAnswers, Does: []string{"alerts"}}
			one.Zone, one.BehindPast = "eu-1a", []float64{0, 2.5}
			return &tidemark.Machines{Machines: []tidemark.Machine{one}, Leases: []tidemark.MachineLease{{Name: "alerts", Holder: one.ID, Number: 3}}}, nil
		},
		Alerting: fakeAlerting(), Demo: &fakeDemo{store: st, state: demo.State{Stage: demo.None}},
		Snapshot: func(_ context.Context, dir string) error {
			if dir == "/full" {
				return errors.New("no space left")
			}
			return nil
		},
		Backup: func(_ context.Context, _ tidemark.Actor, dir string, progress func(string, int64, int64)) error {
			progress("measurements", 1, 2)
			if dir == "/full" {
				return errors.New("no space left")
			}
			return nil
		},
	})
	w.ui.Alerts.GapsTime, w.ui.Org.PreviewTime = time.Hour, time.Hour // however slow the machine
	w.people, w.keys = make(map[string]string), make(map[string]string)
	return w
}

// testKeys are the keys of secrets in tests.
var testKeys = seal.New(seal.NewKey())

// cheap hashes passwords in no time, as thousands of requests need it.
var cheap = auth.Cost{Time: 1, Memory: 64, Threads: 1}

// adminPassword is the hash of the Admin's password.
var adminPassword = sync.OnceValue(func() string {
	hash, err := cheap.Hash("password of Admin")
	if err != nil {
		panic(err)
	}
	return hash
})

// person signs somebody in who has a role in org; they are called by it:
// "Admin", "Member" and "Viewer" of ours, "Stranger" of the other.
func (w *world) person(t testing.TB, called string, org tidemark.OrgID, role tidemark.Role) {
	t.Helper()
	u := &tidemark.User{Email: strings.ToLower(called) + "@example.org", Name: called}
	if called == "Admin" { // the others signed in elsewhere, and are no operators
		u.PasswordHash, u.Operator = adminPassword(), true
	}
	if err := w.Store.CreateUser(t.Context(), tidemark.ServerActor(), u); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.AddMember(t.Context(), org, tidemark.ServerActor(), u.ID, role); err != nil {
		t.Fatal(err)
	}
	secret, _, err := w.Auth.OpenSession(t.Context(), u.ID, org, auth.Browser{UserAgent: "test", Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	w.people[called] = secret.Reveal()
}

// withPeople returns w with one person of every role signed in.
func (w *world) withPeople(t testing.TB) *world {
	t.Helper()
	w.person(t, "Admin", w.ours, tidemark.FullAccess)
	w.person(t, "Member", w.ours, tidemark.Member)
	w.person(t, "Viewer", w.ours, tidemark.ViewOnly)
	w.person(t, "Stranger", w.theirs, tidemark.FullAccess)
	return w
}

func (w *world) org(t testing.TB, name string) tidemark.OrgID {
	t.Helper()
	o, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), name)
	if err != nil {
		t.Fatal(err)
	}
	return o.ID
}

func (w *world) token(t testing.TB, org tidemark.OrgID, name string, tok tidemark.Token) {
	t.Helper()
	secret := tidemark.NewSecret()
	tok.Name = name
	if err := w.Store.CreateToken(t.Context(), org, tidemark.Actor{Kind: "test"}, &tok, secret); err != nil {
		t.Fatal(err)
	}
	w.secrets[name] = secret.Reveal()
}

// ask sends one request. who is the holder of a token, a person, "nobody", or
// the "operator", who has a door of their own.
func (w *world) ask(who, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body == "" {
		r.Body = http.NoBody
	}
	if secret, ok := w.secrets[who]; ok {
		r.SetBasicAuth(secret, "")
	}
	if session, ok := w.people[who]; ok {
		r.AddCookie(&http.Cookie{Name: w.CookieName(r), Value: session})
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	if who == "operator" {
		w.Admin().ServeHTTP(rec, r)
		return rec
	}
	w.ServeHTTP(rec, r)
	return rec
}

// testWriter sends the server's log to the test's.
type testWriter struct{ t testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}
