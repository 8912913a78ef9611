package api

import (
	"database/sql"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// own fills an organization with one of everything, so that every path below
// names something that exists.
var own = []struct{ method, path, body string }{
	{"PUT", "/v1/metrics/m1", `{"type":"gauge"}`},
	{"PUT", "/v1/metrics/m2", `{"type":"gauge"}`},
	measured,
	{"POST", "/v1/services", `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/hook"}}`},
	{"POST", "/v1/alerts", `{"name":"a1","services":[1],"conditions":[{"type":"above","metric_name":"m1","threshold":1}]}`},
	{"POST", "/v1/objectives", `{"name":"Answers","good_metric":"m1","total_metric":"m2","target":99.9}`},
	{"POST", "/v1/maintenance", `{"name":"upgrade","starts_at":1800000000,"covers":{"all":true},"repeat":{"days":["fri"],"start_time":"08:00","end_time":"09:00","zone":"UTC"}}`},
	{"POST", "/v1/annotations/m1", `{"title":"t","links":[{"rel":"r1","href":"https://example.org"}]}`},
	{"POST", "/v1/spaces", `{"name":"s"}`},
	{"POST", "/v1/spaces/1/charts", `{"name":"c","streams":[{"metric":"m1"}]}`},
	{"POST", "/v1/alerts/1/test", ``},
	{"POST", "/v1/snapshots", `{"subject":{"chart":{"id":1}}}`},
}

// measured is the one of them that the engine keeps, not the store.
var measured = struct{ method, path, body string }{"POST", "/v1/metrics", `{"gauges":[{"name":"m1","value":1,"source":"m1"}]}`}

// pathValues are what stands for each part of a path in these tests.
var pathValues = map[string]string{"name": "m1", "id": "1", "service": "1", "space": "1", "rel": "r1", "email": "x", "key": "k", "user": "2", "template": "hosts", "comment": "1", "limit": "spaces", "kind": "alert", "number": "1"}

var pathPart = regexp.MustCompile(`\{(\w+)\}`)

func fill(pattern string) (method, path string) {
	f := strings.Fields(pattern)
	return f[0], pathPart.ReplaceAllStringFunc(f[1], func(m string) string { return pathValues[m[1:len(m)-1]] })
}

// outsiders are the tokens and people of the other organization, besides
// "theirs" and "Stranger" who may do everything there.
var outsiders = []tidemark.Token{
	{Name: "theirInactive", Role: tidemark.FullAccess},
	{Name: "theirExpired", Role: tidemark.FullAccess, Active: true, ExpiresAt: 1000},
	{Name: "theirRecorder", Role: tidemark.RecordOnly, Active: true},
	{Name: "theirViewer", Role: tidemark.ViewOnly, Active: true},
}

// mold is the database of a world with one of everything and everybody in it.
// Hundreds of questions need such a world for themselves; a copy of the file
// is there much sooner than what is in it could be made again.
type mold struct {
	once   sync.Once
	db     []byte
	before world
}

var ownMold mold

// ownWorld returns a world in which our organization has one of everything,
// the other nothing, and both have tokens and people of every role.
func ownWorld(t testing.TB) *world {
	t.Helper()
	ownMold.once.Do(func() { ownMold.make(t) })
	path := filepath.Join(t.TempDir(), "db")
	if err := os.WriteFile(path, ownMold.db, 0o600); err != nil {
		t.Fatal(err)
	}
	w := openWorld(t, "sqlite:"+path)
	w.ours, w.theirs, w.minute = ownMold.before.ours, ownMold.before.theirs, ownMold.before.minute
	w.keys = ownMold.before.keys
	w.secrets, w.people = maps.Clone(ownMold.before.secrets), maps.Clone(ownMold.before.people)
	w.want(t, measured.method, measured.path, measured.body)
	return w
}

// proveLater has everybody whose session is in a database prove in an hour who
// they are: on a busy machine the mold may be older than a proof counts.
func proveLater(t testing.TB, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE sessions SET proved_at = ?`, time.Now().Add(time.Hour).Unix()); err != nil {
		t.Fatal(err)
	}
}

func (m *mold) make(t testing.TB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	w := newWorldOn(t, "sqlite:"+path).withPeople(t)
	for _, o := range own {
		w.want(t, o.method, o.path, o.body)
	}
	if err := w.Store.CreateJob(t.Context(), w.ours, &tidemark.Job{State: tidemark.JobQueued}); err != nil {
		t.Fatal(err)
	}
	check := tidemark.NewCheck()
	check.Name, check.Target = "c0", "https://example.org/"
	check.Places = []string{"server", "agent:web-01"}
	if err := w.Store.CreateCheck(t.Context(), w.ours, tidemark.ServerActor(), check, check.NewAlert(tidemark.CheckAlert{}), nil, ""); err != nil {
		t.Fatal(err)
	}
	list := &tidemark.Playlist{Name: "p0", Spaces: []tidemark.PlaylistSpace{{Space: 1, Seconds: 30}}}
	if err := w.Store.CreatePlaylist(t.Context(), w.ours, tidemark.ServerActor(), list); err != nil {
		t.Fatal(err)
	}
	office := &tidemark.Service{Type: "mail", Title: "office", Settings: map[string]string{"addresses": "ann@example.org"}}
	if err := w.Store.CreateService(t.Context(), w.ours, tidemark.ServerActor(), office); err != nil {
		t.Fatal(err)
	}
	report := &tidemark.Report{Name: "r0", Space: 1, Services: []int64{office.ID}, Schedule: tidemark.Schedule{Every: tidemark.EveryDay, Time: "09:00", Zone: "UTC"}}
	if err := w.Store.CreateReport(t.Context(), w.ours, tidemark.ServerActor(), report, w.Now().Unix()); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.SeePlace(t.Context(), w.ours, &tidemark.Place{Name: "web-01"}); err != nil {
		t.Fatal(err)
	}
	w.fire(t, 1, w.Now().Unix()-100)
	if rec := w.ask("Admin", "POST", "/ui/api/limits/requests", `{"name":"spaces","wanted":2000}`); rec.Code != http.StatusNoContent {
		t.Fatalf("ask for more: %d %s", rec.Code, rec.Body)
	}
	for _, tok := range outsiders {
		w.token(t, w.theirs, tok.Name, tok)
	}
	w.person(t, "StrangeMember", w.theirs, tidemark.Member)
	w.person(t, "StrangeViewer", w.theirs, tidemark.ViewOnly)
	w.keys = map[string]string{"/ui/api/pictures/": "good.png", "/ui/api/acknowledge/": "good", "/ui/api/shared/": w.share(t), "/ui/api/setup/": "k", "/ui/api/snapshots/": w.snapshotKey(t)}
	hash, err := cheap.Hash("correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.SetPassword(t.Context(), tidemark.ServerActor(), 1, hash, 1); err != nil {
		t.Fatal(err)
	}
	key, err := w.Auth.NewResetKey(t.Context(), tidemark.ServerActor(), 1)
	if err != nil {
		t.Fatal(err)
	}
	w.keys["/ui/api/reset/"] = key.Reveal()
	w.keys["/ui/api/invite/"] = w.invitation(t, "invited@example.org")
	if err := w.Store.Close(); err != nil {
		t.Fatal(err)
	}
	proveLater(t, path)
	if m.db, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	m.before = *w
}

// snapshotKey returns the key with which anybody may open our snapshot.
func (w *world) snapshotKey(t testing.TB) string {
	t.Helper()
	rec := w.ask("admin", "GET", "/v1/snapshots/1", "")
	m := linkText.FindStringSubmatch(rec.Body.String())
	if m == nil {
		t.Fatalf("snapshot: %d %s", rec.Code, rec.Body)
	}
	return m[2] + ".png"
}

// share returns the key of a link to our space.
func (w *world) share(t testing.TB) string {
	t.Helper()
	var answer struct{ URL string }
	rec := w.ask("Admin", "POST", "/ui/api/spaces/1/shares", pages["POST /ui/api/spaces/{space}/shares"])
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || rec.Code != http.StatusCreated {
		t.Fatalf("share: %d %s", rec.Code, rec.Body)
	}
	_, key, _ := strings.Cut(answer.URL, "/s/")
	return key
}

// invitation returns the key of a link by which somebody joins us.
func (w *world) invitation(t testing.TB, email string) string {
	t.Helper()
	var answer struct{ URL string }
	rec := w.ask("Admin", "POST", "/ui/api/invitations", `{"email":"`+email+`","role":"viewer"}`)
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || rec.Code != http.StatusCreated {
		t.Fatalf("invite: %d %s", rec.Code, rec.Body)
	}
	_, key, _ := strings.Cut(answer.URL, "/invite/")
	return key
}

// want sends a request that must succeed.
func (w *world) want(t testing.TB, method, path, body string) {
	t.Helper()
	if rec := w.ask("admin", method, path, body); rec.Code >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, rec.Code, rec.Body)
	}
}
