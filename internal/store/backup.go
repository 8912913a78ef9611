package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/tidemark-metrics/tidemark"
)

// BackupTo writes a consistent copy of the database to a new file at path,
// while others go on reading and writing. It returns after the copy would
// survive a power failure. It is for SQLite; DumpTo is for PostgreSQL.
func (s *Store) BackupTo(ctx context.Context, path string) error {
	if s.dialect.name != sqliteDialect.name {
		return tidemark.Errorf(tidemark.Unsupported, "PostgreSQL is dumped, not copied")
	}
	// SQLite takes an empty file; one that we made has the right permissions
	// and was not somebody's database.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer f.Close()
	if err := s.copyTo(ctx, path); err != nil {
		return errors.Join(fmt.Errorf("back up: %w", err), os.Remove(path))
	}
	return f.Sync()
}

// copyTo has a connection of its own: readers may not do it, and the writer
// must not wait for it.
func (s *Store) copyTo(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", sqliteDSN(s.url, "_txlock=deferred"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = s.exec(ctx, db, `VACUUM INTO ?`, path)
	return err
}
