package app

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
)

// TestWarm: a server that is started again answers its first request without
// its database, and what it asked itself before that is on no record.
func TestWarm(t *testing.T) {
	t.Parallel()
	cfg := settings(t, map[string]string{"bootstrap_token": bootstrap})
	log := slog.New(slog.DiscardHandler)
	first := start(t, cfg)
	if err := client.New(first.URL, client.Token(bootstrap)).Record(t.Context(),
		client.Measurement{Name: "hello.tide", Value: 42, Time: time.Now().Unix() - 5, Tags: map[string]string{"host": "web 1"}}); err != nil {
		t.Fatal(err)
	}
	first.end(t)
	again := func(t *testing.T) *rooms {
		rm := opened(t, cfg, log)
		for range followers {
			rm.follows(func() {})()
		}
		return rm
	}
	answer := func(t *testing.T, rm *rooms) int {
		if err := rm.store.Close(); err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/measurements/hello.tide?resolution=60&duration=3600", http.NoBody)
		r.SetBasicAuth(bootstrap, "")
		w := httptest.NewRecorder()
		rm.handler(cfg).ServeHTTP(w, r)
		return w.Code
	}
	t.Run("cold", func(t *testing.T) {
		if code := answer(t, again(t)); code == http.StatusOK {
			t.Error("it answers without its database, too: the test shows nothing")
		}
	})
	t.Run("warm", func(t *testing.T) {
		rm := again(t)
		saved, err := rm.store.Token(t.Context(), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		rm.warm(t.Context(), log)
		if err := rm.usage.Save(t.Context()); err != nil {
			t.Fatal(err)
		}
		uses, err := rm.store.TokenUses(t.Context(), 1, 1, 0)
		if err != nil || len(uses) != 1 || uses[0].Requests != 1 {
			t.Errorf("the token was used once, to record, not %+v, %v", uses, err)
		}
		if at := rm.auth.LastUsed(1, 0); at != 0 {
			t.Errorf("the token was used at %d, after %d", at, saved.LastUsedAt)
		}
		if code := answer(t, rm); code != http.StatusOK {
			t.Errorf("without its database it answers %d", code)
		}
	})
}
