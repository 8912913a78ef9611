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
)

// restoringDir holds what is restored until all of it is there. While a data
// directory has one, no server starts on it.
const restoringDir = "restoring"

// RestoreData makes the data directory of cfg out of a backup, after it has
// verified all of it. The data directory must be empty, or what a restore that
// was interrupted left. If it fails the directory is empty again.
func RestoreData(ctx context.Context, cfg *config.Config, where, name string, progress Progress) (*Manifest, error) {
	m, open, err := restorableFrom(ctx, cfg, where, name, progress)
	if err != nil {
		return nil, err
	}
	if m.ControlStore == controlSQLite && cfg.Database != "" {
		return nil, errors.New("the backup has the control store as SQLite, but the setting database names PostgreSQL: a server would not use what is restored")
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
	if err := m.restore(ctx, open, cfg.Data, progress); err != nil {
		return nil, errors.Join(fmt.Errorf("restore: %w", err), clearRestored(cfg.Data))
	}
	return m, nil
}

// restorableFrom returns what a backup holds. One in a directory is verified
// whole; of one in a repository every file has its checksum for a name, and is
// compared with it as it is fetched, once.
func restorableFrom(ctx context.Context, cfg *config.Config, where, name string, progress Progress) (*Manifest, opener, error) {
	if !objects.IsAddress(where) {
		m, err := verifyDir(ctx, where, progress)
		return m, inDir(where).open, err
	}
	r, err := openRepository(cfg, where)
	if err != nil {
		return nil, nil, err
	}
	m, err := r.manifest(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	return m, r.open, r.present(ctx, m)
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
// them up and removes it.
func (m *Manifest) restore(ctx context.Context, open opener, data string, progress Progress) error {
	within := filepath.Join(data, restoringDir)
	if err := os.Mkdir(within, 0o700); err != nil {
		return err
	}
	if err := durable.SyncDir(data); err != nil {
		return err
	}
	var done int64
	for _, f := range m.Files {
		if err := f.restore(ctx, open, within); err != nil {
			return err
		}
		done += f.Size
		progress("restore", done, m.total())
	}
	if err := syncTree(within); err != nil {
		return err
	}
	entries, err := os.ReadDir(within)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(within, e.Name()), filepath.Join(data, e.Name())); err != nil {
			return err
		}
		progress("move "+e.Name(), 1, 1)
	}
	if err := durable.SyncDir(data); err != nil {
		return err
	}
	if err := os.Remove(within); err != nil {
		return err
	}
	return durable.SyncDir(data)
}

// restore copies one file, durably, and checks what was copied: a backup may
// change, or be read wrong, after it was verified.
func (f manifestItem) restore(ctx context.Context, open opener, to string) error {
	path := filepath.Join(to, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = f.copyTo(ctx, open, out)
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
