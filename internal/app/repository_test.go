package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/config"
)

// filesOf are the files of the repository in dir, with when each was written.
func filesOf(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	all, err := mustRepository(t, dir).List(t.Context(), filesPrefix)
	if err != nil {
		t.Fatal(err)
	}
	times := make(map[string]time.Time)
	for _, o := range all {
		times[o.Name] = o.Modified
	}
	return times
}

func mustRepository(t *testing.T, dir string) repository {
	t.Helper()
	r, err := openRepository(&config.Config{}, "file://"+dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRepository: a second backup sends what the first had not, and both can
// be restored: they answer with the same bytes.
func TestRepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain, s := filled(t, nil)
	again := start(t, plain)
	again.Secret = s.Secret
	first := answers(t, again)
	again.end(t)
	// The server above makes no backups by the clock: it would have its own idea of the time.
	cfg := settings(t, map[string]string{"data": plain.Data, "backup.to": "file://" + dir, "backup.every": "1h", "backup.keep": "5"})
	unlock, err := Lock(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	rm, err := open(t.Context(), cfg, log, &meters{})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, at := range []time.Duration{0, time.Minute, 2 * time.Hour} {
		before := filesOf(t, dir)
		if err := rm.backUpIfDue(t.Context(), cfg, begin.Add(at), log); err != nil {
			t.Fatal(err)
		}
		after := filesOf(t, dir)
		for name, written := range before {
			if !after[name].Equal(written) {
				t.Errorf("after %v: %s was sent again", at, name)
			}
		}
		if at == 2*time.Hour && len(after) >= 2*len(before) {
			t.Errorf("%d files, then %d: nothing was shared", len(before), len(after))
		}
	}
	rm.close(log)
	unlock()
	if _, err := os.Stat(filepath.Join(cfg.Data, stagingDir)); !os.IsNotExist(err) {
		t.Errorf("the staging directory is still there: %v", err)
	}
	names, err := Backups(t.Context(), cfg, "file://"+dir)
	if err != nil || !slices.Equal(names, []string{"20260501T120000Z", "20260501T140000Z"}) {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range append(names, "") {
		restored := settings(t, nil)
		if _, err := RestoreData(t.Context(), restored, "file://"+dir, name, quiet); err != nil {
			t.Fatal(err)
		}
		again := start(t, restored)
		again.Secret = s.Secret
		sameAnswers(t, again, first)
		again.end(t)
	}
}

// TestRepositoryDamage: what is wrong with a backup in a repository is found
// by reading it, and while it is restored.
func TestRepositoryDamage(t *testing.T) {
	t.Parallel()
	cfg, _ := filled(t, nil)
	for name, tt := range map[string]struct {
		damage func(t *testing.T, file string)
		want   string
	}{
		"missing": {func(t *testing.T, file string) { change(t, os.Remove(file)) }, "is missing"},
		"cut":     {func(t *testing.T, file string) { change(t, os.Truncate(file, 3)) }, "has 3 bytes instead of"},
		"changed": {func(t *testing.T, file string) {
			content, err := os.ReadFile(file)
			change(t, err)
			content[len(content)/2] ^= 1
			change(t, os.WriteFile(file, content, 0o600))
		}, "is damaged: its checksum is wrong"},
	} {
		dir := t.TempDir()
		if err := BackUpData(t.Context(), cfg, "file://"+dir, quiet); err != nil {
			t.Fatal(err)
		}
		if _, err := VerifyBackup(t.Context(), cfg, "file://"+dir, "", quiet); err != nil {
			t.Fatal(err)
		}
		m, err := mustRepository(t, dir).manifest(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		full := slices.IndexFunc(m.Files, func(f manifestItem) bool { return f.Size > 3 }) // the engine's log is empty at first
		object := fileName(m.Files[full].SHA256)
		tt.damage(t, filepath.Join(dir, object))
		want := m.Files[full].Path + " (" + object + ") " + tt.want
		if _, err := VerifyBackup(t.Context(), cfg, "file://"+dir, "", quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: verify: %v", name, err)
		}
		into := settings(t, nil)
		if _, err := RestoreData(t.Context(), into, "file://"+dir, "", quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: restore: %v", name, err)
		}
		if left, _ := os.ReadDir(into.Data); slices.ContainsFunc(left, func(e os.DirEntry) bool { return e.Name() != lockFile }) {
			t.Errorf("%s: a failed restore left %v", name, left)
		}
	}
}

func change(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRepositoryRefuses: storage that refuses does so before a backup is made
// for it.
func TestRepositoryRefuses(t *testing.T) {
	t.Parallel()
	plain, _ := filled(t, nil)
	flags := inBucket(t)
	flags["data"], flags["backup.s3_secret_key"] = plain.Data, "WRONG"
	cfg := settings(t, flags)
	progress := func(doing string, _, _ int64) { t.Errorf("it does %s", doing) }
	if err := BackUpData(t.Context(), cfg, cfg.Backup.To, progress); err == nil || !strings.Contains(err.Error(), "SignatureDoesNotMatch") {
		t.Errorf("%v", err)
	}
}

// TestRepositoryTrim: with a backup go the files that no other names, unless
// they are so young that one may be under way.
func TestRepositoryTrim(t *testing.T) {
	t.Parallel()
	cfg, _ := filled(t, nil)
	for _, flags := range []map[string]string{{"backup.to": "file://" + t.TempDir()}, inBucket(t)} {
		to := settings(t, flags)
		r, err := openRepository(to, to.Backup.To)
		if err != nil {
			t.Fatal(err)
		}
		trims(t, cfg, r)
	}
}

func trims(t *testing.T, cfg *config.Config, r repository) {
	t.Helper()
	files := func() int {
		all, err := r.List(t.Context(), filesPrefix)
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	for _, name := range []string{"20260501T120000Z", "20260501T130000Z"} {
		backupDir := filepath.Join(t.TempDir(), "backup")
		if err := BackUpData(t.Context(), cfg, backupDir, quiet); err != nil {
			t.Fatal(err)
		}
		m, err := ReadManifest(backupDir)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.push(t.Context(), backupDir, m, name, quiet); err != nil {
			t.Fatal(err)
		}
	}
	both := files()
	now := time.Now()
	if err := r.trim(t.Context(), 1, now); err != nil {
		t.Fatal(err)
	}
	if n := files(); n != both {
		t.Errorf("%d files of %d were deleted although they are young", both-n, both)
	}
	if err := r.trim(t.Context(), 1, now.Add(2*unusedFor)); err != nil {
		t.Fatal(err)
	}
	if n := files(); n >= both {
		t.Errorf("nothing was deleted of %d files", both)
	}
	if names, err := r.names(t.Context()); err != nil || !slices.Equal(names, []string{"20260501T130000Z"}) {
		t.Errorf("%v, %v", names, err)
	}
	m, err := r.manifest(t.Context(), "")
	if err == nil {
		err = r.verify(t.Context(), m, quiet)
	}
	if err != nil {
		t.Errorf("the backup that is kept: %v", err)
	}
}
