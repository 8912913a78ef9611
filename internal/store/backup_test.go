package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

func TestBackupTo(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := openStore(t, freshURL(t, "sqlite"))
	org := addOrg(t, s, "test")
	v := addService(t, s, org, "ops")
	path := filepath.Join(t.TempDir(), "odd ?name's.db")
	ok(t, s.BackupTo(ctx, path))
	addService(t, s, org, "later")
	if mode := must(os.Stat(path))(t).Mode().Perm(); mode != 0o600 {
		t.Errorf("the copy has mode %v", mode)
	}

	copied := openStore(t, "sqlite:"+path)
	same(t, "Service in the copy", v, must(copied.Service(ctx, org, v.ID))(t))
	checkList(t, serviceTitle, 1, 1, "ops")(copied.Services(ctx, org, tidemark.Page{}))
	addService(t, copied, org, "into the copy")

	if err := s.BackupTo(ctx, path); err == nil {
		t.Error("a backup replaced a file")
	}
	checkList(t, serviceTitle, 2, 2, "into the copy", "ops")(copied.Services(ctx, org, tidemark.Page{}))
	if err := s.BackupTo(ctx, filepath.Join(t.TempDir(), "no", "such", "directory")); err == nil {
		t.Error("a backup to nowhere")
	}
}

func TestBackupPostgres(t *testing.T) {
	t.Parallel()
	s := openStore(t, freshURL(t, "postgres"))
	path := filepath.Join(t.TempDir(), "db")
	checkKinds(t, []wrong{{"has its own means", func() error { return s.BackupTo(t.Context(), path) }, tidemark.Unsupported}})
	if _, err := os.Stat(path); err == nil {
		t.Error("and left a file")
	}
}
