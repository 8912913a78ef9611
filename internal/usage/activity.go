package usage

import (
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// activityBuffer is how much a listener may be behind before it misses
// some.
const activityBuffer = 64

// Activity is one request or measurement, as listeners receive it.
type Activity struct {
	Kind string // "request" or "measurement"
	Body any    // a RequestActivity or a MeasurementActivity
}

// RequestActivity is a request that was answered.
type RequestActivity struct {
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

func newRequestActivity(q *Request, now int64) RequestActivity {
	e := RequestActivity{
		At: now, UserAgent: q.UserAgent, Status: q.Status, Method: q.Method, Path: q.Path, Reason: q.Reason,
		Needs: q.needs(), TokenEnds: q.TokenEnds,
	}
	if q.Who.Org != 0 { // requests of unknown senders are shown without their address
		e.Sender = q.sender()
	}
	return e
}

// MeasurementActivity is a metric that has a new measurement.
type MeasurementActivity struct {
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

// listeners hands what goes on to those who listen.
type listeners struct {
	mu      sync.Mutex
	filters map[chan Activity]Filter // guarded by mu
}

func newListeners() *listeners { return &listeners{filters: make(map[chan Activity]Filter)} }

// Listen returns a channel of what f wants until stop is called.
// Anyone who calls bounds how many listen.
func (t *Tracker) Listen(f Filter) (c <-chan Activity, stop func()) {
	l := t.listeners
	l.mu.Lock()
	defer l.mu.Unlock()
	own := make(chan Activity, activityBuffer)
	l.filters[own] = f
	return own, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.filters, own)
	}
}

// publish hands a to those who want it. A listener that is too slow misses
// it: requests never wait.
func (l *listeners) publish(who tidemark.Identity, a Activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c, f := range l.filters {
		if f.wants(who) {
			select {
			case c <- a:
			default:
			}
		}
	}
}

// wanted reports whether somebody listens to everything of org.
func (l *listeners) wanted(org tidemark.OrgID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.filters {
		if f.Org == org && f.Token == 0 {
			return true
		}
	}
	return false
}
