package usage

import (
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// eventBuffer is how many events a listener may be behind before it misses
// some.
const eventBuffer = 64

// Activity is one request or measurement, as listeners receive it.
type Activity struct {
	Kind string // "request" or "measurement"
	Body any    // a RequestEvent or a MeasurementEvent
}

// RequestEvent is a request that was answered.
type RequestEvent struct {
	At        int64  `json:"at"`
	UserAgent string `json:"user_agent"`
	Sender    string `json:"sender"` // the tag host of what was sent, else the address
	Status    int    `json:"status"`
	Method    string `json:"method"`
	Path      string `json:"path"`
	Reason    string `json:"reason"`     // why it was refused
	Needs     string `json:"needs"`      // the least role that would do, where the token's does not
	TokenEnds string `json:"token_ends"` // the last four characters of an unknown token; empty of anything shorter than 16
}

func newRequestEvent(q *Request, now int64) RequestEvent {
	e := RequestEvent{
		At: now, UserAgent: q.UserAgent, Status: q.Status, Method: q.Method, Path: q.Path, Reason: q.Reason,
		Needs: q.needs(), TokenEnds: q.TokenEnds,
	}
	if q.Who.Org != 0 { // requests of unknown senders are shown without their address
		e.Sender = q.sender()
	}
	return e
}

// MeasurementEvent is a metric that has a new measurement.
type MeasurementEvent struct {
	At   int64  `json:"at"`
	Name string `json:"name"`
}

// Filter is what a listener wants to receive.
type Filter struct {
	Org     tidemark.OrgID
	Token   int64 // 0 for all
	Unowned bool  // also what was sent with an unknown token
}

func (f Filter) wants(who tidemark.Identity) bool {
	return (f.Org == who.Org || who.Org == 0 && f.Unowned) && (f.Token == 0 || f.Token == who.Token)
}

// events hands events to those who listen.
type events struct {
	mu        sync.Mutex
	listeners map[chan Activity]Filter // guarded by mu
}

func newEvents() *events { return &events{listeners: make(map[chan Activity]Filter)} }

// Listen returns a channel of the events that f wants until stop is called.
// Anyone who calls bounds how many listen.
func (t *Tracker) Listen(f Filter) (c <-chan Activity, stop func()) {
	e := t.events
	e.mu.Lock()
	defer e.mu.Unlock()
	own := make(chan Activity, eventBuffer)
	e.listeners[own] = f
	return own, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.listeners, own)
	}
}

// publish hands ev to those who want it. A listener that is too slow misses
// it: requests never wait.
func (e *events) publish(who tidemark.Identity, ev Activity) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for c, f := range e.listeners {
		if f.wants(who) {
			select {
			case c <- ev:
			default:
			}
		}
	}
}

// wanted reports whether somebody listens to everything of org.
func (e *events) wanted(org tidemark.OrgID) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range e.listeners {
		if f.Org == org && f.Token == 0 {
			return true
		}
	}
	return false
}
