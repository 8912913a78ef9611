package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

func quiet(string, int64, int64) {}

// filled is a data directory with one of everything in it, no server on it.
func filled(t *testing.T, flags map[string]string) (*config.Config, *server) {
	t.Helper()
	cfg := settings(t, flags)
	s := start(t, cfg)
	fill(t, s)
	fillWide(t, s)
	s.end(t)
	return cfg, s
}

// backedUp is a backup of such a directory.
func backedUp(t *testing.T) (dir string, s *server) {
	t.Helper()
	cfg, s := filled(t, nil)
	dir = filepath.Join(t.TempDir(), "backup")
	if err := BackUpData(t.Context(), cfg, dir, quiet); err != nil {
		t.Fatal(err)
	}
	return dir, s
}

// TestBackupUnderLoad backs a server up while it takes measurements, restores
// the backup, and asks both servers: what was there before answers with the
// same bytes, and of the load it has all until one moment of the backup.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	cfg := settings(t, nil)
	s := start(t, cfg)
	fill(t, s)
	fillWide(t, s)
	before := answers(t, s)
	ctx, stop := context.WithCancel(t.Context())
	done, sent := make(chan struct{}), new(atomic.Int64)
	go func() {
		defer close(done)
		load(ctx, s, sent)
	}()
	for sent.Load() < 3 && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	acknowledged := sent.Load()
	dir := filepath.Join(t.TempDir(), "backup")
	if said := backUpBy(t, cfg, dir); strings.Contains(said, "error") {
		t.Fatal(said)
	}
	stop()
	<-done
	s.end(t)

	restored := settings(t, nil)
	m, err := RestoreData(t.Context(), restored, dir, "", quiet)
	if err != nil || !m.HasControlStore() || m.Version != Version() || time.Since(m.Created) > time.Hour {
		t.Fatalf("%+v, %v", m, err)
	}
	again := start(t, restored)
	again.Secret = s.Secret
	check(t, again)
	sameAnswers(t, again, before)
	wholeLoad(t, again, acknowledged, sent.Load())
	again.end(t)
}

// backUpBy has the server of a data directory make a backup, and returns what
// it says.
func backUpBy(t *testing.T, cfg *config.Config, dir string) string {
	t.Helper()
	transport, err := DialAdmin(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	admin := &http.Client{Transport: transport}
	defer admin.CloseIdleConnections()
	res, err := admin.Post("http://tidemark/admin/backup", "application/json", strings.NewReader(fmt.Sprintf(`{"to":%q}`, dir)))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// TestBackupWhereNotAllowed: who runs the command need not be who writes, so
// that an answer about rights says whose they are.
func TestBackupWhereNotAllowed(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "1m")
	if out, err := exec.Command("mount", "-o", "remount,ro", disk).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	cfg := settings(t, nil)
	s := start(t, cfg)
	for _, dir := range []string{disk, filepath.Join(disk, "new")} {
		said := backUpBy(t, cfg, dir)
		for _, want := range []string{"read-only file system", "the server (user " + me.Username + ") writes it", "/var/backups/tidemark", "ReadWritePaths="} {
			if !strings.Contains(said, want) {
				t.Errorf("a backup to %s says %s without %q", dir, said, want)
			}
		}
	}
	s.end(t)
}

// loadMetrics is over how many metrics the load spreads.
const loadMetrics = 50

// load sends measurements until ctx is done, each of a time and a value of its
// own.
func load(ctx context.Context, s *server, sent *atomic.Int64) {
	c := client.New(s.URL, client.Token(s.Secret))
	for i := int64(0); ctx.Err() == nil; {
		m := client.Measurement{Name: fmt.Sprint("load.", i%loadMetrics), Value: float64(i), Time: wideBegin + i/loadMetrics, Tags: map[string]string{"host": "web-0"}}
		if c.Record(ctx, m) == nil {
			i = sent.Add(1)
		}
	}
}

// answers are the bytes of what a server says of what fill and fillWide made.
func answers(t *testing.T, s *server) string {
	t.Helper()
	return answersTo(t, s, widePaths())
}

// fewAnswers are those about what fill made. Another engine gives them in the
// same bytes, and what others write meanwhile does not change them.
func fewAnswers(t *testing.T, s *server) string {
	t.Helper()
	return answersTo(t, s, append(filledPaths(), "/v1/alerts"))
}

func answersTo(t *testing.T, s *server, paths []string) string {
	t.Helper()
	var all strings.Builder
	for _, path := range paths {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(s.Secret.Reveal(), "")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s %v", path, res.StatusCode, body, err)
		}
		fmt.Fprintf(&all, "%s: %s\n", path, body)
	}
	return all.String()
}

// sameAnswers asks a server again, and says where the bytes differ.
func sameAnswers(t *testing.T, s *server, want string) {
	t.Helper()
	before, after := strings.Split(want, "\n"), strings.Split(answers(t, s), "\n")
	for i := range before {
		a, b := before[i], after[i]
		at := 0
		for at < min(len(a), len(b)) && a[at] == b[at] {
			at++
		}
		if a != b {
			from := max(0, at-80)
			t.Errorf("%s\nwas  …%s\nis   …%s", strings.SplitN(a, ": ", 2)[0], a[from:min(len(a), at+80)], b[from:min(len(b), at+80)])
		}
	}
}

// fullDisk is an engine whose copy does not fit.
type fullDisk struct{ *embedded.Engine }

func (e fullDisk) Checkpoint(_ context.Context, dir string, progress func(done, total int64)) error {
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "half"), []byte("x"), 0o600)); err != nil {
		return err
	}
	progress(1, 2)
	return fmt.Errorf("write: %w", syscall.ENOSPC)
}

// TestBackupFails: a backup for which there is no room, or that is stopped,
// leaves nothing behind, and not the directory either if it made it.
func TestBackupFails(t *testing.T) {
	t.Parallel()
	cfg, _ := filled(t, nil)
	st, err := store.Open(t.Context(), cfg.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	engine, err := embedded.Open(t.Context(), engineOptions(cfg, slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()

	empty, fresh := t.TempDir(), filepath.Join(t.TempDir(), "fresh")
	for _, dir := range []string{empty, fresh} {
		if err := backup(t.Context(), fullDisk{engine}, st, tidemark.ServerActor(), dir, quiet); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a full disk: %v", err)
		}
	}
	for _, step := range []string{"measurements", "control store", "checksums"} {
		ctx, cancel := context.WithCancel(t.Context())
		err := backup(ctx, engine, st, tidemark.ServerActor(), empty, func(doing string, _, _ int64) {
			if doing == step {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at %s: %v", step, err)
		}
	}
	if left, err := os.ReadDir(empty); len(left) > 0 || err != nil {
		t.Errorf("failed backups left %v, %v", left, err)
	}
	if _, err := os.Stat(fresh); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a failed backup left its directory: %v", err)
	}
}

// TestRestoreFails: a restore that is stopped leaves an empty directory.
func TestRestoreFails(t *testing.T) {
	t.Parallel()
	dir, _ := backedUp(t)
	cfg := settings(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := RestoreData(ctx, cfg, dir, "", func(doing string, _, _ int64) {
		if doing == "restore" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if left, err := os.ReadDir(cfg.Data); len(left) != 1 || left[0].Name() != lockFile {
		t.Errorf("a failed restore left %v, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(cfg.Data, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := RestoreData(t.Context(), cfg, dir, "", quiet); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("into a directory that is not empty: %v", err)
	}
	cfg = settings(t, map[string]string{"database": "postgres://localhost/x"})
	if _, err := RestoreData(t.Context(), cfg, dir, "", quiet); err == nil || !strings.Contains(err.Error(), "names PostgreSQL") {
		t.Errorf("SQLite for a server on PostgreSQL: %v", err)
	}
}
