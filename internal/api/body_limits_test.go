package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// TestBodyLimitBeforeSignIn: somebody who has not signed in cannot send much, packed or not.
func TestBodyLimitBeforeSignIn(t *testing.T) {
	w := ownWorld(t)
	long := `{"email":"` + strings.Repeat("a", rest.MaxShortBody) + `"}`
	tried := 0
	for _, rt := range w.Table {
		if rt.Action != rest.Anyone || strings.HasPrefix(rt.Pattern, "GET ") {
			continue
		}
		tried++
		method, target, _ := w.goodRequest(rt)
		for _, rec := range []*httptest.ResponseRecorder{
			w.ask("nobody", method, target, long),
			w.ask("nobody", method, target, string(packed(long, true)), "Content-Encoding", "gzip"),
		} {
			if rec.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: %d %s", rt.Name(), rec.Code, rec.Body)
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d doors are open", tried)
	}
}

// TestBodiesOfTooManyValues: a few KiB that unfold into millions of values are refused before
// they take memory.
func TestBodiesOfTooManyValues(t *testing.T) {
	w := ownWorld(t)
	for _, part := range []string{`{},`, `[],`, `0,`, `"",`, `{"a":0},`} {
		bomb := string(packed(`[`+strings.Repeat(part, rest.MaxBody/len(part)-10)+`0]`, true))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rec := w.ask("admin", "POST", "/v1/spaces", bomb, "Content-Encoding", "gzip")
		runtime.ReadMemStats(&after)
		if rec.Code != http.StatusRequestEntityTooLarge || !strings.Contains(rec.Body.String(), "values") {
			t.Errorf("%s: %d %s", part, rec.Code, rec.Body)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s: %d bytes take %d MiB", part, len(bomb), took>>20)
		}
	}
}

// TestRefusedBeforeRead: who has to wait is told so before the body is read.
func TestRefusedBeforeRead(t *testing.T) {
	w := newWorld(t)
	w.stopClock()
	w.tryOften(50, "")
	r := httptest.NewRequest("POST", "/ui/api/session", unread{t})
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	if rec.Code != http.StatusTooManyRequests {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// tryOften tries to sign in as many people, and goes away each time before the
// password is hashed: a try counts all the same.
func (w *world) tryOften(times int, forwarded string) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for i := range times {
		r := httptest.NewRequestWithContext(gone, "POST", "/ui/api/session", strings.NewReader(fmt.Sprintf(`{"email":"p%d@example.org"}`, i)))
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		w.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// stopClock keeps limits from ending while a slow machine hashes.
func (w *world) stopClock() {
	now := time.Now()
	w.Auth = auth.New(w.Store, func() time.Time { return now })
	w.Auth.Cost = cheap
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, http.ErrBodyReadAfterClose
}

// TestKeysAreNotLogged: a link in the log would work for anyone who reads it.
func TestKeysAreNotLogged(t *testing.T) {
	w := ownWorld(t)
	var log lockedBuffer
	w.Logger = slog.New(slog.NewTextHandler(&log, nil))
	for _, prefix := range []string{"/ui/api/reset/", "/ui/api/shared/"} {
		method := map[bool]string{true: "POST", false: "GET"}[prefix == "/ui/api/reset/"]
		if err := w.Store.Close(); err != nil { // so that every answer is our fault
			t.Fatal(err)
		}
		if rec := w.ask("nobody", method, prefix+"SECRETKEY", `{"password":"correct horse"}`); rec.Code < 500 {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
		if !strings.Contains(log.String(), prefix+"{key}") || strings.Contains(log.String(), "SECRETKEY") {
			t.Errorf("the log has %s", log.String())
		}
	}
}
