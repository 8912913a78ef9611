package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/durable"
	"github.com/tidemark-metrics/tidemark/internal/objects"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// restoringDir holds what is restored until all of it is there. While a data
// directory has one, no server starts on it.
const restoringDir = "restoring"

// RestoreData makes the data directory of cfg out of a backup, after it has
// verified all of it. The data directory must be empty, or what a restore that
// was interrupted left. If it fails the directory is empty again.
func RestoreData(ctx context.Context, cfg *config.Config, where, name string, progress Progress) (*Manifest, error) {
	m, from, err := restorableFrom(ctx, cfg, where, name, progress)
	if err != nil {
		return nil, err
	}
	if err := m.fits(ctx, cfg); err != nil {
		return nil, err
	}
	if err := restorable(cfg.Data); err != nil {
		return nil, err
	}
	unlock, err := lock(cfg.Data)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := clearRestored(cfg.Data); err != nil {
		return nil, err
	}
	if err := m.restore(ctx, from, cfg, progress); err != nil {
		return nil, errors.Join(fmt.Errorf("restore: %w", err), clearRestored(cfg.Data))
	}
	return m, nil
}

// fits reports whether a server with these settings would use the control store
// of the backup.
func (m *Manifest) fits(ctx context.Context, cfg *config.Config) error {
	switch {
	case m.ControlStore == controlSQLite && cfg.Database != "":
		return errors.New("the backup has the control store as SQLite, but the setting database names PostgreSQL: a server would not use what is restored")
	case m.hasDump() && cfg.Database == "":
		return errors.New("the backup has the control store as a dump of PostgreSQL: name an empty PostgreSQL database with the setting database (--database), which it is restored into")
	case m.hasDump():
		return store.CanLoadDump(ctx, cfg.DatabaseURL())
	}
	return nil
}

// restorableFrom returns what a backup holds. One in a directory is verified
// whole; of one in a repository every file has its checksum for a name, and is
// compared with it as it is fetched, once.
func restorableFrom(ctx context.Context, cfg *config.Config, where, name string, progress Progress) (*Manifest, opener, error) {
	if !objects.IsAddress(where) {
		m, err := verifyDir(ctx, where, progress)
		return m, inDir(where), err
	}
	r, err := openRepository(cfg, where)
	if err != nil {
		return nil, nil, err
	}
	m, err := r.manifest(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	return m, r, r.present(ctx, m)
}

// restorable refuses a directory with anything in it but the key file, which
// no backup has, unless an interrupted restore left it: then all of it is its
// own.
func restorable(data string) error {
	entries, err := os.ReadDir(data)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	interrupted := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == restoringDir })
	for _, e := range entries {
		if e.Name() != lockFile && e.Name() != keyFile && !interrupted {
			return tidemark.Errorf(tidemark.Invalid, "%s is not empty", data)
		}
	}
	return nil
}

// clearRestored removes what a restore made; the mark of it last.
func clearRestored(data string) error {
	return errors.Join(
		os.RemoveAll(filepath.Join(data, measurementsDir)), os.RemoveAll(filepath.Join(data, databaseFile)),
		os.RemoveAll(filepath.Join(data, restoringDir)))
}

// restore copies the files of a backup to a directory within data, then moves
// them up and removes it. What is for PostgreSQL is committed there after they
// were moved: a server starts on neither half.
func (m *Manifest) restore(ctx context.Context, from opener, cfg *config.Config, progress Progress) error {
	within := filepath.Join(cfg.Data, restoringDir)
	if err := os.Mkdir(within, 0o700); err != nil {
		return err
	}
	if err := durable.SyncDir(cfg.Data); err != nil {
		return err
	}
	if err := m.copyTo(ctx, from, within, progress); err != nil {
		return err
	}
	moveUp := func() error { return moveRestored(cfg.Data, progress) }
	if m.hasDump() {
		said := func(done, total int64) { progress("control store", done, total) }
		if err := store.LoadDump(ctx, cfg.DatabaseURL(), filepath.Join(within, dumpDir), said, moveUp); err != nil {
			return fmt.Errorf("the control store: %w", err)
		}
	} else if err := moveUp(); err != nil {
		return err
	}
	if err := os.RemoveAll(within); err != nil {
		return err
	}
	return durable.SyncDir(cfg.Data)
}

// copyTo copies the files of a backup.
func (m *Manifest) copyTo(ctx context.Context, from opener, dir string, progress Progress) error {
	var done int64
	for _, f := range m.Files {
		if err := f.restore(ctx, from, dir); err != nil {
			return err
		}
		done += f.Size
		progress("restore", done, m.total())
	}
	return syncTree(dir)
}

// moveRestored moves what was copied to where a server looks for it. The dump
// stays: it is in the database.
func moveRestored(data string, progress Progress) error {
	within := filepath.Join(data, restoringDir)
	entries, err := os.ReadDir(within)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == dumpDir {
			continue
		}
		if err := os.Rename(filepath.Join(within, e.Name()), filepath.Join(data, e.Name())); err != nil {
			return err
		}
		progress("move "+e.Name(), 1, 1)
	}
	return durable.SyncDir(data)
}

// restore copies one file, durably, and checks what was copied: a backup may
// change, or be read wrong, after it was verified.
func (f manifestItem) restore(ctx context.Context, from opener, to string) error {
	path := filepath.Join(to, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = f.copyTo(ctx, from, out)
	return errors.Join(err, out.Sync(), out.Close())
}

// syncTree makes the names in dir and in the directories below it survive a
// power failure.
func syncTree(dir string) error {
	err := eachBelow(dir, func(path string, d os.DirEntry) error {
		if !d.IsDir() {
			return nil
		}
		return durable.SyncDir(filepath.Join(dir, filepath.FromSlash(path)))
	})
	return errors.Join(err, durable.SyncDir(dir))
}
