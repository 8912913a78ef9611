// Package demo fills a server with a believable organization, a small web
// shop, and keeps it alive: requests that follow the day, a database that
// fails over, deploys, queues, alerts that fire and clear. It speaks to the
// server as every client does.
package demo

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
)

const (
	week      = 7 * 24 * time.Hour
	step      = 60 // seconds between two measurements of the past
	liveEvery = 10 * time.Second
	batch     = 1000
)

// Options are what a demo works with.
type Options struct {
	Client *client.Client
	Logger *slog.Logger
	Now    func() time.Time
	// Receiver is the URL of something that takes notifications.
	Receiver string
	// History is how much of the past is filled in; a week where 0.
	History time.Duration
}

// Run makes the organization, if the server does not have it yet, and sends
// measurements until ctx is done.
func Run(ctx context.Context, o Options) error {
	d := &demo{Options: o}
	made, err := d.isMade(ctx)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if !made {
		if err := d.make(ctx); err != nil {
			return fmt.Errorf("demo: %w", err)
		}
	}
	return d.live(ctx)
}

type demo struct{ Options }

// isMade reports whether an earlier run made the organization.
func (d *demo) isMade(ctx context.Context) (bool, error) {
	found, err := d.Client.Metrics(ctx, metrics[0].name)
	return len(found) > 0, err
}

func (d *demo) make(ctx context.Context) error {
	began := time.Now()
	for _, m := range metrics {
		if err := d.Client.PutMetric(ctx, m.name, m.properties()); err != nil {
			return fmt.Errorf("metric %s: %w", m.name, err)
		}
	}
	now := d.Now().Unix() / step * step
	start := now - int64(cmp.Or(d.History, week).Seconds())
	if err := d.send(ctx, start, now, step); err != nil {
		return err
	}
	if err := d.annotate(ctx, start, now); err != nil {
		return err
	}
	if err := d.spaces(ctx); err != nil {
		return err
	}
	if err := d.alerts(ctx); err != nil {
		return err
	}
	d.Logger.Info("the demo is filled in", slog.Duration("took", time.Since(began)))
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
		return err
	}
	for t := from; t < to; t += every {
		for i := range streams {
			if m, ok := streams[i].at(t); ok {
				pending = append(pending, m)
			}
			if len(pending) == batch {
				if err := flush(); err != nil {
					return fmt.Errorf("send measurements: %w", err)
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
		if err := d.send(ctx, now, now+1, 1); err != nil && ctx.Err() == nil {
			d.Logger.Warn("demo", slog.Any("err", err))
		}
		if err := d.annotate(ctx, last, now); err != nil && ctx.Err() == nil {
			d.Logger.Warn("demo", slog.Any("err", err))
		}
		last = now
	}
}
