package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/config"
)

// fillAt fills a disk up once a step of a backup or a restore is reached, or,
// of the measurements of a backup, once they are all there.
func fillAt(t *testing.T, disk, step string) Progress {
	t.Helper()
	full := false
	return func(doing string, done, total int64) {
		if doing == step && !full && (step != "measurements" || done == total) {
			full = true
			fillUp(t, disk, "filler")
		}
	}
}

// saysFull reports whether an error says that a disk is full, as Linux does or as
// SQLite does.
func saysFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || err != nil && strings.Contains(err.Error(), "disk is full")
}

// TestBackupToFullDisk: a backup whose disk becomes full at any step fails with
// the reason, and leaves nothing behind that could be taken for one.
func TestBackupToFullDisk(t *testing.T) {
	t.Parallel()
	sqlite, _ := filled(t, nil)
	postgres := onPostgres(t)
	s := start(t, postgres)
	fill(t, s)
	s.end(t)
	for name, c := range map[string]struct {
		cfg          *config.Config
		step, reason string
	}{
		"measurements":    {sqlite, "", "back up the measurements"},
		"SQLite's file":   {sqlite, "measurements", "back up the control store"},
		"PostgreSQL dump": {postgres, "measurements", "back up the control store"},
		"manifest":        {sqlite, "checksums", "write " + manifestFile},
	} {
		t.Run(name, func(t *testing.T) {
			disk := smallDisk(t, "24m")
			dir := filepath.Join(disk, "backup")
			if c.step == "" {
				room(t, disk, 12<<10)
			}
			err := BackUpData(t.Context(), c.cfg, dir, fillAt(t, disk, c.step))
			if !saysFull(err) || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("it says %v", err)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("it left its directory: %v", err)
			}
		})
	}
	for _, step := range []string{"manifest", "send"} { // before the first file, and after it
		t.Run("repository at "+step, func(t *testing.T) {
			disk := smallDisk(t, "24m")
			where := "file://" + disk
			if err := BackUpData(t.Context(), sqlite, where, fillAt(t, disk, step)); !saysFull(err) {
				t.Errorf("it says %v", err)
			}
			if names, err := Backups(t.Context(), sqlite, where); err != nil || len(names) > 0 {
				t.Errorf("the repository has %v, %v", names, err)
			}
			if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
				t.Fatal(err)
			}
			if err := BackUpData(t.Context(), sqlite, where, quiet); err != nil {
				t.Errorf("with room again: %v", err)
			}
		})
	}
}

// room leaves a disk that much.
func room(t *testing.T, disk string, bytes int64) {
	t.Helper()
	filler := fillUp(t, disk, "filler")
	info, err := os.Stat(filler)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filler, info.Size()-bytes); err != nil {
		t.Fatal(err)
	}
}

// TestRestoreToFullDisk: a restore whose disk becomes full fails with the
// reason and leaves nothing of the backup; with room again it does its work.
func TestRestoreToFullDisk(t *testing.T) {
	t.Parallel()
	dir, s := backedUp(t)
	disk := smallDisk(t, "24m")
	cfg := settings(t, map[string]string{"data": filepath.Join(disk, "data")})
	_, err := RestoreData(t.Context(), cfg, dir, "", fillAt(t, disk, "restore"))
	if !saysFull(err) || !strings.Contains(err.Error(), "restore") {
		t.Errorf("it says %v", err)
	}
	if left, err := os.ReadDir(cfg.Data); len(left) != 1 || left[0].Name() != lockFile {
		t.Errorf("it left %v, %v", left, err)
	}
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	if _, err := RestoreData(t.Context(), cfg, dir, "", quiet); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	rm := opened(t, cfg, slog.New(slog.DiscardHandler))
	if some, err := rm.hasMetrics(t.Context(), 1); !some || err != nil {
		t.Errorf("of %s nothing was restored: %v", s.URL, err)
	}
}
