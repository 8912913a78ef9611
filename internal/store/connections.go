package store

import (
	"context"
	"database/sql"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// orgKey is where a context has the organization that its work is for.
type orgKey struct{}

// ForOrg returns a context of work that is for org. It decides nothing about
// what is read or written, only whose share of the connections it takes.
func ForOrg(ctx context.Context, org tidemark.OrgID) context.Context {
	return context.WithValue(ctx, orgKey{}, org)
}

// ofServer is who has what is for no organization, such as signing in and the
// server's own work.
const ofServer tidemark.OrgID = 0

// patience is how long work of an organization waits for a connection. That of
// the server, which nobody tries again, waits six times as long.
const patience = 10 * time.Second

// errBusy and errShare are for who waited as long as that: the server, and an
// organization.
var (
	errBusy  = tidemark.Errorf(tidemark.Unavailable, "the database is too slow")
	errShare = tidemark.Errorf(tidemark.Unavailable, "the database is busy with other requests of this organization: try again, with fewer at a time")
)

// connections shares a number of connections to the database among
// organizations. One may take another while it holds fewer than are free: alone
// it gets half, and whoever comes next finds some. What is left when many hold
// some goes to those who hold fewest, who take turns. A part is reserved for the
// server. With a single connection, that of SQLite's writer, all take turns.
//
// Nobody who holds one may wait for another: if all did, nobody would go on.
type connections struct {
	size, reserve int
	patience      time.Duration
	refused       atomic.Int64

	mu      sync.Mutex
	used    int
	held    map[tidemark.OrgID]int
	turns   []tidemark.OrgID                   // those that wait, the next first
	waiting map[tidemark.OrgID][]chan struct{} // closed when it is their turn
}

func newConnections(size, reserve int) *connections {
	return &connections{
		size: size, reserve: reserve, patience: patience,
		held: make(map[tidemark.OrgID]int), waiting: make(map[tidemark.OrgID][]chan struct{}),
	}
}

// enter waits until a connection is ctx's, and returns what gives it back,
// which is to be called once.
func (c *connections) enter(ctx context.Context) (leave func(), err error) {
	org, _ := ctx.Value(orgKey{}).(tidemark.OrgID)
	turn := c.begin(org)
	leave = func() { c.leave(org) }
	if turn == nil {
		return leave, nil
	}
	limit, refusal := c.patience, errShare
	if org == ofServer {
		limit, refusal = 6*c.patience, errBusy
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-turn:
		return leave, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		c.refused.Add(1)
		err = refusal
	}
	c.giveUp(org, turn)
	return nil, err
}

// begin takes a connection, or returns what is closed when one was taken.
func (c *connections) begin(org tidemark.OrgID) (turn chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting[org]) == 0 && c.may(org) {
		c.take(org)
		return nil
	}
	turn = make(chan struct{})
	if len(c.waiting[org]) == 0 {
		c.turns = append(c.turns, org)
	}
	c.waiting[org] = append(c.waiting[org], turn)
	return turn
}

// may reports whether org may take another connection.
func (c *connections) may(org tidemark.OrgID) bool {
	free, held := c.size-c.used, c.held[org]
	if org == ofServer {
		return free > 0 && (held < c.reserve || held < free)
	}
	return held < free-max(0, c.reserve-c.held[ofServer])
}

func (c *connections) take(org tidemark.OrgID) {
	c.used++
	c.held[org]++
}

// leave gives a connection back, for those who may have it now.
func (c *connections) leave(org tidemark.OrgID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used--
	if c.held[org]--; c.held[org] == 0 {
		delete(c.held, org)
	}
	for i := c.next(); i >= 0; i = c.next() {
		c.admit(i)
	}
}

// next returns the place in turns of the first who may have a connection, or -1.
func (c *connections) next() int { return slices.IndexFunc(c.turns, c.may) }

// admit gives a connection to the organization at a place in turns.
func (c *connections) admit(i int) {
	org := c.turns[i]
	turn := c.waiting[org][0]
	c.turns = slices.Delete(c.turns, i, i+1)
	c.waiting[org] = c.waiting[org][1:]
	if len(c.waiting[org]) > 0 {
		c.turns = append(c.turns, org)
	} else {
		delete(c.waiting, org)
	}
	c.take(org)
	close(turn)
}

// giveUp waits no longer. Who was given a connection meanwhile passes it on.
func (c *connections) giveUp(org tidemark.OrgID, turn chan struct{}) {
	c.mu.Lock()
	i := slices.Index(c.waiting[org], turn)
	if i < 0 {
		c.mu.Unlock()
		c.leave(org)
		return
	}
	defer c.mu.Unlock()
	c.waiting[org] = slices.Delete(c.waiting[org], i, i+1)
	if len(c.waiting[org]) == 0 {
		delete(c.waiting, org)
		at := slices.Index(c.turns, org)
		c.turns = slices.Delete(c.turns, at, at+1)
	}
}

// Load is what is done with the connections to the database.
type Load struct {
	Used, Waiting int
	Refused       int64 // how often somebody waited in vain
}

func (c *connections) load() Load {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := Load{Used: c.used, Refused: c.refused.Load()}
	for _, turns := range c.waiting {
		l.Waiting += len(turns)
	}
	return l
}

// Load returns what is done with the connections at the moment.
func (s *Store) Load() Load {
	l := s.readers.load()
	if s.writers != s.readers {
		w := s.writers.load()
		l = Load{Used: l.Used + w.Used, Waiting: l.Waiting + w.Waiting, Refused: l.Refused + w.Refused}
	}
	return l
}

// enter waits for a connection where q is a pool of them, and not one, such as
// a transaction, that has its own already.
func (s *Store) enter(ctx context.Context, q conn) (leave func(), err error) {
	switch q {
	case s.db:
		return s.readers.enter(ctx)
	case s.writer:
		return s.writers.enter(ctx)
	}
	return func() {}, nil
}

// rows are those of a query, which holds a connection until Close.
type rows struct {
	*sql.Rows
	leave func()
}

// Close gives the connection back; it is to be called once.
func (r *rows) Close() error {
	defer r.leave()
	return r.Rows.Close()
}

// ownConn is a connection for as long as Close is not called.
type ownConn struct {
	*sql.Conn
	leave func()
}

func (s *Store) conn(ctx context.Context) (*ownConn, error) {
	leave, err := s.readers.enter(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.db.Conn(ctx)
	if err != nil {
		leave()
		return nil, err
	}
	return &ownConn{c, leave}, nil
}

// Close gives the connection back; it is to be called once.
func (c *ownConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
