package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/store"
)

// olderMigrations is how many the version had had that is upgraded here.
const olderMigrations = 20

// TestMigrateKilled kills a process between the steps of an upgrade: the
// database is as the former version left it, which can still open it, and the
// next start does all steps.
func TestMigrateKilled(t *testing.T) {
	if url := os.Getenv("TEST_MIGRATE_URL"); url != "" {
		_, err := store.OpenReporting(t.Context(), url, func(m store.Migration) {
			if fmt.Sprint(m.Step) == os.Getenv("TEST_MIGRATE_STEP") {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		})
		t.Fatalf("it lives, %v", err)
	}
	eachURL(t, func(t *testing.T, url string, db *sql.DB) {
		ctx := t.Context()
		old := must(store.OpenAsOf(ctx, url, olderMigrations))(t)
		org := must(old.CreateOrg(ctx, operator, "kept"))(t)
		ok(t, old.Close())
		before := migrationsIn(t, db)
		for _, step := range []string{"2", "5"} {
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestMigrateKilled$")
			cmd.Env = append(os.Environ(), "TEST_MIGRATE_URL="+url, "TEST_MIGRATE_STEP="+step)
			out, err := cmd.CombinedOutput()
			if died, isExit := errors.AsType[*exec.ExitError](err); !isExit || died.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("step %s: %v\n%s", step, err, out)
			}
			same(t, "migrations after it was killed at step "+step, before, migrationsIn(t, db))
		}
		former := must(store.OpenAsOf(ctx, url, olderMigrations))(t)
		ok(t, former.Close())

		var steps []store.Migration
		s := must(store.OpenReporting(ctx, url, func(m store.Migration) { steps = append(steps, m) }))(t)
		defer s.Close()
		if n := len(migrationsIn(t, db)); len(steps) != n-olderMigrations || steps[0].Step != 1 || steps[0].Of != len(steps) || steps[len(steps)-1].Step != len(steps) {
			t.Errorf("%d migrations, reported %+v", n, steps)
		}
		if got := must(s.Org(ctx, org.ID))(t); got.Name != "kept" {
			t.Errorf("%+v", got)
		}
		_, err := store.OpenAsOf(ctx, url, olderMigrations)
		if err == nil || !strings.Contains(err.Error(), "restore a backup from before the upgrade") {
			t.Errorf("the former version: %v", err)
		}
	})
}

// TestNewDatabaseIsNotReported: its tables are made, nothing is changed.
func TestNewDatabaseIsNotReported(t *testing.T) {
	eachURL(t, func(t *testing.T, url string, _ *sql.DB) {
		s := must(store.OpenReporting(t.Context(), url, func(m store.Migration) { t.Errorf("%+v", m) }))(t)
		ok(t, s.Close())
	})
}
