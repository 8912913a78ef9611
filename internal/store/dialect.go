package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// dialect is everything SQLite and PostgreSQL do not agree on.
type dialect struct {
	name          string // also the name of the migrations directory
	forUpdate     string // appended to a SELECT that precedes an UPDATE
	lockSchema    string // run before the schema is looked at; transactions that run it queue
	notify        string // notifies listeners in other processes of a topic, when the transaction commits
	clock         string // seconds since the epoch, by the database's clock
	nextCommit    string // counts a commit; returns its number and that of the latest change of an engine metric
	columns       string // lists all tables with their columns, in order
	lastNumbers   string // lists tables that number their rows, with the last number given out
	rebind        func(stmt string) string
	isUnique      func(error) bool
	isForeignKey  func(error) bool
	isDeadlock    func(error) bool // the transaction may be tried again
	isLost        func(error) bool // the connection is gone
	isFull        func(error) bool // there is no room on its disk
	isUnavailable func(error) bool // there is no connection to be had, or no memory
}

var sqliteDialect = dialect{
	name:  "sqlite",
	clock: `unixepoch()`,
	nextCommit: `INSERT INTO versions (topic, version) VALUES ('` + commitsTopic + `', 1) ON CONFLICT (topic) DO UPDATE SET version = versions.version + 1
		RETURNING version, COALESCE((SELECT v.version FROM versions v WHERE v.topic = '` + engineTopic + `'), 0)`,
	columns: `SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`,
	lastNumbers: `SELECT name, seq FROM sqlite_sequence WHERE seq > 0`,
	rebind:      func(stmt string) string { return stmt },
	isUnique: func(err error) bool {
		code := sqliteCode(err)
		return code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	},
	isForeignKey: func(err error) bool { return sqliteCode(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY },
	isDeadlock:   func(error) bool { return false }, // there is one writer
	isLost:       func(error) bool { return false }, // there is no network
	// The rest of a code says more precisely what.
	isFull:        func(err error) bool { return sqliteCode(err)&0xff == sqlite3.SQLITE_FULL },
	isUnavailable: func(err error) bool { return sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY },
}

var postgresDialect = dialect{
	name:       "postgres",
	forUpdate:  " FOR UPDATE",
	lockSchema: `SELECT pg_advisory_xact_lock(7273650001)`,
	notify:     `SELECT pg_notify('tidemark', ?)`,
	clock:      `CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS BIGINT)`,
	nextCommit: `SELECT nextval('engine_commits'), COALESCE((SELECT version FROM versions WHERE topic = '` + engineTopic + `'), 0)`,
	columns: `SELECT table_name::text, column_name::text FROM information_schema.columns
		WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
	lastNumbers: `SELECT t.relname::text, q.last_value FROM pg_sequences q
		JOIN pg_class s ON s.relname = q.sequencename AND s.relnamespace = current_schema()::regnamespace
		JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass
		JOIN pg_class t ON t.oid = d.refobjid
		WHERE q.schemaname = current_schema() AND q.last_value IS NOT NULL`,
	rebind:        dollars,
	isUnique:      func(err error) bool { return pgCode(err) == "23505" },
	isForeignKey:  func(err error) bool { return pgCode(err) == "23503" },
	isDeadlock:    func(err error) bool { return pgCode(err) == "40P01" || pgCode(err) == "40001" },
	isLost:        postgresLost,
	isFull:        func(err error) bool { return pgCode(err) == "53100" },
	isUnavailable: postgresUnavailable,
}

// The most connections each kind of database is given. PostgreSQL's default
// allows 100 in all, to be shared by the nodes.
const (
	sqliteReaders       = 8
	postgresConnections = 20
	// A quarter is reserved for the server itself.
	sqliteReserve   = sqliteReaders / 4
	postgresReserve = postgresConnections / 4
	idleTime        = 5 * time.Minute
)

// connect opens the database named by url.
func connect(url string) (*Store, error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return connectSQLite(path)
	}
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		return connectPostgres(url)
	}
	// The URL may hold a password, so it is not repeated.
	return nil, errors.New(`a database is "sqlite:PATH" or "postgres://..."`)
}

func connectPostgres(url string) (*Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(url, "default_query_exec_mode") {
		// A plan that PostgreSQL keeps while a table is small stays when it
		// has grown, until it happens to be analyzed. When the first agents
		// brought their metrics, looking up 1000 took 1 s instead of 20 ms.
		// In this mode every statement is planned as it is run.
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(postgresConnections)
	db.SetMaxIdleConns(postgresConnections)
	db.SetConnMaxIdleTime(idleTime)
	shared := newConnections(postgresConnections, postgresReserve)
	return &Store{db: db, writer: db, readers: shared, writers: shared, dialect: postgresDialect, url: url}, nil
}

func connectSQLite(path string) (*Store, error) {
	if path == "" || path == ":memory:" {
		return nil, errors.New("SQLite needs a file")
	}
	// Others on the machine have no business in it, nor in the files that
	// SQLite puts beside it, which get the same permissions.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	writer, err := sql.Open("sqlite", sqliteDSN(path, "_txlock=immediate"))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	db, err := sql.Open("sqlite", sqliteDSN(path, "_pragma=query_only(1)"))
	if err != nil {
		writer.Close()
		return nil, err
	}
	db.SetMaxOpenConns(sqliteReaders)
	db.SetMaxIdleConns(sqliteReaders)
	return &Store{
		db: db, writer: writer, readers: newConnections(sqliteReaders, sqliteReserve), writers: newConnections(1, 0),
		dialect: sqliteDialect, url: path,
	}, nil
}

// sqliteDSN returns the data source name of a file. Pragmas belong to a
// connection, not to the database, so they go in the name, where every
// connection of the pool gets them.
//
// synchronous is full: in WAL mode anything less gives back the last commits
// after a power failure, and a notification once promised must not be lost.
func sqliteDSN(path, more string) string {
	pragmas := []string{
		"_pragma=busy_timeout(10000)", // another process, such as the CLI, may be writing
		"_pragma=journal_mode(wal)",
		"_pragma=synchronous(full)",
		"_pragma=foreign_keys(1)",
		"_pragma=temp_store(memory)",
		"_pragma=cache_size(-8000)",            // KiB a connection
		"_pragma=journal_size_limit(67108864)", // what a burst of writes leaves behind
		more,
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + strings.Join(pragmas, "&")
}

// dollars rewrites ? placeholders as $1, $2... Our statements have no
// question marks in string literals, so none need to be skipped.
func dollars(stmt string) string {
	var b strings.Builder
	n := 0
	for {
		before, after, found := strings.Cut(stmt, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n++
		b.WriteString("$" + strconv.Itoa(n))
		stmt = after
	}
}

func sqliteCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

func pgCode(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// postgresLost reports whether a connection ended, most likely with the server
// it led to.
func postgresLost(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return false // there was none
	}
	if code := pgCode(err); code == "57P01" || code == "57P02" {
		return true // reported before the end
	}
	_, network := errors.AsType[*net.OpError](err)
	return network || pgconn.SafeToRetry(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn)
}

// postgresUnavailable reports whether the server cannot be reached, is going
// down, or has no connection or memory left.
func postgresUnavailable(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	code := pgCode(err)
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "53") || strings.HasPrefix(code, "57P")
}

// String keeps a password in the URL out of logs.
func (s *Store) String() string { return fmt.Sprintf("store (%s)", s.dialect.name) }
