package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/jackc/pgx/v5"
)

// rowDigest tells the rows of one table from others, in any order.
type rowDigest struct {
	rows int64
	sum  uint64
}

// add counts a row. Numbers and truth values are one kind, and so are texts
// and bytes: the databases do not agree on them.
func (d *rowDigest) add(row []any) error {
	var b []byte
	for _, v := range row {
		var err error
		if b, err = appendValue(b, v); err != nil {
			return err
		}
	}
	d.rows++
	d.sum += xxhash.Sum64(b)
	return nil
}

func appendValue(b []byte, v any) ([]byte, error) {
	number := func(kind byte, n uint64) ([]byte, error) {
		return binary.BigEndian.AppendUint64(append(b, kind), n), nil
	}
	switch v := v.(type) {
	case nil:
		return append(b, 'z'), nil
	case int64:
		return number('i', uint64(v))
	case bool:
		if v {
			return number('i', 1)
		}
		return number('i', 0)
	case float64:
		return number('f', math.Float64bits(v))
	case string:
		return append(binary.BigEndian.AppendUint64(append(b, 't'), uint64(len(v))), v...), nil
	case []byte:
		return append(binary.BigEndian.AppendUint64(append(b, 't'), uint64(len(v))), v...), nil
	}
	return nil, fmt.Errorf("a value of type %T cannot be copied", v)
}

// rowsOf yields the rows of a table, each valid until the next, to next, and
// digests them.
func (c *copying) rowsOf(ctx context.Context, t *dumpTable, next func(row []any) error) (d rowDigest, err error) {
	rows, err := c.tx.QueryContext(ctx, t.selectAll())
	if err != nil {
		return d, err
	}
	defer rows.Close()
	return d, eachRow(rows, len(t.Columns), &d, next)
}

// eachRow calls next with each row.
func eachRow(rows *sql.Rows, width int, d *rowDigest, next func(row []any) error) error {
	row, into := make([]any, width), make([]any, width)
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := d.add(row); err != nil {
			return err
		}
		if err := next(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// intoSQLite fills a database of SQLite, in one transaction.
func (c *copying) intoSQLite(ctx context.Context, dst *Store) error {
	return dst.write(ctx, func(q conn) error {
		c.done = nil
		tx := q.(*transaction)
		// References go both ways between tables, so that no order would do.
		if _, err := tx.ExecContext(ctx, `PRAGMA defer_foreign_keys = ON`); err != nil {
			return err
		}
		for i := range c.tables {
			if _, err := tx.ExecContext(ctx, c.tables[i].deleteAll()); err != nil {
				return err
			}
		}
		for i := range c.tables {
			if err := c.tableIntoSQLite(ctx, tx, &c.tables[i]); err != nil {
				return fmt.Errorf("table %s: %w", c.tables[i].Name, err)
			}
		}
		for _, n := range c.numbers {
			if _, err := tx.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = ?`, n.table); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, n.table, n.last); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *copying) tableIntoSQLite(ctx context.Context, tx *transaction, t *dumpTable) error {
	insert, err := tx.PrepareContext(ctx, "INSERT INTO "+t.target()+" VALUES (?"+strings.Repeat(", ?", len(t.Columns)-1)+")")
	if err != nil {
		return err
	}
	defer insert.Close()
	sent, err := c.rowsOf(ctx, t, func(row []any) error {
		_, err := insert.ExecContext(ctx, row...)
		return err
	})
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, t.selectAll())
	if err != nil {
		return err
	}
	defer rows.Close()
	var got rowDigest
	if err := eachRow(rows, len(t.Columns), &got, func([]any) error { return nil }); err != nil {
		return err
	}
	return c.copied(t, sent, got)
}

// intoPostgres fills a database of PostgreSQL, in one transaction.
func (c *copying) intoPostgres(ctx context.Context, dst *Store) error {
	conn, err := dst.conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return raw(conn, func(pg *pgx.Conn) error {
		return pgx.BeginFunc(ctx, pg, func(tx pgx.Tx) error { return c.fillPostgres(ctx, tx) })
	})
}

func (c *copying) fillPostgres(ctx context.Context, tx pgx.Tx) error {
	restoreKeys, err := dropForeignKeys(ctx, tx)
	if err != nil {
		return err
	}
	for i := range c.tables {
		if _, err := tx.Exec(ctx, c.tables[i].deleteAll()); err != nil {
			return err
		}
	}
	for i := range c.tables {
		if err := c.tableIntoPostgres(ctx, tx, &c.tables[i]); err != nil {
			return fmt.Errorf("table %s: %w", c.tables[i].Name, err)
		}
	}
	for _, stmt := range restoreKeys {
		if _, err := tx.Exec(ctx, stmt); err != nil {
			return fmt.Errorf("references between tables: %w", err)
		}
	}
	for _, n := range c.numbers {
		if _, err := tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence(quote_ident($1), 'id'), $2)`, n.table, n.last); err != nil {
			return fmt.Errorf("number the rows of %s: %w", n.table, err)
		}
	}
	return nil
}

func (c *copying) tableIntoPostgres(ctx context.Context, tx pgx.Tx, t *dumpTable) error {
	truths, err := queryAll[string](ctx, tx, `SELECT column_name::text FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 AND data_type = 'boolean'`, t.Name)
	if err != nil {
		return err
	}
	sent, err := c.sendRows(ctx, tx, t, truths)
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, t.selectAll())
	if err != nil {
		return err
	}
	defer rows.Close()
	var got rowDigest
	for rows.Next() {
		row, err := rows.Values()
		if err != nil {
			return err
		}
		if err := got.add(row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.copied(t, sent, got)
}

// sendRows copies the rows of a table. PostgreSQL takes them while they are
// read, a batch at a time.
func (c *copying) sendRows(ctx context.Context, tx pgx.Tx, t *dumpTable, truths []string) (rowDigest, error) {
	const batch = 1000
	var pending [][]any
	send := func() error {
		_, err := tx.CopyFrom(ctx, pgx.Identifier{t.Name}, t.Columns, pgx.CopyFromRows(pending))
		pending = pending[:0]
		return err
	}
	sent, err := c.rowsOf(ctx, t, func(row []any) error {
		row = slices.Clone(row)
		for i, name := range t.Columns {
			if n, ok := row[i].(int64); ok && slices.Contains(truths, name) {
				row[i] = n != 0
			}
		}
		if pending = append(pending, row); len(pending) < batch {
			return nil
		}
		return send()
	})
	if err != nil {
		return sent, err
	}
	return sent, send()
}
