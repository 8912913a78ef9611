package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestScheduledBackups: one when due, verified; the oldest go, others' files
// and what was interrupted do not count.
func TestScheduledBackups(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "backups")
	cfg := settings(t, map[string]string{"backup.to": dir, "backup.every": "1h", "backup.keep": "2"})
	log := slog.New(slog.DiscardHandler)
	rm := opened(t, cfg, log)
	begin := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	interrupted := filepath.Join(dir, "20260501T115900Z")
	if err := os.MkdirAll(interrupted, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(interrupted, unfinishedFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		at   time.Duration
		want []string
	}{
		{0, []string{"20260501T120000Z", "notes.txt"}},
		{59 * time.Minute, []string{"20260501T120000Z", "notes.txt"}},
		{time.Hour, []string{"20260501T120000Z", "20260501T130000Z", "notes.txt"}},
		{3 * time.Hour, []string{"20260501T130000Z", "20260501T150000Z", "notes.txt"}},
	} {
		if err := rm.backUpIfDue(t.Context(), cfg, begin.Add(step.at), log); err != nil {
			t.Fatalf("after %v: %v", step.at, err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if d := cmp.Diff(step.want, got); d != "" {
			t.Errorf("after %v: %s", step.at, d)
		}
	}
	if n, at := rm.meters.backups.Load(), rm.meters.backupAt.Load(); n != 3 || at != begin.Add(3*time.Hour).Unix() {
		t.Errorf("%d backups, the last at %d", n, at)
	}
}
