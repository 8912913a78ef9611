package alerting

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	// lease is how long a delivery that was taken is left alone: longer than
	// any try takes. After a crash, what was under way is tried again then.
	lease = 30 * time.Second
	// sendTimeout bounds one try.
	sendTimeout = 20 * time.Second
	// drainTimeout is how long tries under way may take at the end.
	drainTimeout = 10 * time.Second
	// lookEvery is how often to look for what is due without a wake-up.
	lookEvery = time.Second

	firstDelay = 10 * time.Second
	maxDelay   = time.Hour

	defaultGiveUp = 6 * time.Hour
	defaultKeep   = 90 * 24 * time.Hour
	pruneEvery    = time.Hour
)

// Answer is how one try to deliver went.
type Answer struct {
	OK         bool
	Text       string        // in the service's words, without secrets
	Permanent  bool          // trying again is no use
	Own        bool          // trouble of this server, which says nothing about the service
	Throttled  bool          // the service takes no more for now
	RetryAfter time.Duration // then: for how long, or 0 if it does not say
	Duration   time.Duration
}

// Send makes one attempt to notify a service. It gives up when ctx is done.
type Send func(ctx context.Context, s *tidemark.Service, d *tidemark.Delivery) Answer

// DispatcherOptions are what a Dispatcher works with.
type DispatcherOptions struct {
	Store  Store
	Send   Send
	Logger *slog.Logger
	// GiveUpAfter is how long a delivery is tried; 0 means 6 hours.
	GiveUpAfter time.Duration
	// Keep is how long incidents and deliveries that ended are kept; 0 means
	// 90 days.
	Keep time.Duration
	// Limits has how many attempts each organization may have under way; nil
	// for the defaults.
	Limits *tidemark.Limits
}

// Dispatcher delivers notices: each at least once, or it is given up in view
// of everybody. A notice is delivered twice only if the process dies between
// a delivery and the record of it; both carry the same key.
type Dispatcher struct {
	DispatcherOptions
	wake     chan struct{}
	pruned   time.Time
	inFlight sync.WaitGroup

	clock clock

	mu       sync.Mutex
	breakers map[int64]*breaker // by service
	flying   map[int64]flight   // deliveries that are being tried
	tests    map[tidemark.OrgID]int64
}

// NewDispatcher returns a Dispatcher. It does nothing until Run.
func NewDispatcher(o DispatcherOptions) *Dispatcher {
	if o.GiveUpAfter == 0 {
		o.GiveUpAfter = defaultGiveUp
	}
	if o.Keep == 0 {
		o.Keep = defaultKeep
	}
	return &Dispatcher{
		DispatcherOptions: o, wake: make(chan struct{}, 1), clock: newClock(),
		breakers: make(map[int64]*breaker), flying: make(map[int64]flight), tests: make(map[tidemark.OrgID]int64),
	}
}

// Wake makes Run look for what is due now.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Run delivers until ctx is done, and then lets the tries under way finish.
func (d *Dispatcher) Run(ctx context.Context) error {
	sending, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	d.rewind(ctx, time.Now().Unix())
	for ctx.Err() == nil {
		d.prune(ctx)
		if d.round(ctx, sending) {
			continue // there may be more
		}
		select {
		case <-ctx.Done():
		case <-d.wake:
		case <-look.C:
		}
	}
	// What does not finish in time is tried again by the next process.
	cut := time.AfterFunc(drainTimeout, stop)
	defer cut.Stop()
	d.inFlight.Wait()
	return nil
}

// finish records an outcome, however long it takes: what was sent and is not
// recorded would be sent again.
func (d *Dispatcher) finish(ctx context.Context, o *tidemark.Outcome) {
	for {
		err := d.Store.Finish(ctx, o)
		if err == nil {
			return
		}
		d.Logger.ErrorContext(ctx, "cannot record a delivery", slog.Int64("delivery", o.Delivery), slog.Any("err", err))
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
		}
	}
}

func (d *Dispatcher) send(ctx context.Context, s *tidemark.Service, one *tidemark.Delivery) Answer {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	start := time.Now()
	a := d.Send(ctx, s, one)
	if a.Duration == 0 {
		a.Duration = time.Since(start)
	}
	return a
}

// maxAnswer bounds what is kept of an answer.
const maxAnswer = 500

// outcome decides what becomes of a delivery after a try, which began and
// ended at these times.
func (d *Dispatcher) outcome(one *tidemark.Delivery, s *tidemark.Service, a Answer, began, ended time.Time) *tidemark.Outcome {
	o := &tidemark.Outcome{
		Delivery: one.ID, Status: tidemark.DeliveryDelivered,
		Attempt: tidemark.Attempt{At: began.Unix(), Duration: a.Duration.Milliseconds(), OK: a.OK, Answer: shorten(a.Text)},
	}
	if a.OK {
		return o
	}
	next := ended.Add(backoff(one.Tries + 1))
	if a.Throttled {
		next = ended.Add(a.RetryAfter)
	}
	if a.Permanent || next.Unix() > one.StartedAt+int64(d.GiveUpAfter.Seconds()) {
		o.Status = tidemark.DeliveryFailed
		// One step aside is enough: two services that stand in for each
		// other must not throw a notice to and fro.
		if s != nil && one.FallbackOf == 0 {
			o.Fallback = s.Fallback()
		}
		return o
	}
	o.Status, o.DueAt = tidemark.DeliveryWaiting, next.Unix()
	if a.Throttled {
		// The service is left alone, and not this delivery, which keeps its
		// place before those that came later.
		o.Uncounted, o.DueAt = true, one.StartedAt
	}
	return o
}

func shorten(text string) string {
	r := []rune(text)
	if len(r) <= maxAnswer {
		return text
	}
	return string(r[:maxAnswer]) + "…"
}

// backoff is how long to wait after so many tries: twice as long each time,
// give or take a fifth, so that those who failed together do not all come
// back together.
func backoff(tries int) time.Duration {
	d := min(firstDelay<<min(max(tries, 1)-1, 20), maxDelay)
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64()))
}

// MaxTries is how often a delivery that keeps failing is tried at most, about.
func MaxTries(giveUpAfter time.Duration) int {
	tries, sum := 1, time.Duration(0)
	for d := firstDelay; sum+d <= giveUpAfter; d = min(2*d, maxDelay) {
		sum += d
		tries++
	}
	return tries
}

// prune forgets what ended long ago, now and then.
func (d *Dispatcher) prune(ctx context.Context) {
	now := time.Now()
	if now.Sub(d.pruned) < pruneEvery {
		return
	}
	d.pruned = now
	if err := d.Store.PruneAlerting(ctx, now.Add(-d.Keep).Unix()); err != nil && ctx.Err() == nil {
		d.Logger.ErrorContext(ctx, "cannot delete old deliveries", slog.Any("err", err))
	}
}
