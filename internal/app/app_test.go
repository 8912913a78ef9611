package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

const bootstrap = "0123456789abcdef0123456789abcdef"

// settings are those of a server on a port of its own.
func settings(t *testing.T, flags map[string]string) *config.Config {
	t.Helper()
	all := map[string]string{"data": filepath.Join(t.TempDir(), "data"), "listen": "127.0.0.1:0"}
	maps.Copy(all, flags)
	cfg, _, err := config.Load(config.Sources{Env: func(string) string { return "" }, Flags: all})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// opened are the rooms of a server that does not run, closed with t.
func opened(t *testing.T, cfg *config.Config, log *slog.Logger) *rooms {
	t.Helper()
	unlock, err := Lock(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unlock)
	rm, err := open(t.Context(), cfg, log, &meters{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rm.close(log) })
	return rm
}

// server is a server that runs in this process.
type server struct {
	Started
	stop func()
	done chan error
}

func start(t *testing.T, cfg *config.Config) *server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{stop: cancel, done: make(chan error, 1)}
	ready := make(chan Started, 1)
	go func() { s.done <- Run(ctx, cfg, slog.New(slog.DiscardHandler), func(st Started) { ready <- st }) }()
	t.Cleanup(cancel)
	select {
	case s.Started = <-ready:
	case err := <-s.done:
		t.Fatalf("the server does not start: %v", err)
	}
	return s
}

// end stops the server and waits for its end.
func (s *server) end(t *testing.T) {
	t.Helper()
	s.stop()
	if err := <-s.done; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// TestRestart lives a server's life on both databases: start, the first token,
// record, read back, stop, start again, and everything is still there.
func TestRestart(t *testing.T) {
	databases := map[string]func(t *testing.T) string{
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	}
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := settings(t, map[string]string{"database": database(t)})
			first := start(t, cfg)
			if first.Secret == "" || !strings.HasPrefix(first.Setup, first.URL+"/setup/") {
				t.Fatalf("a new server tells %+v", first.Started)
			}
			fill(t, first)
			first.end(t)
			second := start(t, cfg)
			if second.Secret != "" {
				t.Error("the first token is shown twice")
			}
			second.Secret = first.Secret
			check(t, second)
			second.end(t)
		})
	}
}

func fill(t *testing.T, s *server) {
	t.Helper()
	c := client.New(s.URL, client.Token(s.Secret))
	now := time.Now().Unix()
	tags := map[string]string{"host": "web-1"}
	if err := c.Record(t.Context(), client.Measurement{Name: "hello.tide", Value: 42, Time: now, Tags: tags}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Services().Create(t.Context(), map[string]any{"type": "mail", "title": "Ops", "settings": map[string]string{"addresses": "ops@example.org"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Alerts().Create(t.Context(), map[string]any{
		"name": "tide.high", "services": []int64{1},
		"conditions": []map[string]any{{"type": "above", "metric_name": "hello.tide", "threshold": 100}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Annotate(t.Context(), "releases", &tidemark.AnnotationEvent{Title: "4.12", StartTime: now, Links: []tidemark.Link{}}); err != nil {
		t.Fatal(err)
	}
	space, err := c.Spaces().Create(t.Context(), map[string]any{"name": "Tides"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateChart(t.Context(), space.ID, map[string]any{"name": "Tide", "streams": []map[string]any{{"metric": "hello.tide"}}}); err != nil {
		t.Fatal(err)
	}
	check(t, s)
}

// check reads back what fill made.
func check(t *testing.T, s *server) {
	t.Helper()
	c := client.New(s.URL, client.Token(s.Secret))
	series, err := c.Measurements(t.Context(), "hello.tide", url.Values{"resolution": {"60"}, "duration": {"3600"}})
	if err != nil || len(series) != 1 || len(series[0].Measurements) != 1 || series[0].Measurements[0].Value != 42 || series[0].Tags["host"] != "web-1" {
		t.Errorf("measurements: %+v, %v", series, err)
	}
	alert, err := c.Alerts().Get(t.Context(), 1)
	if err != nil || alert.Name != "tide.high" || len(alert.Services) != 1 || len(alert.Conditions) != 1 {
		t.Errorf("alert: %+v, %v", alert, err)
	}
	var charts []tidemark.Chart
	if err := c.Do(t.Context(), http.MethodGet, "/v1/spaces/1/charts", nil, &charts); err != nil || len(charts) != 1 {
		t.Errorf("charts: %+v, %v", charts, err)
	}
	var stream struct {
		Events map[string][]tidemark.AnnotationEvent
	}
	if err := c.Do(t.Context(), http.MethodGet, "/v1/annotations/releases?count=10", nil, &stream); err != nil || len(stream.Events["unassigned"]) != 1 {
		t.Errorf("annotations: %+v, %v", stream, err)
	}
	audit, err := c.Audit(t.Context())
	if err != nil || len(audit) == 0 {
		t.Errorf("audit: %+v, %v", audit, err)
	}
}

// TestBootstrapToken: the operator may choose the first token, which is then
// not shown; one that cannot be a token is refused before anything is made.
func TestBootstrapToken(t *testing.T) {
	s := start(t, settings(t, map[string]string{"bootstrap_token": bootstrap}))
	if s.Secret != "" {
		t.Error("a chosen token is shown")
	}
	if _, err := client.New(s.URL, client.Token(bootstrap)).Tokens().List(t.Context()); err != nil {
		t.Error(err)
	}
	s.end(t)
	cfg := settings(t, map[string]string{"bootstrap_token": "short"})
	err := Run(t.Context(), cfg, slog.New(slog.DiscardHandler), func(Started) { t.Error("it started") })
	if err == nil || !strings.Contains(err.Error(), "bootstrap token") {
		t.Errorf("a bad token: %v", err)
	}
}

// TestSecondProcess: one data directory, one server.
func TestSecondProcess(t *testing.T) {
	cfg := settings(t, nil)
	s := start(t, cfg)
	err := Run(t.Context(), cfg, slog.New(slog.DiscardHandler), func(Started) { t.Error("it started") })
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), cfg.Data) {
		t.Errorf("a second server: %v", err)
	}
	s.end(t)
}

// TestDrain stops a server while the body of a request is still on its way:
// the request is answered and kept, new ones are refused, and then it ends.
func TestDrain(t *testing.T) {
	cfg := settings(t, map[string]string{"bootstrap_token": bootstrap})
	s := start(t, cfg)
	body, rest := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/measurements", body)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(bootstrap, "")
	// The body is sent once the server asks for it, so that the request is
	// under way for sure when its first byte is taken.
	req.Header.Set("Expect", "100-continue")
	slow := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	answered := make(chan int, 1)
	go func() {
		resp, err := slow.Do(req)
		if err != nil {
			t.Error(err)
			answered <- 0
			return
		}
		resp.Body.Close()
		answered <- resp.StatusCode
	}()
	if _, err := io.WriteString(rest, `{"measurements":[{"name":"slow",`); err != nil {
		t.Fatal(err)
	}
	s.stop()
	waitUntilClosed(t, strings.TrimPrefix(s.URL, "http://"))
	select {
	case err := <-s.done:
		t.Fatalf("the server ended in the middle of a request: %v", err)
	default:
	}
	if _, err := io.WriteString(rest, `"value":7}]}`); err != nil {
		t.Fatal(err)
	}
	rest.Close()
	if status := <-answered; status != http.StatusAccepted {
		t.Errorf("the request under way got %d", status)
	}
	if err := <-s.done; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	again := start(t, cfg)
	series, err := client.New(again.URL, client.Token(bootstrap)).Measurements(t.Context(), "slow", url.Values{"resolution": {"60"}, "duration": {"3600"}})
	if err != nil || len(series) != 1 || series[0].Measurements[0].Value != 7 {
		t.Errorf("what the last request recorded: %+v, %v", series, err)
	}
	again.end(t)
}

// waitUntilClosed waits until nobody new is let in.
func waitUntilClosed(t *testing.T, address string) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		conn.Close()
		select {
		case <-t.Context().Done():
			t.Fatal("the server goes on listening")
		case <-time.After(5 * time.Millisecond):
		}
	}
}
