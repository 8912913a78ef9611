package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse/clickhousetest"
)

// refused starts a server that must not start, and returns why it does not.
func refused(t *testing.T, cfg *config.Config) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := Run(ctx, cfg, slog.New(slog.DiscardHandler), func(Started) { cancel() })
	if err == nil {
		t.Fatal("the server starts")
	}
	return err.Error()
}

// TestEmbeddedAlone: two servers on one PostgreSQL, each with measurements of
// its own, would each show half.
func TestEmbeddedAlone(t *testing.T) {
	t.Parallel()
	database := map[string]string{"database": storetest.Postgres(t)}
	first := start(t, settings(t, database))
	why := refused(t, settings(t, database))
	for _, want := range []string{"is running on this database", "engine: clickhouse", "a database of its own"} {
		if !strings.Contains(why, want) {
			t.Errorf("refused with %q, want %q in it", why, want)
		}
	}
	first.end(t)
	second := start(t, settings(t, database)) // the first has left
	second.end(t)
}

// TestServersOnClickHouse writes through one server and reads through another.
func TestServersOnClickHouse(t *testing.T) {
	t.Parallel()
	url, database := clickhousetest.Database(t)
	flags := map[string]string{
		"database": storetest.Postgres(t), "engine": "clickhouse", "clickhouse.urls": url, "clickhouse.database": database, "bootstrap_token": bootstrap,
		"secrets.key_file": filepath.Join(t.TempDir(), "secrets.key"),
	}
	first := start(t, settings(t, flags))
	second := start(t, settings(t, flags))
	_, one, _ := strings.Cut(first.Setup, "/setup/")
	if _, other, _ := strings.Cut(second.Setup, "/setup/"); one == "" || one != other {
		t.Errorf("set-up links %s and %s: the first one must work, too", first.Setup, second.Setup)
	}
	first.Secret, second.Secret = bootstrap, bootstrap
	fill(t, first)
	check(t, second)
	for _, s := range []*server{first, second} {
		resp, err := http.Get(s.URL + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("/readyz: %s %s", resp.Status, text)
		}
	}
	if why := refused(t, settings(t, map[string]string{"database": flags["database"]})); !strings.Contains(why, "engine: clickhouse") {
		t.Errorf("a server of its own beside them: %s", why)
	}
	if err := CheckEngine(t.Context(), settings(t, flags)); err != nil {
		t.Errorf("check of the engine: %v", err)
	}
	first.end(t)
	second.end(t)
}

// TestServersWithOneAway: /readyz says which server of ClickHouse does not answer,
// and that this one is ready nevertheless.
func TestServersWithOneAway(t *testing.T) {
	t.Parallel()
	urls := clickhousetest.Shards(t)
	flags := map[string]string{
		"database": storetest.Postgres(t), "engine": "clickhouse", "clickhouse.urls": urls, "clickhouse.cluster": "shards",
		"clickhouse.database": clickhousetest.DatabaseOn(t, urls), "secrets.key_file": filepath.Join(t.TempDir(), "secrets.key"),
	}
	for _, away := range []bool{false, true} {
		s := start(t, settings(t, flags))
		resp, err := http.Get(s.URL + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		said := strings.Contains(string(text), "\nserver 3 of the 3 in clickhouse.urls: ClickHouse cannot be reached\n")
		if resp.StatusCode != http.StatusOK || said != away {
			t.Errorf("one is away: %v, /readyz: %s %q", away, resp.Status, text)
		}
		s.end(t)
		flags["clickhouse.urls"] = urls + ",http://127.0.0.1:1" // nobody is there
	}
}
