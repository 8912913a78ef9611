package store

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// columns ties a SELECT list to the fields it fills. Each resource has one,
// so that a column and its field are never more than a line apart.
type columns[T any] struct {
	noun  string // for "no such ..." messages
	names string
	dest  func(*T) []any
	// object is how the audit log names one, and shown, if it is not the JSON,
	// what it shows of one.
	object func(*T) string
	shown  func(*T) fields
}

// fieldsOf returns what the audit log shows of v.
func (c columns[T]) fieldsOf(v *T) fields {
	if c.shown != nil {
		return c.shown(v)
	}
	return fieldsOf(v)
}

// each yields the rows of "SELECT c.names "+rest; rest may also follow an
// INSERT or DELETE that RETURNs them.
func each[T any](ctx context.Context, s *Store, q conn, c columns[T], rest string, args ...any) iter.Seq2[*T, error] {
	return eachOf(ctx, s, q, c, "SELECT "+c.names+" "+rest, args...)
}

// eachOf yields the rows that stmt returns, whose columns are those of c.
func eachOf[T any](ctx context.Context, s *Store, q conn, c columns[T], stmt string, args ...any) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		rows, err := s.query(ctx, q, stmt, args...)
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			v := new(T)
			if err := rows.Scan(c.dest(v)...); err != nil {
				yield(nil, s.translate(err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, s.translate(err))
		}
	}
}

// collect returns what seq yields: never nil, since an empty list is [] in JSON.
func collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	found := []T{}
	for v, err := range seq {
		if err != nil {
			return nil, err
		}
		found = append(found, v)
	}
	return found, nil
}

// many returns the rows of "SELECT c.names "+rest.
func many[T any](ctx context.Context, s *Store, q conn, c columns[T], rest string, args ...any) ([]*T, error) {
	return collect(each(ctx, s, q, c, rest, args...))
}

// one is many for exactly one row; no row is a NotFound error.
func one[T any](ctx context.Context, s *Store, q conn, c columns[T], rest string, args ...any) (*T, error) {
	found, err := many(ctx, s, q, c, rest, args...)
	if errors.Is(err, errText) {
		return nil, noSuch(c.noun) // nothing is called that
	}
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, noSuch(c.noun)
	}
	return found[0], nil
}

func noSuch(noun string) error { return tidemark.Errorf(tidemark.NotFound, "no such %s", noun) }

// values returns the single column that stmt selects.
func values[T any](ctx context.Context, s *Store, q conn, stmt string, args ...any) ([]T, error) {
	rows, err := s.query(ctx, q, stmt, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []T{}
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, s.translate(err)
		}
		found = append(found, v)
	}
	return found, s.translate(rows.Err())
}

// value is values for exactly one row; no row is a NotFound error.
func value[T any](ctx context.Context, s *Store, q conn, noun, stmt string, args ...any) (T, error) {
	var none T
	found, err := values[T](ctx, s, q, stmt, args...)
	switch {
	case errors.Is(err, errText), err == nil && len(found) == 0:
		return none, noSuch(noun)
	case err != nil:
		return none, err
	}
	return found[0], nil
}

// insert runs an INSERT ... RETURNING statement into dest.
func insert[T any](ctx context.Context, s *Store, q conn, dest *T, stmt string, args ...any) error {
	id, err := value[T](ctx, s, q, "row", stmt, args...)
	if err == nil {
		*dest = id
	}
	return err
}

// insertAs adds a row to a table, with an id that it had before or, if that is
// 0, a new one, and sets dest to it. names are the other columns.
func insertAs(ctx context.Context, s *Store, q conn, id int64, dest *int64, table, names string, args ...any) error {
	if id != 0 {
		names, args = `id, `+names, append([]any{id}, args...)
	}
	return insert(ctx, s, q, dest, `INSERT INTO `+table+` (`+names+`) VALUES `+placeholders(len(args))+` RETURNING id`, args...)
}

// affect runs an UPDATE or DELETE of one thing; changing nothing is a NotFound
// error.
func (s *Store) affect(ctx context.Context, q conn, noun, stmt string, args ...any) error {
	n, err := s.exec(ctx, q, stmt, args...)
	if errors.Is(err, errText) || err == nil && n == 0 {
		return noSuch(noun)
	}
	return err
}

// validator is a resource that knows its own rules.
type validator[T any] interface {
	*T
	Validate() error
}

// remove deletes one row of "FROM table WHERE ...", and notes what it was.
func remove[T any](ctx context.Context, s *Store, tx conn, w operation, c columns[T], from string, args ...any) error {
	v, err := one(ctx, s, tx, c, from+s.dialect.forUpdate, args...)
	if err != nil {
		return err
	}
	if err := s.affect(ctx, tx, c.noun, `DELETE `+from, args...); err != nil {
		return err
	}
	return s.noteChange(ctx, tx, w, c.object(v), c.fieldsOf(v), nil)
}

// created notes that v is new.
func created[T any](ctx context.Context, s *Store, tx conn, w operation, c columns[T], v *T) error {
	return s.noteChange(ctx, tx, w, c.object(v), nil, c.fieldsOf(v))
}

// edit loads one row, changes it, checks it and saves it, in one transaction.
func edit[T any, V validator[T]](ctx context.Context, s *Store, c columns[T], rest string, args []any,
	change func(V), save func(tx conn, v V) error,
) (V, error) {
	return editOrNot(ctx, s, c, rest, args, func(v V) error { change(v); return nil }, save)
}

// editNoted is edit with what changed noted in the audit log.
func editNoted[T any, V validator[T]](ctx context.Context, s *Store, w operation, c columns[T], rest string, args []any,
	change func(V), save func(tx conn, v V) error,
) (V, error) {
	var was fields
	return edit(ctx, s, c, rest, args,
		func(v V) { was = c.fieldsOf((*T)(v)); change(v) },
		func(tx conn, v V) error {
			if err := save(tx, v); err != nil {
				return err
			}
			return s.noteChange(ctx, tx, w, c.object((*T)(v)), was, c.fieldsOf((*T)(v)))
		})
}

// editOrNot is edit with a change that may turn out to be impossible.
func editOrNot[T any, V validator[T]](ctx context.Context, s *Store, c columns[T], rest string, args []any,
	change func(V) error, save func(tx conn, v V) error,
) (V, error) {
	var v V
	err := s.write(ctx, func(tx conn) (err error) {
		v, err = one(ctx, s, tx, c, rest+s.dialect.forUpdate, args...)
		if err != nil {
			return err
		}
		if err := change(v); err != nil {
			return err
		}
		if err := v.Validate(); err != nil {
			return err
		}
		return save(tx, v)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// maxIn is the most values in one IN list or rows in one INSERT: under the
// databases' limits on arguments, at a dozen columns a row.
const maxIn = 500

// placeholders returns n placeholders: "(?, ?, ?)".
func placeholders(n int) string {
	return "(" + strings.TrimSuffix(strings.Repeat("?, ", n), ", ") + ")"
}

// rowsOf returns n rows of placeholders, for INSERT ... VALUES.
func rowsOf(n int, row string) string {
	return strings.TrimSuffix(strings.Repeat(row+", ", n), ", ")
}

// anys returns org and values as arguments of a statement.
func anys[T any](first any, values []T) []any {
	args := make([]any, 0, 1+len(values))
	args = append(args, first)
	for _, v := range values {
		args = append(args, v)
	}
	return args
}
