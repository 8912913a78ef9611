package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// CopiedTable is how many rows of a table were copied.
type CopiedTable struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
}

// notCopied are tables that are about the servers on a database and the engine
// beside it, not about what users made.
var notCopied = []string{"migrations", "nodes", "leases", "engine_metrics", "engine_samples", "engine_marks", "moved_parts"}

// onlyCopied are the rows that count of tables which have some of both.
var onlyCopied = map[string]string{
	"settings": ` WHERE name NOT IN ('` + moveSetting + `', 'probe')`,
	"versions": ` WHERE topic NOT IN ('` + engineTopic + `', '` + commitsTopic + `', '` + nodesTopic + `')`,
}

// OpenAsIs opens a database that a server may be running on, and changes
// nothing in it: one of another version is refused.
func OpenAsIs(ctx context.Context, url string) (*Store, error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("open store: %w", err)
		}
	}
	s, err := connect(url)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	s.now = unixNow
	if err := s.checkCurrent(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// checkCurrent refuses a database that has not had all migrations.
func (s *Store) checkCurrent(ctx context.Context) error {
	applied, err := values[string](ctx, s, s.db, `SELECT name FROM migrations`)
	if err != nil {
		return fmt.Errorf("there is no control store of Tidemark: %w", err)
	}
	files, err := fs.Glob(migrations, "migrations/"+s.dialect.name+"/*.sql")
	if err != nil {
		return err
	}
	if err := checkKnown(applied, files); err != nil {
		return err
	}
	if len(applied) < len(files) {
		return errors.New("the control store is of an earlier version: start a server of this version on it once, which brings it up to date")
	}
	return nil
}

// HasTables reports whether a database has any of our tables. It makes none.
func HasTables(ctx context.Context, url string) (bool, error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
	}
	s, err := connect(url)
	if err != nil {
		return false, err
	}
	defer s.Close()
	tables, err := s.tablesOf(ctx, s.db)
	return len(tables) > 0, err
}

// CopyTo replaces what dst has by what s has as of one moment, and compares the
// two before that becomes visible: all of it or nothing. What is not about
// users, such as the list of running servers, stays as it is on both sides.
func (s *Store) CopyTo(ctx context.Context, dst *Store, progress func(done, total int64)) ([]CopiedTable, error) {
	tx, err := s.beginReading(ctx)
	if err != nil {
		return nil, s.translate(err)
	}
	defer tx.Rollback()
	tables, err := s.tablesToCopy(ctx, tx)
	if err != nil {
		return nil, err
	}
	c := &copying{from: s, tx: tx, tables: tables, progress: progress}
	if c.numbers, err = s.lastNumbers(ctx, tx); err != nil {
		return nil, err
	}
	if dst.InPostgres() {
		err = c.intoPostgres(ctx, dst)
	} else {
		err = c.intoSQLite(ctx, dst)
	}
	return c.done, dst.translate(err)
}

// CountRows returns how many rows CopyTo would copy.
func (s *Store) CountRows(ctx context.Context) ([]CopiedTable, error) {
	tables, err := s.tablesToCopy(ctx, s.db)
	if err != nil {
		return nil, err
	}
	counts := make([]CopiedTable, 0, len(tables))
	for _, t := range tables {
		n, err := value[int64](ctx, s, s.db, "table", `SELECT COUNT(*) FROM `+quoted([]string{t.Name})+onlyCopied[t.Name])
		if err != nil {
			return nil, err
		}
		counts = append(counts, CopiedTable{t.Name, n})
	}
	return counts, nil
}

// tablesToCopy returns the tables that are copied, by name.
func (s *Store) tablesToCopy(ctx context.Context, q conn) ([]dumpTable, error) {
	all, err := s.tablesOf(ctx, q)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(t dumpTable) bool { return slices.Contains(notCopied, t.Name) }), nil
}

// tablesOf returns our tables with their columns.
func (s *Store) tablesOf(ctx context.Context, q conn) ([]dumpTable, error) {
	type column struct{ table, name string }
	own, _, err := ownRelations()
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*dumpTable)
	c := columns[column]{dest: func(v *column) []any { return []any{&v.table, &v.name} }}
	for v, err := range eachOf(ctx, s, q, c, s.dialect.columns) {
		if err != nil {
			return nil, err
		}
		if !slices.Contains(own, v.table) {
			continue
		}
		if byName[v.table] == nil {
			byName[v.table] = &dumpTable{Name: v.table}
		}
		byName[v.table].Columns = append(byName[v.table].Columns, v.name)
	}
	tables := make([]dumpTable, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		tables = append(tables, *byName[name])
	}
	return tables, nil
}

// lastNumber is the last id that a table gave out.
type lastNumber struct {
	table string
	last  int64
}

// lastNumbers returns the last ids that were given out: those of what was
// deleted must not come back as something else.
func (s *Store) lastNumbers(ctx context.Context, q conn) ([]*lastNumber, error) {
	c := columns[lastNumber]{dest: func(v *lastNumber) []any { return []any{&v.table, &v.last} }}
	return collect(eachOf(ctx, s, q, c, s.dialect.lastNumbers))
}

// copying is one CopyTo.
type copying struct {
	from     *Store
	tx       *sql.Tx
	tables   []dumpTable
	numbers  []*lastNumber
	progress func(done, total int64)
	done     []CopiedTable
}

// copied notes a table, unless what the other side has is not the same.
func (c *copying) copied(t *dumpTable, sent, got rowDigest) error {
	if sent != got {
		return fmt.Errorf("table %s is not the same after it was copied: %d rows instead of %d", t.Name, got.rows, sent.rows)
	}
	c.done = append(c.done, CopiedTable{t.Name, sent.rows})
	c.progress(int64(len(c.done)), int64(len(c.tables)))
	return nil
}

// selectAll is the statement that reads the rows of t that are copied.
func (t *dumpTable) selectAll() string {
	return "SELECT " + quoted(t.Columns) + " FROM " + quoted([]string{t.Name}) + onlyCopied[t.Name]
}

// deleteAll is the statement that makes room for them.
func (t *dumpTable) deleteAll() string {
	return "DELETE FROM " + quoted([]string{t.Name}) + onlyCopied[t.Name]
}
