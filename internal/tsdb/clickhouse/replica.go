package clickhouse

import (
	"context"
	"hash/crc32"
	"io"
	"sync"
	"time"
)

// agreement is what all servers agree on where ClickHouse has replicas: the
// one that they write to and read from. Replicas lag behind each other, so that
// a server that reads from another one than the rest write to misses what was
// acknowledged. The ledger has the replica as a mark that grows with each
// change.
//
//   - A question looks at the mark first, and goes to that replica, which has
//     caught up with the others once since it has that mark.
//   - A write goes there too and is acknowledged if the mark is the same
//     afterwards; otherwise it is done once more.
//   - Where the replica does not answer, another one does: a question after it
//     has caught up, a write if the mark can be changed to it. From then on all
//     use that one, until it fails in turn.
//
// So a write that was acknowledged under a mark is on that mark's replica, and
// was on most replicas before the next mark was made, after which the next
// replica catches up. No clock is involved.
type agreement struct {
	ledger markLedger
	// sync waits until a replica has what the others have.
	sync func(ctx context.Context, at int) error

	syncing chan struct{} // has room for the one who does so
	mu      sync.Mutex
	synced  int64 // the latest mark whose replica has caught up
}

// markLedger is what an agreement needs of the ledger.
type markLedger interface {
	EngineMark(ctx context.Context, name string) (int64, error)
	SwapEngineMark(ctx context.Context, name string, from, to int64) (swapped bool, err error)
}

const (
	// replicaMark has a number that grows in its upper half, and the sum of an
	// address in its lower one: servers may have their addresses in different
	// orders.
	replicaMark = "replica"
	// markFor is how long a question waits for the ledger before it goes on
	// without.
	markFor = time.Second
	// syncFor is how long a replica may take to catch up before the next is
	// tried.
	syncFor = 10 * time.Second
)

func newAgreement(ledger markLedger, sync func(ctx context.Context, at int) error) *agreement {
	return &agreement{ledger: ledger, sync: sync, syncing: make(chan struct{}, 1)}
}

// behindError is why a replica has not caught up.
type behindError struct{ err error }

func (e *behindError) Error() string { return "catch up with other replicas: " + e.err.Error() }
func (e *behindError) Unwrap() error { return e.err }

// sum tells addresses apart.
func (c *client) sum(at int) int64 { return int64(crc32.ChecksumIEEE([]byte(c.urls[at].Host))) }

// replicaOf is the address that a mark names, -1 if it is none of ours.
func (c *client) replicaOf(mark int64) int {
	for at := range c.urls {
		if mark != 0 && mark&0xffffffff == c.sum(at) {
			return at
		}
	}
	return -1
}

// move has all servers use another replica, unless they do not use the one of
// mark any more.
func (c *client) move(ctx context.Context, mark int64, at int) (moved bool, err error) {
	next := (mark>>32+1)<<32 | c.sum(at)
	return c.agreement.ledger.SwapEngineMark(ctx, replicaMark, mark, next)
}

// askAgreed asks for an answer with all that was acknowledged before. Without
// the ledger a replica that catches up first has that too.
func (c *client) askAgreed(ctx context.Context, st *statement) (body io.ReadCloser, err error) {
	mark, unknown := c.mark(ctx)
	agreed := c.replicaOf(mark)
	at, err := c.anywhere(ctx, c.first(agreed), func(at int) (err error) {
		if err = c.catchUp(ctx, mark, at); err == nil {
			body, err = c.askAt(ctx, at, st)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if at != agreed && unknown == nil {
		// The answer is right whether or not others come along.
		_, _ = c.move(ctx, mark, at)
	}
	c.use(at)
	return body, nil
}

// first is the address to try first.
func (c *client) first(agreed int) int {
	if agreed >= 0 {
		return agreed
	}
	return c.inUse()
}

// mark is the present one. It is 0 where the ledger does not answer.
func (c *client) mark(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, markFor)
	defer cancel()
	return c.agreement.ledger.EngineMark(ctx, replicaMark)
}

// execAgreed changes something so that all servers see it from then on. It may
// do so several times.
func (c *client) execAgreed(ctx context.Context, st *statement) error {
	for {
		mark, err := c.agreement.ledger.EngineMark(ctx, replicaMark)
		if err != nil {
			return ledgerError(err)
		}
		at, err := c.anywhere(ctx, c.first(c.replicaOf(mark)), func(at int) error { return c.change(ctx, mark, at, st) })
		if err != nil {
			return err
		}
		c.use(at)
		seen, err := c.isSeen(ctx, mark, at)
		if err != nil {
			return ledgerError(err)
		}
		if seen {
			return nil
		}
	}
}

// change runs a statement that changes something at one address. One that has
// no rows with it makes them of those that are there.
func (c *client) change(ctx context.Context, mark int64, at int, st *statement) error {
	if st.body != nil {
		return c.insertAt(ctx, at, st)
	}
	if err := c.catchUp(ctx, mark, at); err != nil {
		return err
	}
	return c.run(ctx, at, st)
}

// catchUp has a replica catch up, if it is the one of the mark only once.
func (c *client) catchUp(ctx context.Context, mark int64, at int) error {
	if at != c.replicaOf(mark) {
		return c.agreement.syncAt(ctx, at)
	}
	return c.agreement.syncOnce(ctx, mark, at)
}

// isSeen reports whether all servers see what was done under a mark at a
// replica.
func (c *client) isSeen(ctx context.Context, mark int64, at int) (bool, error) {
	if at != c.replicaOf(mark) {
		return c.move(ctx, mark, at)
	}
	now, err := c.agreement.ledger.EngineMark(ctx, replicaMark)
	return now == mark, err
}

// syncOnce is syncAt for the replica of a mark, unless it has been done.
func (a *agreement) syncOnce(ctx context.Context, mark int64, at int) error {
	if a.isSynced(mark) {
		return nil
	}
	select {
	case a.syncing <- struct{}{}:
		defer func() { <-a.syncing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if a.isSynced(mark) {
		return nil
	}
	if err := a.syncAt(ctx, at); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.synced = max(a.synced, mark)
	return nil
}

func (a *agreement) isSynced(mark int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.synced == mark
}

func (a *agreement) syncAt(ctx context.Context, at int) error {
	ctx, cancel := context.WithTimeout(ctx, syncFor)
	defer cancel()
	if err := a.sync(ctx, at); err != nil {
		return &behindError{err}
	}
	return nil
}

// syncReplica waits until a replica has what others have.
func (e *Engine) syncReplica(ctx context.Context, at int) error {
	for _, table := range []string{"streams", "records", "hours"} {
		err := e.client.run(ctx, at, &statement{sql: "SYSTEM SYNC REPLICA " + e.client.database + "." + e.shape.local(table)})
		if err != nil {
			return err
		}
	}
	return nil
}
