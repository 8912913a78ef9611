package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/durable"
	"github.com/tidemark-metrics/tidemark/internal/objects"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const (
	databaseFile    = "tidemark.db"
	measurementsDir = "measurements"
	// dumpDir holds the control store in a backup, where it is in PostgreSQL.
	dumpDir = "postgresql"
)

// Progress is called with how far a long piece of work is.
type Progress func(doing string, done, total int64)

// measurements is what a backup copies the measurements from.
type measurements interface {
	Checkpoint(ctx context.Context, dir string, progress func(done, total int64)) error
	LinkCheckpoint(ctx context.Context, dir string) error
}

// backup writes a copy of everything to dir, while the server goes on, with a
// manifest that is written last. If it fails nothing is left of it; if it is
// killed, what is left says that it is not complete.
func backup(ctx context.Context, engine measurements, st *store.Store, by tidemark.Actor, dir string, progress Progress) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	_, err = os.Stat(dir)
	made := errors.Is(err, os.ErrNotExist)
	if err := emptyDir(dir); err != nil {
		return err
	}
	err = st.RecordBackup(ctx, by, dir)
	if err == nil {
		err = fillBackup(ctx, engine, st, dir, progress)
	}
	if err != nil {
		return errors.Join(err, clearBackup(dir, made))
	}
	return nil
}

// fillBackup makes a backup in an empty directory. The measurements come
// first: what the control store learns meanwhile has no data in the copy, and
// no data in it lacks its metric.
func fillBackup(ctx context.Context, engine measurements, st *store.Store, dir string, progress Progress) error {
	unfinished := filepath.Join(dir, unfinishedFile)
	if err := durable.WriteFile(unfinished, []byte("This backup is being made, or was interrupted. It cannot be restored.\n")); err != nil {
		return err
	}
	err := engine.Checkpoint(ctx, filepath.Join(dir, measurementsDir), func(done, total int64) { progress("measurements", done, total) })
	if err != nil {
		return fmt.Errorf("back up the measurements: %w", err)
	}
	m := &Manifest{Format: manifestFormat, Version: Version(), Created: time.Now().UTC().Truncate(time.Second)}
	if m.ControlStore, err = backUpControlStore(ctx, st, dir, progress); err != nil {
		return fmt.Errorf("back up the control store: %w", err)
	}
	if err := m.collect(ctx, dir, progress); err != nil {
		return fmt.Errorf("compute checksums: %w", err)
	}
	if err := m.write(dir); err != nil {
		return fmt.Errorf("write %s: %w", manifestFile, err)
	}
	progress("manifest", 1, 1)
	if err := os.Remove(unfinished); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

// backUpControlStore copies the control store: SQLite's file, or a dump of what
// PostgreSQL has.
func backUpControlStore(ctx context.Context, st *store.Store, dir string, progress Progress) (kind string, err error) {
	if st.InPostgres() {
		return controlPostgres, st.DumpTo(ctx, filepath.Join(dir, dumpDir), func(done, total int64) { progress("control store", done, total) })
	}
	if err := st.BackupTo(ctx, filepath.Join(dir, databaseFile)); err != nil {
		return "", err
	}
	progress("control store", 1, 1)
	return controlSQLite, nil
}

// clearBackup removes what a failed backup wrote; the mark last, and the
// directory if it was made for it.
func clearBackup(dir string, made bool) error {
	var errs []error
	for _, name := range []string{manifestFile, manifestFile + ".new", measurementsDir, databaseFile, dumpDir, unfinishedFile} {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name)))
	}
	if made {
		errs = append(errs, os.Remove(dir))
	}
	return errors.Join(errs...)
}

// emptyDir makes sure that dir is there, has nothing in it, and is private.
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
	return privateDir(dir)
}

// backUpTo makes a backup in a directory, or in a repository.
func backUpTo(ctx context.Context, cfg *config.Config, from source, by tidemark.Actor, where string, progress Progress) error {
	if !objects.IsAddress(where) {
		return backup(ctx, from.engine, from.store, by, where, progress)
	}
	r, err := openRepository(cfg, where)
	if err != nil {
		return err
	}
	_, err = r.add(ctx, from, by, time.Now().UTC().Format(backupName), progress)
	return err
}

// BackUpData makes a backup of data that no server runs on.
func BackUpData(ctx context.Context, cfg *config.Config, where string, progress Progress) error {
	if cfg.Engine == "clickhouse" {
		return errElsewhere
	}
	if err := hasData(cfg); err != nil {
		return err
	}
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
	from := source{engine: engine, store: st, data: cfg.Data}
	return backUpTo(ctx, cfg, from, tidemark.Actor{Kind: tidemark.ByCLI}, where, progress)
}

// CheckStorage looks for damage in measurements that no server has open, and
// with repair sets it aside.
func CheckStorage(ctx context.Context, cfg *config.Config, repair bool, report func(embedded.Finding)) error {
	if cfg.Engine == "clickhouse" {
		return errElsewhere
	}
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
