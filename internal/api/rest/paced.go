package rest

import (
	"net/http"
	"time"
)

// Pace is how fast clients must read answers: what is not read in time is cut,
// so that a slow reader does not hold memory.
type Pace struct {
	Grace time.Duration // before the first byte must have been taken, and between two
	Bytes int64         // a second that a client takes on average, at least
}

// DefaultPace is slow enough for any connection that is worth having.
var DefaultPace = Pace{Grace: 30 * time.Second, Bytes: 16 << 10}

// Handler returns h with answers that are cut when they are not read in time.
func (p Pace) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if c.SetWriteDeadline(time.Time{}) != nil { // the connection may have one from the answer before
			h.ServeHTTP(w, r) // not a connection
			return
		}
		h.ServeHTTP(&paced{ResponseWriter: w, pace: p, control: c}, r)
	})
}

// paced is an answer with a deadline that moves as it is read.
type paced struct {
	http.ResponseWriter
	pace    Pace
	control *http.ResponseController
	started time.Time // later by all the time that the answer itself took to be made
	left    time.Time // when what was written last was taken
	set     time.Time // when the deadline was last moved
	written int64
	endless bool // it has no end: each piece has the grace
}

// Unwrap lets http.ResponseController reach what is below.
func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *paced) Write(b []byte) (int, error) {
	p.extend()
	n, err := p.ResponseWriter.Write(b)
	p.written += int64(n)
	p.left = time.Now()
	return n, err
}

// extend moves the deadline: from the first byte on, the grace and the time
// that what was written takes at the slowest pace.
func (p *paced) extend() {
	now := time.Now()
	if p.started.IsZero() {
		p.started = now
		p.endless = p.Header().Get("Content-Type") == "text/event-stream" || p.Header().Get("Content-Type") == "application/x-ndjson"
	}
	if !p.left.IsZero() {
		p.started = p.started.Add(now.Sub(p.left)) // it is not the reader who was slow
	}
	if now.Sub(p.set) < p.pace.Grace/30 {
		return
	}
	p.set = now
	from := p.started.Add(time.Duration(float64(p.written) / float64(p.pace.Bytes) * float64(time.Second)))
	if p.endless || from.After(now) {
		from = now
	}
	_ = p.control.SetWriteDeadline(from.Add(p.pace.Grace)) // a connection that is gone tells when it is written to
}
