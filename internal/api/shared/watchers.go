package shared

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	// maxWatching is how many pages of all organizations may watch at once,
	// and sparePages how many of one always may, whatever the others do.
	maxWatching = 1000
	sparePages  = 10
	// checkEvery is how often a page that watches is asked for its session, and
	// heartbeat how often it is sent something though nothing happens.
	checkEvery = 10 * time.Second
	heartbeat  = 20 * time.Second
	// lookEvery is how often one is told of a change.
	lookEvery = 2 * time.Second
)

var errTooManyWatch = tidemark.Errorf(tidemark.TooMany, "too many pages are watching")

// watchers counts the pages that watch, by organization.
type watchers struct {
	mu    sync.Mutex
	total int
	pages map[tidemark.OrgID]int
}

func newWatchers() *watchers { return &watchers{pages: make(map[tidemark.OrgID]int)} }

// enter lets one more page of org watch until leave is called.
func (w *watchers) enter(limits *tidemark.Limits, org tidemark.OrgID) (leave func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	own := w.pages[org]
	if limit := limits.Share(org, tidemark.LimitListeners); limit > 0 && int64(own) >= limit {
		return nil, limits.Refuse(org, tidemark.LimitListeners)
	}
	if w.total >= maxWatching && own >= sparePages {
		return nil, errTooManyWatch
	}
	w.total++
	w.pages[org]++
	return sync.OnceFunc(func() { w.leave(org) }), nil
}

func (w *watchers) leave(org tidemark.OrgID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total--
	if w.pages[org]--; w.pages[org] == 0 {
		delete(w.pages, org)
	}
}

// Watch lets one more page of org watch until leave is called.
func (s *Base) Watch(org tidemark.OrgID) (leave func(), err error) {
	return s.watchers.enter(s.Limits, org)
}

// MayStillWatch reports whether who is still signed in and has the role that
// the stream was opened with: it outlives neither. A database that does not
// answer ends no stream.
func (s *Base) MayStillWatch(ctx context.Context, who tidemark.Identity) bool {
	m, err := s.Store.Membership(ctx, who.Org, who.User)
	if err != nil {
		return tidemark.KindOf(err) != tidemark.NotFound
	}
	if m.Role != who.Role {
		return false
	}
	sessions, err := s.Store.SessionsOf(ctx, who.User, s.Now().Unix())
	if err != nil {
		return true
	}
	for _, one := range sessions {
		if one.ID == who.Session {
			return true
		}
	}
	return false
}

// Stream has send write what c brings as server-sent events, until it returns
// false, the client goes away, who may watch no longer, or the server stops.
func Stream[T any](s *Base, r *http.Request, w http.ResponseWriter, who tidemark.Identity, c <-chan T, send func(T) bool) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // an open stream is not a slow request
	check := time.NewTicker(checkEvery)
	defer check.Stop()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for control.Flush() == nil {
		select {
		case <-r.Context().Done():
			return
		case <-s.Stopping:
			return
		case <-check.C:
			if !s.MayStillWatch(r.Context(), who) {
				return
			}
		case <-beat.C:
			fmt.Fprint(w, ": still here\n\n")
		case v := <-c:
			if !send(v) {
				return
			}
		}
	}
}

// StreamChanges sends what look returns as server-sent events of a name, first
// at once and then whenever it is not what it was, for as long as who may watch.
func (s *Base) StreamChanges(r *http.Request, w http.ResponseWriter, who tidemark.Identity, event string, look func(context.Context) ([]byte, error)) {
	var told []byte
	tell := func(time.Time) bool {
		if body, err := look(r.Context()); err == nil && !bytes.Equal(body, told) {
			told = body
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, body)
		}
		return true
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	tell(time.Time{})
	Stream(s, r, w, who, tick.C, tell)
}
