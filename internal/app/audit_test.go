package app

import (
	"bufio"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

// TestAuditIsSentOn: every entry reaches the file and the webhook, from the
// first start on, and the file can be rotated.
func TestAuditIsSentOn(t *testing.T) {
	t.Parallel()
	got := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	defer receiver.Close()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	s := start(t, settings(t, map[string]string{"audit.file": path, "audit.webhook": receiver.URL + "/audit"}))
	c := client.New(s.URL, client.Token(s.Secret))
	space := func(name string) {
		t.Helper()
		if _, err := c.Spaces().Create(t.Context(), map[string]any{"name": name}); err != nil {
			t.Fatal(err)
		}
	}
	space("one")
	checkLines(t, path, `"org.create"`, `"token.create"`, `"object":"space 1 \"one\""`)
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := s.ReopenAudit(); err != nil {
		t.Fatal(err)
	}
	space("two")
	checkLines(t, path, `"actor":"token:first token","address":"127.0.0.1","action":"space.create","object":"space 2 \"two\""`)
	for _, want := range []string{`"org.create"`, `"token.create"`, `"one`, `"two`} {
		if body := <-got; !strings.Contains(body, want) {
			t.Errorf("the webhook got %s, want %s", body, want)
		}
	}
	s.end(t)
}

// checkLines checks that a file has these lines, each of which has a text.
func checkLines(t *testing.T, path string, want ...string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		if n >= len(want) || !strings.Contains(lines.Text(), want[n]) {
			t.Errorf("line %d is %s", n, lines.Text())
		}
	}
	if n != len(want) {
		t.Errorf("%d lines, want %d", n, len(want))
	}
}

// TestAuditSettings: a server whose audit log cannot be sent on does not start.
func TestAuditSettings(t *testing.T) {
	t.Parallel()
	cfg := settings(t, map[string]string{"audit.file": filepath.Join(t.TempDir(), "nosuch", "audit.jsonl")})
	if err := Run(t.Context(), cfg, slog.New(slog.DiscardHandler), func(Started) { t.Error("it started") }); err == nil || !strings.Contains(err.Error(), "audit") {
		t.Errorf("a file in no directory: %v", err)
	}
	for flag, value := range map[string]string{"audit.keep": "1h", "audit.webhook": "siem.example.org"} {
		_, _, err := config.Load(config.Sources{Env: func(string) string { return "" }, Flags: map[string]string{"data": "x", flag: value}})
		if err == nil || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s %s: %v", flag, value, err)
		}
	}
}
