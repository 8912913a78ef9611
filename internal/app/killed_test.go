package app

import (
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestKilled kills processes that back up and restore at each of their steps.
// What they leave is refused, and the work can be begun again.
func TestKilled(t *testing.T) {
	if step := os.Getenv("TEST_KILL_AT"); step != "" {
		beKilled(t, step)
		return
	}
	t.Parallel()
	cfg, s := filled(t, nil)
	dir := filepath.Join(t.TempDir(), "backup")
	for _, step := range []string{"measurements", "control store", "checksums", "manifest"} {
		killAt(t, step, cfg.Data, cfg.Database, dir)
		if _, err := verifyDir(t.Context(), dir, quiet); err == nil || !strings.Contains(err.Error(), "is not complete") {
			t.Errorf("a backup that was killed at %s: %v", step, err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := BackUpData(t.Context(), cfg, dir, quiet); err != nil {
		t.Fatal(err)
	}
	restored := settings(t, nil)
	for _, step := range []string{"restore", "move measurements", "move tidemark.db"} {
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

// killAt runs this test in a process of its own, which kills itself.
func killAt(t *testing.T, step, data, database, dir string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilled$", "-test.v")
	cmd.Env = append(os.Environ(), "TEST_KILL_AT="+step, "TEST_KILL_DATA="+data, "TEST_KILL_DIR="+dir, "TEST_KILL_DATABASE="+database)
	out, err := cmd.CombinedOutput()
	died, ok := errors.AsType[*exec.ExitError](err)
	if !ok || died.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("%s: %v\n%s", step, err, out)
	}
}

// beKilled is what that process does.
func beKilled(t *testing.T, step string) {
	flags := map[string]string{"data": os.Getenv("TEST_KILL_DATA")}
	if database := os.Getenv("TEST_KILL_DATABASE"); database != "" {
		flags["database"] = database
	}
	cfg := settings(t, flags)
	die := func(doing string, _, _ int64) {
		if doing == step {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	dir := os.Getenv("TEST_KILL_DIR")
	if _, err := ReadManifest(dir); err == nil {
		_, err = RestoreData(t.Context(), cfg, dir, "", die)
		t.Fatalf("it lives, %v", err)
	}
	t.Fatalf("it lives, %v", BackUpData(t.Context(), cfg, dir, die))
}
