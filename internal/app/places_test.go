package app

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/agent"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// withChecks starts a server whose first organization has checks, each with
// its alert and the one for silence.
func withChecks(t *testing.T, cfg *config.Config, checks ...*tidemark.Check) *server {
	t.Helper()
	first := start(t, cfg)
	secret := first.Secret
	first.end(t)
	st, err := store.Open(t.Context(), cfg.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	orgs, err := st.Orgs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if err := st.CreateCheck(t.Context(), orgs[0].ID, tidemark.ServerActor(), c, c.NewAlert(tidemark.CheckAlert{}), c.NewSilenceAlert(nil), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	s := start(t, cfg)
	s.Secret = secret
	return s
}

// TestChecksFromAgents: a real agent with a token that may only record runs
// the checks that are given to its tag, and what it finds is there under its
// name; its silence makes the alert for it fire.
func TestChecksFromAgents(t *testing.T) {
	t.Parallel()
	given, silent := tidemark.NewCheck(), tidemark.NewCheck()
	given.Name, given.Kind, given.Target, given.Places = "nothing there", tidemark.CheckTCP, "127.0.0.1:1", []string{"tag:role=edge"}
	silent.Name, silent.Target, silent.Places = "gone", "https://example.org/", []string{"agent:web-02"}
	s := withChecks(t, settings(t, nil), given, silent)
	defer s.end(t)
	admin := "Bearer " + s.Secret.Reveal()
	_, text := s.ask(t, http.MethodPost, "/v1/api_tokens", `{"name":"agents","role":"recorder"}`, "Authorization", admin)
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Token == "" {
		t.Fatal(text)
	}

	cfg := agent.Defaults()
	cfg.Server, cfg.TokenText, cfg.Host, cfg.Tags, cfg.Every, cfg.Spool.Dir = s.URL, made.Token, "web-01", map[string]string{"role": "edge"}, time.Second, t.TempDir()
	cfg.Checks.Allow = []string{"127.0.0.1/32"}
	a, err := agent.New(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		_, text := s.ask(t, http.MethodGet, "/v1/measurements/check.up?duration=300&resolution=1", "", "Authorization", admin)
		if strings.Contains(text, `"tags":{"check":"nothing there","kind":"tcp","place":"web-01"},"measurements":[{"time":`) && strings.Contains(text, `"value":0`) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("it found nothing: %s", text)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	s.checkSilence(t, silent, "Bearer "+made.Token, admin)
}

// checkSilence has an agent find something up to a while ago, and asks what the
// alert for its silence would have done since.
func (s *server) checkSilence(t *testing.T, c *tidemark.Check, recorder, admin string) {
	t.Helper()
	if status, text := s.ask(t, http.MethodPost, "/v1/places", `{"name":"web-02"}`, "Authorization", recorder); status != 200 || !strings.Contains(text, `"kind":"http"`) {
		t.Fatalf("%d %s", status, text)
	}
	now := time.Now().Unix()
	for at := now - 1800; at <= now-1200; at += 60 {
		body := fmt.Sprintf(`{"place":"web-02","results":[{"check":%d,"time":%d,"up":true,"duration":0.1}]}`, c.ID, at)
		if status, text := s.ask(t, http.MethodPost, "/v1/places/results", body, "Authorization", recorder); status != 200 || !strings.Contains(text, `"recorded":1`) {
			t.Fatalf("%d %s", status, text)
		}
	}
	_, text := s.ask(t, http.MethodGet, "/v1/alerts?name=gone+is+silent", "", "Authorization", admin)
	var found struct {
		Alerts []struct{ Conditions json.RawMessage }
	}
	if err := json.Unmarshal([]byte(text), &found); err != nil || len(found.Alerts) != 1 {
		t.Fatal(text)
	}
	body := fmt.Sprintf(`{"alert":{"conditions":%s},"start_time":%d,"end_time":%d}`, found.Alerts[0].Conditions, now-1800, now)
	if _, text := s.ask(t, http.MethodPost, "/v1/alerts/preview", body, "Authorization", admin); !strings.Contains(text, `"fired":1,`) {
		t.Errorf("its silence: %.400s", text)
	}
}
