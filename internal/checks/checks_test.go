package checks

import (
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// home lets probes reach this machine.
func home(t *testing.T) *outbound.Client {
	t.Helper()
	n, err := outbound.ParseNetwork("127.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	return outbound.New(outbound.Options{Allow: []outbound.Network{n}})
}

// stage is an organization with a runner whose clock is set by hand.
type stage struct {
	*Runner
	engine *memory.Engine
	org    tidemark.OrgID
	at     time.Time
}

func newStage(t *testing.T) *stage {
	t.Helper()
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	org, err := st.CreateOrg(t.Context(), tidemark.ServerActor(), "ours")
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{engine: memory.New(), org: org.ID, at: time.Now().Truncate(time.Minute)}
	now := func() time.Time { return s.at }
	rec := ingest.New(ingest.Options{Engine: s.engine, Metrics: st, Now: now})
	s.Runner = New(Options{Store: st, Recorder: rec, Way: home(t), Logger: slog.New(slog.DiscardHandler), Node: "a", Now: now})
	return s
}

func (s *stage) create(t *testing.T, c *tidemark.Check, hash string) {
	t.Helper()
	if err := s.Store.CreateCheck(t.Context(), s.org, tidemark.ServerActor(), c, c.NewAlert(tidemark.CheckAlert{}), nil, hash); err != nil {
		t.Fatal(err)
	}
}

// round goes on by that long and runs what is due.
func (s *stage) round(t *testing.T, on time.Duration) {
	t.Helper()
	s.at = s.at.Add(on)
	if err := s.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Wait()
}

// values are those of a metric, oldest first.
func (s *stage) values(t *testing.T, metric string) (list []float64) {
	t.Helper()
	q := query.New(query.Options{Engine: s.engine, Catalog: s.Store})
	series, err := q.Composite(t.Context(), s.org, `s("`+metric+`", "*")`, s.at.Add(-24*time.Hour).Unix(), s.at.Unix()+1, 1)
	if err != nil && tidemark.KindOf(err) != tidemark.NotFound {
		t.Fatal(err)
	}
	for _, one := range series {
		list = append(list, one.Values...)
	}
	return list
}

// TestRounds: a check runs once in its interval, and what it finds is recorded.
func TestRounds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	asked := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 2 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer site.Close()
	c := tidemark.NewCheck()
	c.Name, c.Target = "shop", site.URL
	s.create(t, c, "")
	s.round(t, 0)
	s.round(t, 10*time.Second) // not due
	s.round(t, 60*time.Second)
	if d := cmp.Diff([]float64{1, 0}, s.values(t, tidemark.MetricCheckUp)); d != "" || asked != 2 {
		t.Errorf("%d requests, %s", asked, d)
	}
	got, err := s.Store.Check(t.Context(), s.org, c.ID)
	if err != nil || got.Up || got.Said != "it answers 500 Internal Server Error" || got.RanAt != s.at.Unix() {
		t.Errorf("%+v %v", got, err)
	}
}

// TestOneRuns: of two servers only the one with the lease runs checks.
func TestOneRuns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	asked := 0
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer site.Close()
	c := tidemark.NewCheck()
	c.Name, c.Target = "shop", site.URL
	s.create(t, c, "")
	other := New(s.Options)
	other.Node = "b"
	s.round(t, 0)
	if err := other.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	other.Wait()
	if asked != 1 {
		t.Errorf("%d requests", asked)
	}
}

// TestHeartbeat: silence is down, a call is up, and a failure said so is down.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := tidemark.NewCheck()
	c.Name, c.Kind, c.Every, c.Grace = "backup", tidemark.CheckHeartbeat, 3600, 60
	s.create(t, c, "secret")
	call := func(what string) {
		t.Helper()
		beat, err := s.Store.CheckByHash(t.Context(), "secret")
		if err != nil {
			t.Fatal(err)
		}
		if err := Called(t.Context(), s.Store, s.Recorder, beat, what, s.at.Unix()); err != nil {
			t.Fatal(err)
		}
	}
	s.round(t, 0)
	if got := s.values(t, tidemark.MetricCheckUp); len(got) != 0 {
		t.Errorf("before the first call: %v", got)
	}
	call("start")
	s.at = s.at.Add(30 * time.Second)
	call("")
	s.round(t, 60*time.Second)
	s.round(t, 3601*time.Second) // late by 61 s
	s.round(t, 60*time.Second)
	s.at = s.at.Add(time.Second)
	call("fail")
	s.at = s.at.Add(time.Second)
	call("success")
	if d := cmp.Diff([]float64{1, 1, 0, 0, 0, 1}, s.values(t, tidemark.MetricCheckUp)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]float64{30}, s.values(t, tidemark.MetricCheckDuration)); d != "" {
		t.Error(d)
	}
}

// trusting asks sites whose certificates nobody else trusts.
type trusting struct {
	*outbound.Client
	site *httptest.Server
}

func (w trusting) Do(req *http.Request) (*http.Response, error) { return w.site.Client().Do(req) }

// TestDaysAreRecorded: what is left of a certificate is a metric of its own,
// of checks that saw one.
func TestDaysAreRecorded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	plain, secure := httptest.NewServer(nothing), httptest.NewTLSServer(nothing)
	defer plain.Close()
	defer secure.Close()
	s.Way = trusting{home(t), secure}
	for i, target := range []string{secure.URL, plain.URL} {
		c := tidemark.NewCheck()
		c.Name, c.Target = fmt.Sprint("site ", i), target
		s.create(t, c, "")
	}
	s.round(t, 0)
	want := time.Until(secure.Certificate().NotAfter).Hours() / 24
	days, up := s.values(t, tidemark.MetricCheckDays), s.values(t, tidemark.MetricCheckUp)
	if len(up) != 2 || len(days) != 1 || math.Abs(days[0]-want) > 0.1 {
		t.Errorf("up %v, days %v, want %v", up, days, want)
	}
}
