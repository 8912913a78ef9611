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
	// CheckEvery is how often a page that watches is asked for its session, and
	// Heartbeat how often it is sent something though nothing happens.
	CheckEvery = 10 * time.Second
	Heartbeat  = 20 * time.Second
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

// StreamChanges sends what look returns as server-sent events of a name, first
// at once and then whenever it is not what it was, for as long as who may watch.
func (s *Base) StreamChanges(r *http.Request, w http.ResponseWriter, who tidemark.Identity, event string, look func(context.Context) ([]byte, error)) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // an open stream is not a slow request
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	check := time.NewTicker(CheckEvery)
	defer check.Stop()
	var told []byte
	var wrote time.Time
	for {
		switch body, err := look(r.Context()); {
		case err == nil && !bytes.Equal(body, told):
			told, wrote = body, time.Now()
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, body)
		case time.Since(wrote) >= Heartbeat:
			wrote = time.Now()
			fmt.Fprint(w, ": still here\n\n")
		}
		if control.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.Stopping:
			return
		case <-check.C:
			if !s.MayStillWatch(r.Context(), who) {
				return
			}
		case <-tick.C:
		}
	}
}
