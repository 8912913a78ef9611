// Package demo fills a server with a believable organization, a small web
// shop, and keeps it alive: requests that follow the day, a database that
// fails over, deploys, queues, alerts that fire and clear. It speaks to the
// server as every client does, but for its past, which goes into the store.
package demo

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

const (
	// history is how much of the past is filled in: enough to compare the
	// last hours with those a week before.
	history   = 7*24*time.Hour + 12*time.Hour
	step      = 60 // seconds between two measurements of the past
	liveEvery = 10 * time.Second
	batch     = 1000
	mostOfIt  = 0.9 // of the work is to send the past
)

// Options are what a demo works with.
type Options struct {
	Client *client.Client
	Logger *slog.Logger
	Now    func() time.Time
	// Org is the organization that Client speaks to; needed with Store.
	Org tidemark.OrgID
	// User is somebody who has the spaces pinned; 0 for nobody.
	User int64
	// As returns a client for one who has a token, calls itself agent and is
	// at an address. It may be nil: then everything is sent by Client.
	As func(secret tidemark.Secret, agent, address string) *client.Client
	// Evaluated says that alerts are evaluated already while the demo is filled.
	Evaluated bool
	// Progress is called with how much of the work is done, from 0 to 1. It may be
	// nil.
	Progress func(done float64)
	// History is how much of the past is filled in; a good week where 0.
	History time.Duration
	// Store takes what no client can send: a past. Incidents that the alerts
	// would have had, ages of tokens, days of measurements, pins. It may be
	// nil: then there is none.
	Store *store.Store
	// Filled is called once the organization is there, before anything new
	// is sent. It may be nil.
	Filled func()
}

// Run makes the organization, if the server does not have it yet, and sends
// measurements until ctx is done.
func Run(ctx context.Context, o Options) error {
	d := &demo{Options: o, sent: make(map[int64]int64)}
	if err := d.prepare(ctx); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if d.Filled != nil {
		d.Filled()
	}
	return d.live(ctx)
}

type demo struct {
	Options
	troubles troubles
	streams  []stream
	speakers []speaker
	sent     map[int64]int64 // measurements of the st, by day
}

// prepare finds the organization that an earlier run made, or makes it.
func (d *demo) prepare(ctx context.Context) error {
	found, err := d.Client.Metrics(ctx, metrics[0].name)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		d.begin(d.Now().Unix() / step * step)
		return d.make(ctx)
	}
	made, err := d.madeAt(ctx)
	if err != nil {
		return err
	}
	d.begin(made)
	if err := d.meet(ctx); err != nil {
		return err
	}
	return d.findReceiver(ctx)
}

// begin places what happens in the shop around the time at which it was made.
func (d *demo) begin(made int64) {
	d.troubles = troubles{made: made}
	d.streams = d.troubles.streams()
}

// madeAt returns when an earlier run made the organization: its last alert is
// as old. Without it the shop is as good as new.
func (d *demo) madeAt(ctx context.Context) (int64, error) {
	found, err := d.Client.Alerts().Named(ctx, alertList[len(alertList)-1]["name"].(string))
	if err != nil || len(found) == 0 {
		return d.Now().Unix(), err
	}
	return found[0].CreatedAt, nil
}

func (d *demo) make(ctx context.Context) error {
	began := time.Now()
	for _, m := range metrics {
		if err := d.Client.PutMetric(ctx, m.name, m.properties()); err != nil {
			return fmt.Errorf("metric %s: %w", m.name, err)
		}
	}
	now := d.troubles.made
	start := now - int64(cmp.Or(d.History, history).Seconds())
	if err := d.send(ctx, start, now, step); err != nil {
		return err
	}
	for _, fill := range []func(context.Context) error{
		d.spread,
		d.composites,
		d.introduce,
		func(ctx context.Context) error { return d.annotate(ctx, start, now) },
		d.spaces,
		func(ctx context.Context) error { return d.alerts(ctx, start, now) },
	} {
		if err := fill(ctx); err != nil {
			return err
		}
	}
	d.progress(1)
	d.Logger.Info("the demo is filled in", slog.Duration("took", time.Since(began)))
	return nil
}

// spread counts what was sent of the past on the days that it is of, rather
// than on the one that it came on.
func (d *demo) spread(ctx context.Context) error {
	if d.Store == nil {
		return nil
	}
	today, elsewhere := d.Now().Unix()/day*day, int64(0)
	for midnight, n := range d.sent {
		if midnight == today {
			continue
		}
		elsewhere += n
		if err := d.Store.AddUsage(ctx, midnight, map[tidemark.OrgID]int64{d.Org: n}); err != nil {
			return err
		}
	}
	return d.Store.AddUsage(ctx, today, map[tidemark.OrgID]int64{d.Org: -elsewhere})
}

func (d *demo) progress(done float64) {
	if d.Progress != nil {
		d.Progress(done)
	}
}

func (d *demo) composites(ctx context.Context) error {
	for _, c := range composites {
		body := map[string]any{"type": "composite", "composite": c.text, "display_name": c.title, "attributes": c.attributes()}
		if err := d.Client.PutMetric(ctx, c.name, body); err != nil {
			return fmt.Errorf("composite %s: %w", c.name, err)
		}
	}
	return nil
}

// send records every stream from one time to another.
func (d *demo) send(ctx context.Context, from, to, every int64) error {
	pending := make([]client.Measurement, 0, batch)
	flush := func() error {
		if len(pending) == 0 {
			return nil
		}
		err := d.Client.Record(ctx, pending...)
		pending = pending[:0]
		if err != nil {
			return fmt.Errorf("send measurements: %w", err)
		}
		return nil
	}
	for t := from; t < to; t += every {
		d.progress(mostOfIt * float64(t-from) / float64(to-from))
		for i := range d.streams {
			if m, ok := d.streams[i].at(t); ok {
				pending = append(pending, m)
				d.sent[t/day*day]++
			}
			if len(pending) == batch {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// live goes on from now, one measurement of every stream at a time. A server
// that is away for a moment is no reason to stop.
func (d *demo) live(ctx context.Context) error {
	ticker := time.NewTicker(liveEvery)
	defer ticker.Stop()
	last := d.Now().Unix()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		now := d.Now().Unix()
		if err := d.speak(ctx, last, now); err != nil && ctx.Err() == nil {
			d.Logger.Warn("demo", slog.Any("err", err))
		}
		if err := d.annotate(ctx, last, now); err != nil && ctx.Err() == nil {
			d.Logger.Warn("demo", slog.Any("err", err))
		}
		last = now
	}
}
