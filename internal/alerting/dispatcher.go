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
	// lookEvery is how often to look for what is due though nobody calls.
	lookEvery = time.Second

	maxInFlight   = 32 // tries at once
	maxPerService = 4  // of them to one service

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
	RetryAfter time.Duration // what the service asks for, or 0
	Duration   time.Duration
}

// Send makes one try to tell a service. It gives up when ctx is done.
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
}

// Dispatcher delivers notices: each at least once, or it is given up in view
// of everybody. A notice is delivered twice only if the process dies between
// a delivery and the record of it; both carry the same key.
type Dispatcher struct {
	DispatcherOptions
	wake     chan struct{}
	pruned   time.Time
	inFlight sync.WaitGroup

	mu       sync.Mutex
	breakers map[int64]*breaker // by service
	flying   map[int64]bool     // deliveries that are being tried
}

// NewDispatcher returns a Dispatcher. It does nothing until Run.
func NewDispatcher(o DispatcherOptions) *Dispatcher {
	if o.GiveUpAfter == 0 {
		o.GiveUpAfter = defaultGiveUp
	}
	if o.Keep == 0 {
		o.Keep = defaultKeep
	}
	return &Dispatcher{DispatcherOptions: o, wake: make(chan struct{}, 1), breakers: make(map[int64]*breaker), flying: make(map[int64]bool)}
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
	// What does not finish in time is tried again by whoever comes next.
	cut := time.AfterFunc(drainTimeout, stop)
	defer cut.Stop()
	d.inFlight.Wait()
	return nil
}

// round starts what is due and reports whether there may be more to start.
func (d *Dispatcher) round(ctx, sending context.Context) bool {
	now := time.Now()
	free, skip := d.room(now)
	if free == 0 {
		return false
	}
	due, err := d.Store.TakeDue(ctx, now.Unix(), now.Add(lease).Unix(), free, skip)
	if err != nil {
		if ctx.Err() == nil {
			d.Logger.ErrorContext(ctx, "cannot take deliveries", slog.Any("err", err))
		}
		return false
	}
	var back []int64
	for _, one := range due {
		if !d.start(sending, one, now) {
			back = append(back, one.ID)
		}
	}
	if len(back) > 0 {
		if err := d.Store.Release(ctx, back, now.Unix()); err != nil {
			d.Logger.ErrorContext(ctx, "cannot put deliveries back", slog.Any("err", err))
			return false
		}
	}
	return len(due) > 0
}

// room returns how many tries may be started, and the services that are not
// to be tried.
func (d *Dispatcher) room(now time.Time) (free int, skip []int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, p := range d.breakers {
		switch {
		case !p.allows(now):
			skip = append(skip, id)
		case p.isForgettable(now):
			delete(d.breakers, id)
		}
	}
	return maxInFlight - len(d.flying), skip
}

// start begins a try, if the service has room for one. It reports whether the
// delivery is taken care of.
func (d *Dispatcher) start(ctx context.Context, one *tidemark.Delivery, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flying[one.ID] {
		return true // it could not be recorded yet
	}
	p, ok := d.breakers[one.Service]
	if !ok {
		p = &breaker{}
		d.breakers[one.Service] = p
	}
	if !p.allows(now) {
		return false
	}
	p.busy++
	d.flying[one.ID] = true
	d.inFlight.Go(func() {
		d.try(ctx, one, p)
		d.mu.Lock()
		delete(d.flying, one.ID)
		d.mu.Unlock()
		d.Wake() // a slot is free, and the next of the incident may go
	})
	return true
}

// try makes one try and records it.
func (d *Dispatcher) try(ctx context.Context, one *tidemark.Delivery, p *breaker) {
	at := time.Now()
	service, err := d.Store.Service(ctx, one.Org, one.Service)
	var a Answer
	switch {
	case err == nil:
		a = d.send(ctx, service, one)
	case tidemark.KindOf(err) == tidemark.NotFound:
		a = Answer{Permanent: true, Text: "the service does not exist any more"}
	default:
		a = Answer{Text: "the service's settings cannot be read"}
		d.Logger.ErrorContext(ctx, "cannot read service", slog.Int64("service", one.Service), slog.Any("err", err))
	}
	d.mu.Lock()
	p.done(a, time.Now())
	d.mu.Unlock()
	if ctx.Err() != nil && !a.OK {
		return // we stopped it ourselves
	}
	o := d.outcome(one, service, a, at)
	d.finish(ctx, o)
	if !a.OK {
		d.Logger.LogAttrs(ctx, slog.LevelWarn, "delivery failed", slog.Int64("delivery", one.ID), slog.Int64("service", one.Service),
			slog.String("status", o.Status), slog.String("answer", a.Text))
	}
}

// finish records an outcome, however long it takes: what was told and is not
// recorded would be told again.
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

// outcome decides what becomes of a delivery after a try.
func (d *Dispatcher) outcome(one *tidemark.Delivery, s *tidemark.Service, a Answer, at time.Time) *tidemark.Outcome {
	now := time.Now()
	o := &tidemark.Outcome{
		Delivery: one.ID, Status: tidemark.DeliveryDelivered,
		Attempt: tidemark.Attempt{At: at.Unix(), Duration: a.Duration.Milliseconds(), OK: a.OK, Answer: shorten(a.Text)},
	}
	if a.OK {
		return o
	}
	wait := max(backoff(one.Tries+1), min(a.RetryAfter, maxDelay))
	next := now.Add(wait)
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
	d := firstDelay << min(max(tries, 1)-1, 20)
	if d > maxDelay {
		d = maxDelay
	}
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
		d.Logger.ErrorContext(ctx, "cannot forget old deliveries", slog.Any("err", err))
	}
}
