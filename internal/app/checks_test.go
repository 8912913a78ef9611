package app

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestHeartbeatAddress calls a heartbeat in every way that docs/checks.md
// shows, and one too often, which delays no other.
func TestHeartbeatAddress(t *testing.T) {
	t.Parallel()
	cfg := settings(t, nil)
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), cfg.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	org, err := st.CreateOrg(t.Context(), tidemark.ServerActor(), "ours")
	if err != nil {
		t.Fatal(err)
	}
	const key = tidemark.Secret("KEYOFTHEHEARTBEAT")
	c := tidemark.NewCheck()
	c.Name, c.Kind = "backup", tidemark.CheckHeartbeat
	if err := st.CreateCheck(t.Context(), org.ID, tidemark.ServerActor(), c, c.NewAlert(tidemark.CheckAlert{}), nil, key.Hash()); err != nil {
		t.Fatal(err)
	}
	often := tidemark.NewCheck()
	often.Name, often.Kind = "crowd", tidemark.CheckHeartbeat
	if err := st.CreateCheck(t.Context(), org.ID, tidemark.ServerActor(), often, often.NewAlert(tidemark.CheckAlert{}), nil, tidemark.Secret("CROWD").Hash()); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	s := start(t, cfg)
	text, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`/heartbeat/\$KEY[a-z/]*`).FindAllString(string(text), -1)
	if len(shown) < 5 {
		t.Fatalf("%d addresses in the document", len(shown))
	}
	for _, path := range shown {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			beat(t, method, s.URL+strings.Replace(path, "$KEY", key.Reveal(), 1), http.StatusOK)
		}
	}
	beat(t, "GET", s.URL+"/heartbeat/OTHER", http.StatusNotFound)
	crowd := s.URL + "/heartbeat/CROWD"
	for range 120 {
		beat(t, "GET", crowd, http.StatusOK)
	}
	beat(t, "GET", crowd, http.StatusTooManyRequests)
	beat(t, "GET", s.URL+"/heartbeat/"+key.Reveal()+"/fail", http.StatusOK) // another goes on
	beat(t, "GET", s.URL+"/heartbeat/"+key.Reveal()+"/other", http.StatusNotFound)
	beat(t, "DELETE", s.URL+"/heartbeat/"+key.Reveal(), http.StatusMethodNotAllowed)
	s.end(t)
	if st, err = store.Open(context.Background(), cfg.DatabaseURL()); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	got, err := st.Check(t.Context(), org.ID, c.ID)
	if err != nil || got.RanAt == 0 || got.Up || got.Said != "the job said that it failed" {
		t.Errorf("%+v %v", got, err)
	}
}

func beat(t *testing.T, method, url string, status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != status {
		t.Errorf("%s %s: %d %v, want %d", method, url, res.StatusCode, err, status)
	}
}
