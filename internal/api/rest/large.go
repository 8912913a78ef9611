package rest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

const (
	// SmallBody is how long a body may be, packed or not, without waiting for
	// its turn. Those of agents are shorter.
	SmallBody = 256 << 10
	// maxLarge is how many longer ones are in memory at once, and ownLarge
	// how many of them of one organization. One of each there may always be.
	maxLarge = 6
	ownLarge = 2
	// largePatience is how long a body waits for its turn.
	largePatience = 20 * time.Second
)

// largeBodies bounds the memory of bodies: they are as long as senders like, up
// to a limit, and as many as there are connections.
type largeBodies struct {
	mu    sync.Mutex
	busy  map[tidemark.OrgID]int
	all   int
	queue []*largeWait
}

// largeWait is a body that waits for a place.
type largeWait struct {
	org tidemark.OrgID
	got chan struct{} // closed when it has one
}

// take takes a place if there is one.
func (l *largeBodies) take(org tidemark.OrgID) bool {
	if own := l.busy[org]; own > 0 && (own >= ownLarge || l.all >= maxLarge) {
		return false
	}
	if l.busy == nil {
		l.busy = make(map[tidemark.OrgID]int)
	}
	l.busy[org]++
	l.all++
	return true
}

func (l *largeBodies) release(org tidemark.OrgID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.busy[org]--; l.busy[org] == 0 {
		delete(l.busy, org)
	}
	l.queue = slices.DeleteFunc(l.queue, func(w *largeWait) bool {
		if !l.take(w.org) {
			return false
		}
		close(w.got)
		return true
	})
}

// enter takes a place, or returns what waits for one.
func (l *largeBodies) enter(org tidemark.OrgID) *largeWait {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.take(org) {
		return nil
	}
	w := &largeWait{org: org, got: make(chan struct{})}
	l.queue = append(l.queue, w)
	return w
}

// leave ends a wait. It reports false where the place has been given meanwhile.
func (l *largeBodies) leave(w *largeWait) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.queue, w)
	if i >= 0 {
		l.queue = slices.Delete(l.queue, i, i+1)
	}
	return i >= 0
}

// wait waits for a place.
func (l *largeBodies) wait(ctx context.Context, org tidemark.OrgID) error {
	w := l.enter(org)
	if w == nil {
		return nil
	}
	timer := time.NewTimer(largePatience)
	defer timer.Stop()
	var err error
	select {
	case <-w.got:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = tidemark.Errorf(tidemark.Unavailable, "too many long bodies at once: send shorter ones, or fewer at a time")
	}
	if !l.leave(w) {
		return nil // it has its place after all
	}
	return err
}

// sizedBody is the body of a request, and the request's work. It waits for a
// place before it becomes large, and for a turn when there is something to do:
// a slow sender takes none.
type sizedBody struct {
	io.ReadCloser
	ctx    context.Context
	site   *Site
	org    tidemark.OrgID
	work   *turns.Work
	holds  bool // a place for large ones
	packed bool
	read   int
	idle   bool // it waits for somebody else, and needs no turn
}

// Hold has r count as a request of org until Done.
func (s *Site) Hold(r *http.Request, org tidemark.OrgID) error {
	none := r.Body == nil || r.Body == http.NoBody
	b := &sizedBody{
		ReadCloser: cmp.Or(r.Body, io.ReadCloser(http.NoBody)), ctx: r.Context(), site: s, org: org,
		work: s.Turns.Work(org), packed: r.Header.Get("Content-Encoding") != "",
	}
	*r = *r.WithContext(turns.With(store.ForOrg(r.Context(), org), b.work))
	r.Body = b
	if none {
		return b.begin()
	}
	return nil
}

// Done is called when r was answered.
func Done(r *http.Request) {
	shrink(r)
	Idle(r)
}

// shrink gives back the place that Enlarge took, once the body was worked on.
func shrink(r *http.Request) {
	if b, ok := r.Body.(*sizedBody); ok && b.holds {
		b.site.large.release(b.org)
		b.holds = false
	}
}

func (b *sizedBody) Read(p []byte) (int, error) {
	b.work.Pause()
	n, err := b.ReadCloser.Read(p)
	b.read += n
	if errors.Is(err, io.EOF) || n > 0 && b.isWork() {
		if err := b.begin(); err != nil {
			return n, err
		}
	}
	return n, err
}

// isWork reports whether there is something to do before all of the body is
// there: it is unpacked, or memory is made for it.
func (b *sizedBody) isWork() bool { return b.packed || b.read > SmallBody }

func (b *sizedBody) begin() error {
	if b.idle {
		return nil
	}
	return b.work.Begin(b.ctx)
}

// Idle is called before what r asks for waits for somebody outside: others of
// the organization are worked on meanwhile.
func Idle(r *http.Request) {
	if b, ok := r.Body.(*sizedBody); ok {
		b.work.Pause()
		b.idle = true
	}
}

// Enlarge waits until the body of r may be larger than SmallBody. Handlers that read
// one call it before.
func Enlarge(r *http.Request) error {
	b, ok := r.Body.(*sizedBody)
	if !ok || b.holds {
		return nil
	}
	// Those with a place wait for turns, so nobody may have a turn and wait for
	// a place.
	return b.work.Wait(b.ctx, func() error {
		err := b.site.large.wait(b.ctx, b.org)
		b.holds = err == nil
		return err
	})
}

// ReadGrowing appends to dst what from has, of r's body or made of it, up to
// limit bytes, and one more if there are more. What is announced is not
// believed: memory grows with what comes.
func ReadGrowing(r *http.Request, dst []byte, from io.Reader, limit int64) ([]byte, error) {
	start := len(dst)
	for {
		have := int64(len(dst) - start)
		if have > limit {
			return dst, nil
		}
		if have >= SmallBody {
			if err := Enlarge(r); err != nil {
				return dst, err
			}
		}
		if len(dst) == cap(dst) {
			dst = slices.Grow(dst, int(min(max(4096, int64(len(dst))), limit+1-have)))
		}
		n, err := from.Read(dst[len(dst):min(int64(cap(dst)), int64(start)+limit+1)])
		dst = dst[:len(dst)+n]
		if errors.Is(err, io.EOF) {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}
