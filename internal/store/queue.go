package store

import (
	"context"
	"slices"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// orgKey is where a context has the organization that its work is for.
type orgKey struct{}

// ForOrg returns a context of work that is for org. It decides nothing about
// what is read or written, only whose turn it is to write.
func ForOrg(ctx context.Context, org tidemark.OrgID) context.Context {
	return context.WithValue(ctx, orgKey{}, org)
}

// writerQueue is who waits for the one writer of SQLite. Organizations take
// turns, so that one with many writes waiting delays another by one of them;
// database/sql would let any of those that wait go next. What is for no
// organization, such as signing in and the server's own work, has turns like
// one.
type writerQueue struct {
	mu      sync.Mutex
	busy    bool
	turns   []tidemark.OrgID                   // those that wait, the next first
	waiting map[tidemark.OrgID][]chan struct{} // closed when it is their turn
}

func newWriterQueue() *writerQueue {
	return &writerQueue{waiting: make(map[tidemark.OrgID][]chan struct{})}
}

// enter waits until the writer is ctx's. A nil queue has no end of writers.
func (q *writerQueue) enter(ctx context.Context) (leave func(), err error) {
	if q == nil {
		return func() {}, nil
	}
	org, _ := ctx.Value(orgKey{}).(tidemark.OrgID)
	q.mu.Lock()
	if !q.busy {
		q.busy = true
		q.mu.Unlock()
		return q.leave, nil
	}
	turn := make(chan struct{})
	if len(q.waiting[org]) == 0 {
		q.turns = append(q.turns, org)
	}
	q.waiting[org] = append(q.waiting[org], turn)
	q.mu.Unlock()
	select {
	case <-turn:
		return q.leave, nil
	case <-ctx.Done():
		q.giveUp(org, turn)
		return nil, ctx.Err()
	}
}

// leave gives the writer to the next.
func (q *writerQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.turns) == 0 {
		q.busy = false
		return
	}
	org := q.turns[0]
	q.turns = q.turns[1:]
	turn := q.waiting[org][0]
	q.waiting[org] = q.waiting[org][1:]
	if len(q.waiting[org]) > 0 {
		q.turns = append(q.turns, org)
	} else {
		delete(q.waiting, org)
	}
	close(turn)
}

// giveUp leaves the queue. Who was given the writer meanwhile passes it on.
func (q *writerQueue) giveUp(org tidemark.OrgID, turn chan struct{}) {
	q.mu.Lock()
	i := slices.Index(q.waiting[org], turn)
	if i < 0 {
		q.mu.Unlock()
		q.leave()
		return
	}
	defer q.mu.Unlock()
	q.waiting[org] = slices.Delete(q.waiting[org], i, i+1)
	if len(q.waiting[org]) == 0 {
		delete(q.waiting, org)
		at := slices.Index(q.turns, org)
		q.turns = slices.Delete(q.turns, at, at+1)
	}
}
