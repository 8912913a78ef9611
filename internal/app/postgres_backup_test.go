package app

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

// onPostgres are the settings of a server on an empty PostgreSQL database.
func onPostgres(t *testing.T) *config.Config {
	t.Helper()
	return settings(t, map[string]string{"database": storetest.Postgres(t)})
}

// serviceSecret is the secret of a service in the data of TestBackupPostgres.
const serviceSecret = "hunter2-of-the-webhook"

// TestBackupPostgres is a restore drill: backups of a running server with its
// control store in PostgreSQL, to a directory and to a repository, are
// restored into empty databases, and servers on them answer with the same
// bytes.
func TestBackupPostgres(t *testing.T) {
	t.Parallel()
	cfg := onPostgres(t)
	s := start(t, cfg)
	fill(t, s)
	fillWide(t, s)
	c := client.New(s.URL, client.Token(s.Secret))
	if _, err := c.Services().Create(t.Context(), map[string]any{"type": "pagerduty", "title": "Page", "settings": map[string]string{
		"service_key": serviceSecret, "event_type": "trigger", "description": "x",
	}}); err != nil {
		t.Fatal(err)
	}
	before := answers(t, s)
	s.end(t)
	dir, repo := filepath.Join(t.TempDir(), "backup"), t.TempDir()
	for _, where := range []string{dir, "file://" + repo} {
		if err := BackUpData(t.Context(), cfg, where, quiet); err != nil {
			t.Fatal(err)
		}
	}
	noKeys(t, cfg, dir)
	sent := len(filesOf(t, repo))
	if err := BackUpData(t.Context(), cfg, "file://"+repo, quiet); err != nil {
		t.Fatal(err)
	}
	if again := len(filesOf(t, repo)); again > sent+10 {
		t.Errorf("a second backup sent %d files beside %d: tables that did not change are sent again", again-sent, sent)
	}
	for _, where := range []string{dir, "file://" + repo} {
		restored := onPostgres(t)
		if m, err := RestoreData(t.Context(), restored, where, "", quiet); err != nil || !m.HasControlStore() {
			t.Fatalf("%s: %+v, %v", where, m, err)
		}
		if note, err := SecretsNote(t.Context(), restored); err != nil || !strings.Contains(note, "put the key file at") {
			t.Errorf("%q, %v", note, err)
		}
		if left, _ := filepath.Glob(filepath.Join(restored.Data, "*")); strings.Contains(strings.Join(left, " "), dumpDir) {
			t.Errorf("the dump is still there: %v", left)
		}
		copyFile(t, filepath.Join(cfg.Data, keyFile), filepath.Join(restored.Data, keyFile))
		again := start(t, restored)
		again.Secret = s.Secret
		sameAnswers(t, again, before)
		again.end(t)
	}
}

// noKeys fails if a backup has the key that secrets are encrypted with, or a
// secret that is not.
func noKeys(t *testing.T, cfg *config.Config, dir string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(cfg.Data, keyFile))
	if err != nil {
		t.Fatal(err)
	}
	parts := append(bytes.Fields(key), []byte(serviceSecret))
	change(t, eachBelow(dir, func(path string, d fs.DirEntry) error {
		if d.IsDir() {
			return nil
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		for _, part := range parts {
			if len(part) >= 20 && bytes.Contains(content, part) {
				t.Errorf("%s has %q in it", path, part[:8])
			}
		}
		return err
	}))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	change(t, err)
	change(t, os.WriteFile(to, content, 0o600))
}

// TestRestorePostgresRefuses: a dump that is damaged, and a database that is
// not empty or not named, with the reason; nothing is restored.
func TestRestorePostgresRefuses(t *testing.T) {
	t.Parallel()
	cfg, _ := filled(t, map[string]string{"database": storetest.Postgres(t)})
	dir := filepath.Join(t.TempDir(), "backup")
	change(t, BackUpData(t.Context(), cfg, dir, quiet))
	refused := func(into *config.Config, from, want string) {
		t.Helper()
		if _, err := RestoreData(t.Context(), into, from, "", quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if left, _ := os.ReadDir(into.Data); len(left) > 1 {
			t.Errorf("a refused restore left %v", left)
		}
	}
	refused(settings(t, nil), dir, "name an empty PostgreSQL database with the setting database")
	refused(settings(t, map[string]string{"database": cfg.Database}), dir, "is not empty")
	for file, want := range map[string]string{"alerts.copy": "postgresql/alerts.copy is damaged: its checksum is wrong", "dump.json": "postgresql/dump.json is damaged: its checksum is wrong"} {
		damaged, into := filepath.Join(t.TempDir(), "backup"), onPostgres(t)
		change(t, os.CopyFS(damaged, os.DirFS(dir)))
		change(t, flip(filepath.Join(damaged, dumpDir, file)))
		refused(into, damaged, want)
		change(t, store.CanLoadDump(t.Context(), into.DatabaseURL()))
	}
}

// TestRestoreBackupWithoutDump: versions before dumped nothing; their backups
// still give the measurements back.
func TestRestoreBackupWithoutDump(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, measurementsDir, "a"), "one")
	m := &Manifest{Format: manifestFormat, Version: "0.1.0", Created: time.Unix(1_700_000_000, 0).UTC(), ControlStore: controlPostgres}
	change(t, m.collect(t.Context(), dir, quiet))
	change(t, m.write(dir))
	if m, err := RestoreData(t.Context(), settings(t, nil), dir, "", quiet); err != nil || m.HasControlStore() {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestRestorePostgresKilled: until the end the database is as empty as it was,
// no server starts, and the restore can be begun again.
func TestRestorePostgresKilled(t *testing.T) {
	t.Parallel()
	cfg, s := filled(t, map[string]string{"database": storetest.Postgres(t)})
	dir := filepath.Join(t.TempDir(), "backup")
	change(t, BackUpData(t.Context(), cfg, dir, quiet))
	restored := onPostgres(t)
	for _, step := range []string{"restore", "control store", "move measurements"} {
		killAt(t, step, restored.Data, restored.Database, dir)
		err := Run(t.Context(), restored, slog.New(slog.DiscardHandler), func(Started) { t.Error("it started") })
		if err == nil || !strings.Contains(err.Error(), "was not restored to the end") {
			t.Errorf("a server on what was killed at %s: %v", step, err)
		}
	}
	if _, err := RestoreData(t.Context(), restored, dir, "", quiet); err != nil {
		t.Fatal(err)
	}
	again := start(t, restored)
	again.Secret = s.Secret
	check(t, again)
	again.end(t)
}
