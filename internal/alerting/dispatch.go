package alerting

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	maxInFlight   = 32 // attempts at once
	maxPerService = 4  // of them to one service
	maxPerHost    = 8  // of one organization to one host
	// leastShare is how many attempts each organization may have under way
	// whatever the others have: while one of its services does not answer, the
	// others of it are notified.
	leastShare = 4
	// maxOverflow is how many attempts there may be at once beyond maxInFlight
	// for that.
	maxOverflow = 128
)

// flight is an attempt that is under way.
type flight struct {
	org  tidemark.OrgID
	host string
}

// round starts what is due and reports whether there may be more to start.
func (d *Dispatcher) round(ctx, sending context.Context) bool {
	now := time.Now()
	if d.clock.step(now.Unix()) < 0 {
		d.rewind(ctx, now.Unix())
	}
	q := d.room(now)
	if q.Limit <= 0 {
		return false
	}
	due, err := d.Store.TakeDue(ctx, q)
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
			d.Logger.ErrorContext(ctx, "cannot release deliveries", slog.Any("err", err))
			return false
		}
	}
	return len(due) > 0 // those that were put back are left alone next time
}

// rewind has what was put off by a clock that was ahead be delivered.
func (d *Dispatcher) rewind(ctx context.Context, now int64) {
	latest := now + int64((maxDelay + maxDelay/2).Seconds())
	if err := d.Store.RewindDeliveries(ctx, now, latest); err != nil && ctx.Err() == nil {
		d.Logger.ErrorContext(ctx, "cannot reschedule deliveries", slog.Any("err", err))
	}
}

// room returns how many attempts may be started, and of whom none.
func (d *Dispatcher) room(now time.Time) tidemark.DueQuery {
	q := tidemark.DueQuery{Now: now.Unix(), Until: now.Add(lease).Unix()}
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, p := range d.breakers {
		switch {
		case !p.allows(now) || d.isHostFull(p.to):
			q.Services = append(q.Services, id)
		case p.isForgettable(now):
			delete(d.breakers, id)
		}
	}
	if q.Limit = maxInFlight - len(d.flying); q.Limit <= 0 {
		q.Limit = maxInFlight + maxOverflow - len(d.flying)
	}
	for _, f := range d.flying {
		if !d.hasShare(f.org) && !slices.Contains(q.Orgs, f.org) {
			q.Orgs = append(q.Orgs, f.org)
		}
	}
	return q
}

// hasShare reports whether org may start another attempt. No organization
// takes more than its limit, nor more than half of what the others leave, and
// one that has few under way always may: those whose services are slow wait
// for themselves.
func (d *Dispatcher) hasShare(org tidemark.OrgID) bool {
	own := d.count(func(f flight) bool { return f.org == org })
	if limit := d.Limits.Share(org, tidemark.LimitDeliveries); limit > 0 && int64(own) >= limit {
		return false
	}
	free := maxInFlight - len(d.flying)
	return own < leastShare && free > -maxOverflow || free > 0 && own < (own+free+1)/2
}

// isHostFull reports whether an organization has as many attempts under way to
// one host as it may.
func (d *Dispatcher) isHostFull(to flight) bool {
	return d.count(func(f flight) bool { return f == to }) >= maxPerHost
}

func (d *Dispatcher) count(which func(flight) bool) (n int) {
	for _, f := range d.flying {
		if which(f) {
			n++
		}
	}
	return n
}

// start begins an attempt, if there is room for one. It reports whether the
// delivery is taken care of.
func (d *Dispatcher) start(ctx context.Context, one *tidemark.Delivery, now time.Time) bool {
	service, err := d.Store.Recipient(ctx, one.Org, one.Service)
	if time.Since(now) > lease-sendTimeout {
		return true // of whoever takes it when it is due again: that may be now
	}
	f := flight{one.Org, hostOf(service)}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.flying[one.ID]; ok {
		return true // it could not be recorded yet
	}
	p, ok := d.breakers[one.Service]
	if !ok {
		p = &breaker{}
		d.breakers[one.Service] = p
	}
	if p.to = f; !p.allows(now) || !d.hasShare(one.Org) || d.isHostFull(f) {
		return false
	}
	p.busy++
	d.flying[one.ID] = f
	d.inFlight.Go(func() {
		d.try(ctx, one, p, service, err)
		d.mu.Lock()
		delete(d.flying, one.ID)
		d.mu.Unlock()
		d.Wake() // a slot is free, and the next of the incident may go
	})
	return true
}

// hostOf is where the notifications of a service go: the host of its URL, or
// the kind of service.
func hostOf(s *tidemark.Service) string {
	if s == nil {
		return ""
	}
	for _, key := range []string{"url", "webhook_url", "server", "endpoint"} {
		if u, err := url.Parse(s.Settings[key]); err == nil && u.Host != "" {
			return u.Host
		}
	}
	return s.Type
}

// try makes one attempt and records it.
func (d *Dispatcher) try(ctx context.Context, one *tidemark.Delivery, p *breaker, service *tidemark.Service, err error) {
	began := time.Now()
	var a Answer
	switch {
	case one.Unreadable != "":
		a = Answer{Permanent: true, Text: "the notification cannot be read: " + one.Unreadable}
		service = nil // whatever stands in for it could say no more
	case err == nil:
		a = d.send(ctx, service, one)
	case tidemark.KindOf(err) == tidemark.NotFound:
		a = Answer{Permanent: true, Text: "the service does not exist any more"}
	default:
		a = Answer{Own: true, Text: "the service's settings cannot be read"}
		d.Logger.ErrorContext(ctx, "cannot read service", slog.Int64("service", one.Service), slog.Any("err", err))
	}
	ended := time.Now()
	d.mu.Lock()
	p.done(a, ended)
	if a.Throttled {
		time.AfterFunc(p.paused.Sub(ended), d.Wake)
	}
	d.mu.Unlock()
	if ctx.Err() != nil && !a.OK {
		return // we stopped it ourselves
	}
	o := d.outcome(one, service, a, began, ended)
	d.finish(ctx, o)
	switch {
	case o.Uncounted:
		d.Logger.LogAttrs(ctx, slog.LevelInfo, "the service asks to wait", slog.Int64("delivery", one.ID), slog.Int64("service", one.Service),
			slog.String("answer", a.Text))
	case !a.OK:
		d.Logger.LogAttrs(ctx, slog.LevelWarn, "delivery failed", slog.Int64("delivery", one.ID), slog.Int64("service", one.Service),
			slog.String("status", o.Status), slog.String("answer", a.Text))
	}
}
