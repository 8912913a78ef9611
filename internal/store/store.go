// Package store keeps everything that is not a measurement, in SQLite or
// PostgreSQL. There is one type, Store, with one file of methods per resource.
//
// Statements are written with ? placeholders, in the SQL both databases
// understand; what they do not share is in dialect.go and in migrations.
// Exported methods own their transaction, unexported ones take it.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/seal"
)

// Store is the control store. Its methods are safe for concurrent use and
// return *tidemark.Error for whatever a caller could have done differently. A
// method that changes something returns after the change would survive a
// power failure.
type Store struct {
	// db reads; writer writes. In SQLite the writer is a single connection, so
	// that writers queue here instead of failing there; in PostgreSQL the two
	// are one pool.
	db, writer *sql.DB
	// readers and writers share out the connections of the two; they are one
	// where those are.
	readers, writers *connections
	dialect          dialect
	url              string
	now              func() int64
	audited          func(*tidemark.AuditEntry) // called with what was written, if set
	limits           *tidemark.Limits
	versionBytes     int64 // how long the versions of one thing may be together
	tally            tally
	keys             *seal.Keys // of secrets; nil where none are read or written
	node             string     // the server that joined, if one did
	probe            probe
}

// Open opens the database named by url ("sqlite:path" or "postgres://...")
// and brings its schema up to date.
func Open(ctx context.Context, url string) (*Store, error) {
	return OpenReporting(ctx, url, func(Migration) {})
}

// OpenReporting is Open, and calls report before each change that it makes to
// a database of an earlier version.
func OpenReporting(ctx context.Context, url string, report func(Migration)) (*Store, error) {
	s, err := connect(url)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	s.now, s.versionBytes = unixNow, defaultVersionBytes
	if err := s.migrate(ctx, report); err != nil {
		s.Close()
		return nil, fmt.Errorf("migrate store: %w", err)
	}
	return s, nil
}

func unixNow() int64 { return time.Now().Unix() }

// Close releases the database.
func (s *Store) Close() error {
	if s.writer == s.db {
		return s.db.Close()
	}
	return errors.Join(s.db.Close(), s.writer.Close())
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	_, err := value[int](ctx, s, s.db, "answer", `SELECT 1`)
	return err
}

// probeEvery is how often the database is written to to find out whether it
// can be, at most.
const probeEvery = 5 * time.Second

// ProbeWrite reports whether the database can be written to, as it was found a
// few seconds ago at most.
func (s *Store) ProbeWrite(ctx context.Context) error {
	s.probe.mu.Lock()
	defer s.probe.mu.Unlock()
	if time.Since(s.probe.at) < probeEvery {
		return s.probe.err
	}
	s.probe.err = s.SetSetting(ctx, "probe", []byte(strconv.FormatInt(s.now(), 10)))
	s.probe.at = time.Now()
	return s.probe.err
}

// probe is how the last write to find out whether there can be one went.
type probe struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// conn is what reads and writes need: *sql.DB and *sql.Tx both have it.
type conn interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// maxTries bounds how often something is tried again: often enough to get past
// every connection of the pool after the database was restarted.
const maxTries = postgresConnections + 5

// write runs f in a transaction and commits it unless f fails. Since a
// transaction that meets a deadlock, or loses its connection before it is
// committed, is run again, f sets what it returns and does not add to it.
func (s *Store) write(ctx context.Context, f func(tx conn) error) error {
	for try := 1; ; try++ {
		again, err := s.writeOnce(ctx, f)
		if err == nil || !again || try == maxTries || ctx.Err() != nil {
			return s.translate(err)
		}
	}
}

// writeOnce also reports whether it is safe to try again. It is not where a
// commit got lost: that may have been made.
func (s *Store) writeOnce(ctx context.Context, f func(tx conn) error) (again bool, err error) {
	leave, err := s.writers.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	begun, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return s.dialect.isLost(err), err
	}
	tx := &transaction{Tx: begun}
	defer tx.Rollback() // does nothing after Commit
	if err := f(tx); err != nil {
		return s.dialect.isDeadlock(err) || s.dialect.isLost(err), err
	}
	if err := tx.Commit(); err != nil {
		return s.dialect.isDeadlock(err), err
	}
	if s.audited != nil {
		for _, v := range tx.audited {
			s.audited(v)
		}
	}
	return false, nil
}

// transaction is one with what it wrote to the audit log.
type transaction struct {
	*sql.Tx
	audited []*tidemark.AuditEntry
}

// query runs a SELECT, or a statement that returns rows.
func (s *Store) query(ctx context.Context, q conn, stmt string, args ...any) (*rows, error) {
	if err := checkTexts(args); err != nil {
		return nil, err
	}
	leave, err := s.enter(ctx, q)
	if err != nil {
		return nil, s.translate(err)
	}
	stmt = s.dialect.rebind(stmt)
	found, err := q.QueryContext(ctx, stmt, args...)
	for try := 1; try < maxTries && s.readAgain(ctx, q, stmt, err); try++ {
		found, err = q.QueryContext(ctx, stmt, args...)
	}
	if err != nil {
		leave()
		return nil, s.translate(err)
	}
	return &rows{found, leave}, nil
}

// readAgain reports whether a query failed because the pool still held a
// connection that had ended, and can do no harm when it is run again.
func (s *Store) readAgain(ctx context.Context, q conn, stmt string, err error) bool {
	_, pooled := q.(*sql.DB)
	return err != nil && pooled && strings.HasPrefix(stmt, "SELECT ") && ctx.Err() == nil && s.dialect.isLost(err)
}

// exec runs a statement and returns how many rows it changed.
func (s *Store) exec(ctx context.Context, q conn, stmt string, args ...any) (int64, error) {
	if err := checkTexts(args); err != nil {
		return 0, err
	}
	leave, err := s.enter(ctx, q)
	if err != nil {
		return 0, s.translate(err)
	}
	defer leave()
	res, err := q.ExecContext(ctx, s.dialect.rebind(stmt), args...)
	if err != nil {
		return 0, s.translate(err)
	}
	return res.RowsAffected()
}

// errText is for texts that PostgreSQL refuses and SQLite would store as they
// are; they are refused for both.
var errText = &tidemark.Error{Kind: tidemark.Invalid, Msg: "has characters that cannot be stored"}

func checkTexts(args []any) error {
	for _, arg := range args {
		text, ok := arg.(string)
		if p, isPointer := arg.(*string); isPointer && p != nil {
			text, ok = *p, true
		}
		if ok && (!utf8.ValidString(text) || strings.Contains(text, "\x00")) {
			return errText
		}
	}
	return nil
}

// translate is the one place where a complaint of the database becomes an
// error of the product.
func (s *Store) translate(err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*tidemark.Error](err); done {
		return err
	}
	switch {
	case s.dialect.isUnique(err):
		return &tidemark.Error{Kind: tidemark.Conflict, Msg: "already exists", Err: err}
	case s.dialect.isForeignKey(err):
		return &tidemark.Error{Kind: tidemark.NotFound, Msg: "refers to something that does not exist", Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "the database is too slow", Err: err}
	case s.dialect.isFull(err):
		return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "the disk of the database is full", Err: err}
	case s.dialect.isDeadlock(err), s.dialect.isLost(err), s.dialect.isUnavailable(err):
		return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "the database is not available", Err: err}
	}
	return err
}

// isForeignKey reports whether err is translate's for a broken reference.
func (s *Store) isForeignKey(err error) bool {
	e, ok := errors.AsType[*tidemark.Error](err)
	return ok && e.Err != nil && s.dialect.isForeignKey(e.Err)
}

// taken says which field of a resource a Conflict is about.
func taken(err error, field string) error {
	e, ok := errors.AsType[*tidemark.Error](err)
	if !ok || e.Kind != tidemark.Conflict || e.Fields != nil {
		return err
	}
	return &tidemark.Error{
		Kind: tidemark.Conflict, Msg: e.Msg, Err: e.Err,
		Fields: map[string][]string{field: {"is already taken"}},
	}
}

// after returns the time of a change to something last changed at old: now
// or, since clients tell versions apart by their time, the second that is about
// to begin. Many changes within one second share it: a time further ahead would
// be one that never was.
func (s *Store) after(old int64) int64 {
	now := s.now()
	return max(now, min(old, now)+1)
}

// key is the form of a name by which lists search and sort.
func key(name string) string { return strings.ToLower(name) }
