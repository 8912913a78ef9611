package client_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/api"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// server is a real one, with an organization and a token that may do all.
type server struct {
	*api.Server
	url, adminURL string
	secret        tidemark.Secret
}

func newServer(ctx context.Context, dir string) (s *server, stop func(), err error) {
	st, err := store.Open(ctx, "sqlite:"+filepath.Join(dir, "db"))
	if err != nil {
		return nil, nil, err
	}
	if err := st.UseKeys(ctx, seal.New(seal.NewKey())); err != nil {
		return nil, nil, err
	}
	org, err := st.CreateOrg(ctx, tidemark.ServerActor(), "harbour")
	if err != nil {
		return nil, nil, err
	}
	s = &server{secret: tidemark.NewSecret()}
	if err := st.CreateToken(ctx, org.ID, tidemark.ServerActor(), &tidemark.Token{Name: "first", Role: tidemark.FullAccess, Active: true}, s.secret); err != nil {
		return nil, nil, err
	}
	engine := memory.New()
	s.Server = api.New(shared.Options{
		Store: st, Auth: auth.New(st, nil), Engine: engine, Usage: usage.New(usage.Options{Store: st, Engine: engine}), Site: &rest.Site{Logger: slog.New(slog.DiscardHandler)},
		Recorder: ingest.New(ingest.Options{Engine: engine, Metrics: st}),
		Querier:  query.New(query.Options{Engine: engine, Catalog: st}),
	})
	front, back := httptest.NewServer(s.Server), httptest.NewServer(s.Admin())
	s.url, s.adminURL = front.URL, back.URL
	return s, func() { front.Close(); back.Close(); st.Close() }, nil
}

// start returns a client of a server of its own, and the server.
func start(t *testing.T, options ...client.Option) (*client.Client, *server) {
	t.Helper()
	s, stop, err := newServer(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return client.New(s.url+"/", append([]client.Option{client.Token(s.secret)}, options...)...), s
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// must is for calls that return something.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

func equal(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMeasurements(t *testing.T) {
	c, _ := start(t)
	ctx, now := t.Context(), time.Now().Unix()/60*60
	ok(t, c.Record(ctx,
		client.Measurement{Name: "orders", Value: 3, Time: now, Tags: map[string]string{"region": "eu"}, Period: 60, Attributes: map[string]any{"color": "#52D74C"}},
		client.Measurement{Name: "orders", Value: 4, Time: now, Tags: map[string]string{"region": "us"}},
	))
	params := url.Values{"resolution": {"60"}, "start_time": {"0"}}
	want := []client.Series{
		{Tags: map[string]string{"region": "eu"}, Measurements: []client.Point{{Time: now, Value: 3}}},
		{Tags: map[string]string{"region": "us"}, Measurements: []client.Point{{Time: now, Value: 4}}},
	}
	equal(t, want, must(c.Measurements(ctx, "orders", params))(t)) // of many pages
	params.Set("start_time", strconv.FormatInt(now-60, 10))
	equal(t, want, must(c.Measurements(ctx, "orders", params))(t)) // of one
	sum := must(c.Compose(ctx, `sum(s("orders","*"))`, url.Values{"resolution": {"60"}, "duration": {"3600"}}))(t)
	equal(t, []client.Series{{Tags: map[string]string{}, Measurements: []client.Point{{Time: now, Value: 7}}}}, sum)

	err := c.Record(ctx, client.Measurement{Name: "orders", Value: 1}, client.Measurement{Name: "no good", Value: 1})
	if err == nil || !strings.Contains(err.Error(), "1 of 2 measurements were refused") || !strings.Contains(err.Error(), "must be 1 to 255 letters") {
		t.Errorf("one of two is bad: %v", err)
	}
	err = c.Record(ctx, client.Measurement{Name: "no good", Value: 1})
	if tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("none is good: %v", err)
	}
}

func TestMetrics(t *testing.T) {
	c, _ := start(t)
	ctx := t.Context()
	ok(t, c.PutMetric(ctx, "load.1", map[string]any{"display_name": "Load", "period": 60, "attributes": map[string]any{"display_min": 0}}))
	m := must(c.Metric(ctx, "LOAD.1"))(t)
	if m.Name != "load.1" || *m.DisplayName != "Load" || *m.Period != 60 || m.Attributes["display_min"] != 0.0 {
		t.Errorf("the metric is %+v", m)
	}
	ok(t, c.PutMetric(ctx, "other", map[string]any{}))
	equal(t, 2, len(must(c.Metrics(ctx, ""))(t)))
	equal(t, "load.1", must(c.Metrics(ctx, "load"))(t)[0].Name)
	ok(t, c.DeleteMetric(ctx, "load.1"))
	if _, err := c.Metric(ctx, "load.1"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("after it is deleted: %v", err)
	}
}

func TestResources(t *testing.T) {
	c, _ := start(t)
	ctx := t.Context()
	ok(t, c.PutMetric(ctx, "load", map[string]any{}))
	mail := must(c.Services().Create(ctx, map[string]any{"type": "mail", "title": "Ops", "settings": map[string]string{"addresses": "ops@example.org"}}))(t)
	alert := must(c.Alerts().Create(ctx, map[string]any{
		"name": "load.high", "services": []int64{mail.ID}, "conditions": []map[string]any{{"type": "above", "metric_name": "load", "threshold": 1}},
	}))(t)
	equal(t, "Ops", alert.Services[0].Title)
	ok(t, c.Services().Update(ctx, mail.ID, map[string]any{"title": "Operators"}))
	equal(t, "Operators", must(c.Services().Get(ctx, mail.ID))(t).Title)
	equal(t, "load.high", must(c.Alerts().Named(ctx, "load"))(t)[0].Name)
	equal(t, 0, len(must(c.Alerts().Named(ctx, "none"))(t)))
	ok(t, c.Alerts().Delete(ctx, alert.ID))
	equal(t, 0, len(must(c.Alerts().List(ctx))(t)))
	space := must(c.Spaces().Create(ctx, map[string]any{"name": "Harbour"}))(t)
	chart := must(c.CreateChart(ctx, space.ID, map[string]any{"name": "Load", "streams": []map[string]any{{"metric": "load"}}}))(t)
	equal(t, "load", chart.Streams[0].Metric)
	event := must(c.Annotate(ctx, "releases", &tidemark.AnnotationEvent{Title: "4.12", StartTime: 1000, Links: []tidemark.Link{{Rel: "build", Href: "https://example.org"}}}))(t)
	equal(t, "build", event.Links[0].Rel)
}

// TestPages: lists come whole, however many pages they have.
func TestPages(t *testing.T) {
	c, _ := start(t)
	for range 2*tidemark.MaxPageLength + 1 {
		must(c.Spaces().Create(t.Context(), map[string]any{"name": "s"}))(t)
	}
	seen := make(map[int64]bool)
	for _, s := range must(c.Spaces().List(t.Context()))(t) {
		seen[s.ID] = true
	}
	equal(t, 2*tidemark.MaxPageLength+1, len(seen))
}

func TestTokens(t *testing.T) {
	c, s := start(t)
	ctx := t.Context()
	made := must(c.Tokens().Create(ctx, map[string]any{"name": "edge", "role": "recorder"}))(t)
	edge := client.New(s.url, client.Token(tidemark.Secret(made.Token)))
	ok(t, edge.Record(ctx, client.Measurement{Name: "m", Value: 1}))
	if _, err := edge.Tokens().List(ctx); tidemark.KindOf(err) != tidemark.Forbidden {
		t.Errorf("a recorder lists tokens: %v", err)
	}
	rotated := must(c.RotateToken(ctx, made.ID, 0))(t)
	if err := edge.Record(ctx, client.Measurement{Name: "m", Value: 1}); tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("with the old secret: %v", err)
	}
	ok(t, client.New(s.url, client.Token(tidemark.Secret(rotated.Token))).Record(ctx, client.Measurement{Name: "m", Value: 1}))
	ok(t, c.Tokens().Update(ctx, made.ID, map[string]any{"active": false}))
	if shown := must(c.Tokens().Get(ctx, made.ID))(t); shown.Active || !strings.HasPrefix(shown.Token, "tmk_...") || shown.CreatedAt == "" {
		t.Errorf("the token is %+v", shown)
	}
	ok(t, c.Tokens().Delete(ctx, made.ID))
	audit := must(c.Audit(ctx))(t)
	equal(t, "token.delete", audit[0].Action)
}

// TestOperator: what only the server's own operator can do.
func TestOperator(t *testing.T) {
	c, s := start(t)
	ctx := t.Context()
	admin := client.New(s.adminURL, client.Header(client.OrgHeader, "1"))
	made := must(admin.CreateOrg(ctx, "pier"))(t)
	equal(t, "pier", must(admin.Orgs(ctx))(t)[1].Name)
	u := must(admin.CreateUser(ctx, client.NewUser{Email: "ada@example.org", Name: "Ada", Password: "correct horse battery", Role: tidemark.Member}))(t)
	equal(t, "ada@example.org", u.Email)
	ok(t, admin.SetPassword(ctx, "ada@example.org", "another horse battery"))
	if err := admin.SetPassword(ctx, "none@example.org", "another horse battery"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("nobody's password: %v", err)
	}
	if _, err := c.Orgs(ctx); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("organizations, through the front door: %v", err)
	}
	equal(t, tidemark.OrgID(2), made.ID)
}

// TestErrors: each shape that the API has for errors becomes the same type.
func TestErrors(t *testing.T) {
	tests := []struct {
		status int
		body   string
		want   tidemark.Error
	}{
		{400, `{"errors":{"params":{"name":["is not present","is short"],"conditions":{"type":["is wrong"]}}}}`, tidemark.Error{
			Kind: tidemark.Invalid, Msg: "the server refused it", Fields: map[string][]string{"name": {"is not present; is short"}, "conditions.type": {"is wrong"}},
		}},
		{401, `{"errors":{"request":["Authorization Required"]}}`, tidemark.Error{Kind: tidemark.Unauthenticated, Msg: "Authorization Required"}},
		{403, `{"errors":{"request":"a text"}}`, tidemark.Error{Kind: tidemark.Forbidden, Msg: "a text"}},
		{404, `{"errors":{"request":["Not Found"]}}`, tidemark.Error{Kind: tidemark.NotFound, Msg: "Not Found"}},
		{413, `{"errors":["too long","really"]}`, tidemark.Error{Kind: tidemark.TooLarge, Msg: "too long; really"}},
		{400, `{"errors":[{"index":0,"param":"name"}]}`, tidemark.Error{Kind: tidemark.Invalid, Msg: `{"index":0,"param":"name"}`}},
		{400, `{"code":400,"message":"Unable to process JSON"}`, tidemark.Error{Kind: tidemark.Invalid, Msg: "Unable to process JSON"}},
		{415, `{}`, tidemark.Error{Kind: tidemark.Unsupported, Msg: "Unsupported Media Type"}},
		{422, `{"errors":{"params":{"name":["is already taken"]}}}`, tidemark.Error{Kind: tidemark.Conflict, Msg: "the server refused it", Fields: map[string][]string{"name": {"is already taken"}}}},
		{429, `{"error":"You have hit the API limit","request_time":1}`, tidemark.Error{Kind: tidemark.TooMany, Msg: "You have hit the API limit"}},
		{500, `<html>`, tidemark.Error{Kind: tidemark.Internal, Msg: "Internal Server Error"}},
		{503, `{"errors":{"system":["down"]}}`, tidemark.Error{Kind: tidemark.Unavailable, Msg: "down"}},
	}
	for _, tt := range tests {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(tt.status)
			_, _ = w.Write([]byte(tt.body))
		}))
		err := client.New(s.URL).Do(t.Context(), "GET", "/v1/x", nil, nil)
		s.Close()
		var e *tidemark.Error
		if !errors.As(err, &e) {
			t.Errorf("%d %s: %v", tt.status, tt.body, err)
			continue
		}
		equal(t, tt.want, *e)
	}
}

// TestNotOurs: an answer that is no JSON is an error, and says of what.
func TestNotOurs(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(map[bool]string{true: `{"spaces":7,"query":{}}`, false: `<html>`}[r.URL.Path == "/v1/spaces"]))
	}))
	defer s.Close()
	c := client.New(s.URL)
	if _, err := c.Metric(t.Context(), "m"); err == nil {
		t.Error("a page is taken for a metric")
	}
	if _, err := c.Spaces().List(t.Context()); err == nil || !strings.Contains(err.Error(), "read spaces") {
		t.Errorf("a number is taken for spaces: %v", err)
	}
	if err := c.Do(t.Context(), "POST", "/v1/x", func() {}, nil); err == nil {
		t.Error("a function is taken for JSON")
	}
	if err := client.New("http://bad host").Do(t.Context(), "GET", "/", nil, nil); err == nil {
		t.Error("an address with a blank is taken")
	}
}

// flaky answers with statuses, in turn, and 200 after that.
func flaky(t *testing.T, retryAfter string, statuses ...int) (*httptest.Server, *atomic.Int64) {
	asked := new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		if int(n) > len(statuses) {
			return
		}
		status := statuses[n-1]
		if status == 0 {
			panic(http.ErrAbortHandler) // the connection ends
		}
		w.Header().Set("Retry-After", retryAfter)
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return s, asked
}

func TestRetry(t *testing.T) {
	tests := []struct {
		name     string
		method   string
		after    string
		statuses []int
		asked    int64
		kind     tidemark.Kind
		ok       bool
	}{
		{"busy, then not", "POST", "0", []int{429, 503}, 3, 0, true},
		{"without a word of when", "GET", "", []int{503}, 2, 0, true},
		{"busy for too long", "GET", "0", []int{503, 503, 503, 503}, 3, tidemark.Unavailable, false},
		{"wrong is wrong", "GET", "0", []int{400, 400}, 1, tidemark.Invalid, false},
		{"a fault might be done in part", "PUT", "0", []int{500, 500}, 1, tidemark.Internal, false},
		{"a lost connection", "GET", "", []int{0}, 2, 0, true},
		{"a lost connection might have been heard", "POST", "", []int{0, 0}, 1, tidemark.Internal, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, asked := flaky(t, tt.after, tt.statuses...)
			// Connections are not reused: Go's own client tries again on those.
			h := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			err := client.New(s.URL, client.HTTP(h), client.Retry(3, time.Millisecond)).Do(t.Context(), tt.method, "/", map[string]any{"a": 1}, nil)
			if (err == nil) != tt.ok || err != nil && tidemark.KindOf(err) != tt.kind || asked.Load() != tt.asked {
				t.Errorf("%v after %d tries", err, asked.Load())
			}
		})
	}
	s, asked := flaky(t, "0", 503)
	if err := client.New(s.URL).Do(t.Context(), "GET", "/", nil, nil); tidemark.KindOf(err) != tidemark.Unavailable || asked.Load() != 1 {
		t.Errorf("without Retry: %v after %d tries", err, asked.Load())
	}
}

// TestCancel: a request ends with its context, and so does the wait for the
// next try.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}))
	defer s.Close()
	go func() { <-arrived; cancel() }()
	err := client.New(s.URL, client.Retry(5, time.Hour)).Do(ctx, "GET", "/", nil, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a request: %v", err)
	}
	busy, _ := flaky(t, "3600", 503)
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := client.New(busy.URL, client.Retry(2, time.Hour)).Do(ctx, "GET", "/", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a wait: %v", err)
	}
}

// TestGzip: long bodies are sent compressed, and long answers come so.
func TestGzip(t *testing.T) {
	c, s := start(t)
	var sent, got string
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header.Get("Content-Encoding")
		s.ServeHTTP(w, r)
		got = w.Header().Get("Content-Encoding")
	}))
	defer front.Close()
	through := client.New(front.URL, client.Token(s.secret))
	text := strings.Repeat("long ", 2000)
	ok(t, through.PutMetric(t.Context(), "m", map[string]any{"description": text}))
	equal(t, "gzip", sent)
	equal(t, text, *must(through.Metric(t.Context(), "m"))(t).Description)
	equal(t, "gzip", got)
	ok(t, through.PutMetric(t.Context(), "m", map[string]any{"description": "short"}))
	equal(t, "", sent)
	equal(t, "short", *must(c.Metric(t.Context(), "m"))(t).Description)
}
