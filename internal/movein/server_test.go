package movein_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/api"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// server is a real one, and what it takes to make its requests fail.
type server struct {
	*client.Client
	recorder *ingest.Recorder
	auth     *auth.Authenticator
	org      tidemark.OrgID
	settled  int
	// before, where set, is asked before each request of an address.
	before func(*http.Request) error
}

// RoundTrip asks the server.
func (s *server) through(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if s.before != nil {
			if err := s.before(r); err != nil {
				return nil, err
			}
		}
		return next.RoundTrip(r)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// start returns a server with an organization, on an engine in a directory.
func start(t *testing.T) *server {
	t.Helper()
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	ok(t, err)
	t.Cleanup(func() { st.Close() })
	ok(t, st.UseKeys(t.Context(), seal.New(seal.NewKey())))
	org, err := st.CreateOrg(t.Context(), tidemark.ServerActor(), "harbour")
	ok(t, err)
	engine, err := embedded.Open(t.Context(), embedded.Options{Dir: t.TempDir()})
	ok(t, err)
	t.Cleanup(func() { ok(t, engine.Close()) })
	book := spelling.New(st, nil)
	s := &server{recorder: ingest.New(ingest.Options{Engine: engine, Metrics: st, Spellings: book}), auth: auth.New(st, nil), org: org.ID}
	handler := api.New(shared.Options{
		Store: st, Auth: s.auth, Engine: engine, Usage: usage.New(usage.Options{Store: st, Engine: engine}), Site: &rest.Site{Logger: slog.New(slog.DiscardHandler)},
		Recorder: s.recorder, Querier: query.New(query.Options{Engine: engine, Catalog: st, Spellings: book}), Spellings: book,
		Settle: func(ctx context.Context) error { s.settled++; return engine.Settle(ctx) },
	})
	transport := s.through(outbound.Inside{Handler: handler.Admin()})
	s.Client = client.New("http://tidemark", client.HTTP(&http.Client{Transport: transport}), client.Header(client.OrgHeader, strconv.FormatInt(int64(org.ID), 10)))
	return s
}

// record sends measurements as an agent does.
func (s *server) record(t *testing.T, body string) {
	t.Helper()
	_, problems, err := s.recorder.Record(t.Context(), s.org, []byte(body), "test")
	ok(t, err)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error is %v, want something about %q", err, text)
	}
}

func silent(string, int64, int64) {}

// began is when the tests began: what is a time ago stays so, whatever the minute.
var began = time.Now().Unix()

// ago is a time that many seconds back, on a minute.
func ago(seconds int64) int64 { return (began - seconds) / 60 * 60 }

// values reads a metric by the minute, one function of it.
func (s *server) values(t *testing.T, compose string, start, step int64) string {
	t.Helper()
	var answer struct {
		Series []struct {
			Tags         map[string]string
			Measurements []struct {
				Time  int64
				Value float64
			}
		}
	}
	q := url.Values{"compose": {compose}, "start_time": {strconv.FormatInt(start, 10)}, "resolution": {strconv.FormatInt(step, 10)}}
	ok(t, s.Do(t.Context(), http.MethodGet, "/v1/measurements?"+q.Encode(), nil, &answer))
	var b strings.Builder
	for _, series := range answer.Series {
		for _, m := range series.Measurements {
			b.WriteString(strconv.FormatInt(m.Time, 10) + "=" + strconv.FormatFloat(m.Value, 'g', 6, 64) + " ")
		}
	}
	return b.String()
}

// sorted is a list in order, which may come from a map.
func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
