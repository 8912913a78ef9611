package app

import (
	"log/slog"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/objects/objectstest"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

// TestScheduledDrill restores what the server backs up by itself, from every
// kind of place and with either kind of control store: the restored server
// answers with the same bytes, the control store included. Where files are
// kept once, the second backup sends only what the first had not.
func TestScheduledDrill(t *testing.T) {
	t.Parallel()
	controls := map[string]func(t *testing.T) map[string]string{
		"SQLite":     func(*testing.T) map[string]string { return nil },
		"PostgreSQL": func(t *testing.T) map[string]string { return map[string]string{"database": storetest.Postgres(t)} },
	}
	places := map[string]func(t *testing.T) map[string]string{
		"directory": func(t *testing.T) map[string]string {
			return map[string]string{"backup.to": filepath.Join(t.TempDir(), "backups")}
		},
		"repository": func(t *testing.T) map[string]string { return map[string]string{"backup.to": "file://" + t.TempDir()} },
		"S3":         inBucket,
	}
	for control, database := range controls {
		for place, to := range places {
			t.Run(control+" to "+place, func(t *testing.T) { t.Parallel(); drill(t, database, to(t)) })
		}
	}
}

// inBucket are the settings of backups to storage that speaks S3.
func inBucket(t *testing.T) map[string]string {
	t.Helper()
	p := objectstest.Start(t)
	return map[string]string{"backup.to": "s3://" + p.Bucket + "/tidemark", "backup.s3_endpoint": p.Endpoint, "backup.s3_region": p.Region,
		"backup.s3_access_key": p.AccessKey, "backup.s3_secret_key": p.SecretKey}
}

// drill makes two backups by the clock and restores both.
func drill(t *testing.T, database func(t *testing.T) map[string]string, backups map[string]string) {
	t.Helper()
	plain, s := filled(t, database(t))
	again := start(t, plain)
	again.Secret = s.Secret
	want := answers(t, again)
	again.end(t)
	flags := map[string]string{"data": plain.Data, "database": plain.Database, "backup.every": "1h"}
	maps.Copy(flags, backups)
	cfg := settings(t, flags)
	begin := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	sent := backUpAt(t, cfg, begin, begin.Add(2*time.Hour))
	if len(sent) == 2 && sent[1] >= sent[0] {
		t.Errorf("the first backup sent %d files, the second %d", sent[0], sent[1])
	}
	for _, at := range []time.Time{begin, begin.Add(2 * time.Hour)} {
		into := database(t)
		if into == nil {
			into = make(map[string]string)
		}
		maps.Copy(into, backups)
		restored := settings(t, into)
		from, name := cfg.Backup.To, at.Format(backupName)
		if !strings.Contains(from, "://") {
			from, name = filepath.Join(from, name), ""
		}
		m, err := RestoreData(t.Context(), restored, from, name, quiet)
		if err != nil || !m.HasControlStore() || m.hasDump() != (cfg.Database != "") {
			t.Fatalf("%v: %+v, %v", at, m, err)
		}
		copyFile(t, filepath.Join(cfg.Data, keyFile), filepath.Join(restored.Data, keyFile))
		again := start(t, restored)
		again.Secret = s.Secret
		sameAnswers(t, again, want)
		again.end(t)
	}
}

// backUpAt makes the backups that are due at each of these times, and returns
// how many files each added where files are kept once.
func backUpAt(t *testing.T, cfg *config.Config, times ...time.Time) []int {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	rm := opened(t, cfg, log)
	var sent []int
	before := 0
	for _, at := range times {
		if err := rm.backUpIfDue(t.Context(), cfg, at, log); err != nil {
			t.Fatalf("the backup of %v: %v", at, err)
		}
		if to, err := openDestination(cfg); err != nil {
			t.Fatal(err)
		} else if r, ok := to.(repository); ok {
			has, err := r.sizes(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			sent, before = append(sent, len(has)-before), len(has)
		}
	}
	return sent
}
