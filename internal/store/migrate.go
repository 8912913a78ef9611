package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed migrations
var migrations embed.FS

// createMigrations makes the list of those that a database has had.
const createMigrations = `CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY)`

// Migration is a change of the schema that is about to be made to a database
// that an earlier version has used.
type Migration struct {
	Name     string
	Step, Of int // from 1
}

// migrate applies the migrations that this database has not seen, in the order
// of their file names. A released migration is never edited.
func (s *Store) migrate(ctx context.Context, report func(Migration)) error {
	files, err := fs.Glob(migrations, "migrations/"+s.dialect.name+"/*.sql")
	if err != nil {
		return err
	}
	return s.migrateBy(ctx, files, report)
}

// migrateBy applies the migrations in these files, all in one transaction: one
// who is killed has changed nothing.
func (s *Store) migrateBy(ctx context.Context, files []string, report func(Migration)) error {
	return s.write(ctx, func(tx conn) error {
		applied, err := s.applied(ctx, tx)
		if err != nil {
			return err
		}
		if err := checkKnown(applied, files); err != nil {
			return err
		}
		missing := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return slices.Contains(applied, migrationName(file)) })
		for i, file := range missing {
			name := migrationName(file)
			if len(applied) > 0 { // it is not being made
				report(Migration{Name: name, Step: i + 1, Of: len(missing)})
			}
			if err := s.apply(ctx, tx, file); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
}

func migrationName(file string) string { return strings.TrimSuffix(path.Base(file), ".sql") }

// applied returns the names of the migrations that the database has seen.
// Several nodes may start at once: all but one wait here.
func (s *Store) applied(ctx context.Context, tx conn) ([]string, error) {
	if s.dialect.lockSchema != "" {
		if _, err := s.exec(ctx, tx, s.dialect.lockSchema); err != nil {
			return nil, err
		}
	}
	if _, err := s.exec(ctx, tx, createMigrations); err != nil {
		return nil, err
	}
	return values[string](ctx, s, tx, `SELECT name FROM migrations`)
}

func (s *Store) apply(ctx context.Context, tx conn, file string) error {
	stmts, err := migrations.ReadFile(file)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, string(stmts)); err != nil {
		return err
	}
	_, err = s.exec(ctx, tx, `INSERT INTO migrations (name) VALUES (?)`, migrationName(file))
	return err
}

// checkKnown refuses a database that a later version has changed: this one
// would misread it.
func checkKnown(applied, files []string) error {
	for _, name := range applied {
		if !slices.ContainsFunc(files, func(file string) bool { return migrationName(file) == name }) {
			return errors.New("the database belongs to a newer version: it has had migration " + name +
				". Install that version again, or restore a backup from before the upgrade (docs/upgrading.md)")
		}
	}
	return nil
}
