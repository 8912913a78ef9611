package embedded

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// Checkpoint copies the engine, as it is now, to dir, which must be empty or
// not there. Writes and reads go on: what is written meanwhile is in the
// engine and not in the copy. progress may be nil.
func (e *Engine) Checkpoint(ctx context.Context, dir string, progress func(done, total int64)) error {
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	if err := tables.CheckEmpty(e.o.FS, dir); err != nil {
		return err
	}
	e.backup.Lock()
	defer e.backup.Unlock()
	snapshot := e.o.FS.PathJoin(e.o.Dir, tables.SnapshotDir)
	if err := e.snapshot(ctx, snapshot); err != nil {
		return err
	}
	err := tables.CopyDir(ctx, e.o.FS, snapshot, e.o.FS.PathJoin(dir, tables.Dir), progress)
	if rerr := e.o.FS.RemoveAll(snapshot); rerr != nil {
		e.o.Hooks.BackgroundError("remove snapshot", rerr) // the next start does it
	}
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	return nil
}

// LinkCheckpoint is Checkpoint to a directory of the same file system, by
// links: it takes no room until tables are replaced.
func (e *Engine) LinkCheckpoint(ctx context.Context, dir string) error {
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	if err := tables.CheckEmpty(e.o.FS, dir); err != nil {
		return err
	}
	e.backup.Lock()
	defer e.backup.Unlock()
	return e.snapshot(ctx, e.o.FS.PathJoin(dir, tables.Dir))
}

// snapshot seals everything and links the tables into dir. Tiers are made of
// what is in memory too, so nothing may make or delete any between the moment
// that is sealed and the copy: else it would have sums of records that it does
// not have.
func (e *Engine) snapshot(ctx context.Context, dir string) error {
	e.changes.one.Lock()
	defer e.changes.one.Unlock()
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	e.rotate()
	if err := e.sealLocked(ctx); err != nil {
		return err
	}
	return e.tables.Snapshot(dir)
}
