package app

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestMigrationIsLogged: each step, and once how to go back, with the latest
// backup.
func TestMigrationIsLogged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for to, want := range map[string]string{"": "none by backup.to", dir: "none in " + dir, "file://" + dir: "none in file://" + dir} {
		var out bytes.Buffer
		cfg := settings(t, nil)
		cfg.Backup.To = to
		say := sayMigration(t.Context(), cfg, slog.New(slog.NewTextHandler(&out, nil)))
		say(store.Migration{Name: "0002_a", Step: 1, Of: 2})
		say(store.Migration{Name: "0003_b", Step: 2, Of: 2})
		text := out.String()
		for _, part := range []string{"migration=0002_a step=1 of=2", "migration=0003_b step=2 of=2", `last_backup="` + want + `"`} {
			if !strings.Contains(text, part) {
				t.Errorf("backup.to %q: no %s in\n%s", to, part, text)
			}
		}
		if strings.Count(text, "restore a backup from before (docs/upgrading.md)") != 1 {
			t.Errorf("how to go back:\n%s", text)
		}
	}
	cfg, _ := filled(t, nil)
	cfg.Backup.To = "file://" + t.TempDir()
	change(t, BackUpData(t.Context(), cfg, cfg.Backup.To, quiet))
	if got := lastBackup(t.Context(), cfg); !strings.HasSuffix(got, "Z in "+cfg.Backup.To) {
		t.Errorf("the latest backup is %s", got)
	}
	change(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	cfg.Backup.To = filepath.Join(dir, "file")
	if got := lastBackup(t.Context(), cfg); !strings.HasPrefix(got, "unknown: ") {
		t.Errorf("of a file: %s", got)
	}
}
