package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const (
	databaseFile    = "tidemark.db"
	measurementsDir = "measurements"
)

// Progress is told how far a long piece of work is.
type Progress func(doing string, done, total int64)

// backup writes a copy of everything to dir, while the server goes on. The
// measurements come first: what the control store learns meanwhile has no
// data in the copy, and no data in it lacks its metric.
func backup(ctx context.Context, engine *embedded.Engine, st *store.Store, dir string, progress Progress) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := emptyDir(dir); err != nil {
		return err
	}
	err = engine.Checkpoint(ctx, filepath.Join(dir, measurementsDir), func(done, total int64) { progress("measurements", done, total) })
	if err != nil {
		return fmt.Errorf("back up the measurements: %w", err)
	}
	err = st.BackupTo(ctx, filepath.Join(dir, databaseFile))
	if tidemark.KindOf(err) == tidemark.Unsupported && err != nil {
		progress("control store: PostgreSQL has its own backups, use pg_dump", 1, 1)
		return nil
	}
	if err != nil {
		return fmt.Errorf("back up the control store: %w", err)
	}
	progress("control store", 1, 1)
	return nil
}

// emptyDir makes sure that dir is there and has nothing in it.
func emptyDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &tidemark.Error{Kind: tidemark.Invalid, Msg: "cannot make " + dir, Err: err}
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Readdirnames(1); !errors.Is(err, io.EOF) {
		return tidemark.Errorf(tidemark.Invalid, "%s is not empty", dir)
	}
	return nil
}

// BackUpData is backup for data that no server runs on.
func BackUpData(ctx context.Context, cfg *config.Config, dir string, progress Progress) error {
	unlock, err := Lock(cfg.Data)
	if err != nil {
		return err
	}
	defer unlock()
	log := slog.New(slog.DiscardHandler)
	st, err := store.Open(ctx, cfg.DatabaseURL())
	if err != nil {
		return err
	}
	defer st.Close()
	engine, err := embedded.Open(ctx, engineOptions(cfg, log))
	if err != nil {
		return err
	}
	defer engine.Close()
	return backup(ctx, engine, st, dir, progress)
}

// RestoreData makes the data directory of cfg out of a backup.
func RestoreData(ctx context.Context, cfg *config.Config, dir string, progress Progress) error {
	if _, err := os.Stat(filepath.Join(dir, measurementsDir)); err != nil {
		return fmt.Errorf("%s is no backup: it has no measurements", dir)
	}
	if err := emptyDir(cfg.Data); err != nil {
		return err
	}
	unlock, err := Lock(cfg.Data)
	if err != nil {
		return err
	}
	defer unlock()
	to := filepath.Join(cfg.Data, measurementsDir)
	err = embedded.Restore(ctx, filepath.Join(dir, measurementsDir), to, func(done, total int64) { progress("measurements", done, total) })
	if err != nil {
		return fmt.Errorf("restore the measurements: %w", err)
	}
	database := filepath.Join(dir, databaseFile)
	if _, err := os.Stat(database); err != nil {
		progress("control store: not in the backup, restore PostgreSQL by its own means", 1, 1)
		return nil
	}
	if err := copyFile(filepath.Join(cfg.Data, databaseFile), database); err != nil {
		return fmt.Errorf("restore the control store: %w", err)
	}
	progress("control store", 1, 1)
	return nil
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// CheckStorage looks for damage in measurements that no server has open, and
// with repair sets it aside.
func CheckStorage(ctx context.Context, cfg *config.Config, repair bool, report func(embedded.Finding)) error {
	if _, err := os.Stat(filepath.Join(cfg.Data, measurementsDir)); err != nil {
		return fmt.Errorf("there are no measurements in %s", cfg.Data)
	}
	unlock, err := Lock(cfg.Data)
	if err != nil {
		return err
	}
	defer unlock()
	o := engineOptions(cfg, slog.New(slog.DiscardHandler))
	if repair {
		return embedded.Repair(ctx, o, report)
	}
	return embedded.Check(ctx, o, report)
}
