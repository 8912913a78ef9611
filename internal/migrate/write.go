package migrate

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// usualBatch is how many records are written at once.
	usualBatch = 50_000
	// patience is how long an engine that refuses is tried again.
	patience = 2 * time.Minute
)

// writer writes records while the next ones are read.
type writer struct {
	ctx   context.Context
	org   tidemark.OrgID
	write func(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch) error

	size         int // of a batch
	batch, spare *tsdb.Batch
	busy         chan error // has the result of the write under way; nil if there is none
	written      int64
}

// newWriter returns what writes the records of a window.
func (p *pass) newWriter(ctx context.Context, org tidemark.OrgID, w *window) *writer {
	to := &writer{ctx: ctx, org: org, write: p.Target.Write, size: cmp.Or(p.Batch, usualBatch), batch: &tsdb.Batch{Merged: true}, spare: &tsdb.Batch{Merged: true}}
	if f, ok := p.Target.(filler); ok && w.step == hour && w.end <= p.move.RawFrom {
		to.write = f.WriteHours
	}
	return to
}

// add takes the points of a series.
func (w *writer) add(s *tsdb.Series, key []byte, d *Digest) (err error) {
	eachPoint(s, key, func(_ int, p *point) {
		d.add(p)
		w.batch.AddDistribution(key, p.time, *p.s, p.sketch)
		if w.batch.Len() >= w.size && err == nil {
			err = w.send()
		}
	})
	return err
}

// send begins to write what was added, after what was sent before is written.
func (w *writer) send() error {
	if err := w.wait(); err != nil || w.batch.Len() == 0 {
		return err
	}
	w.batch, w.spare = w.spare, w.batch
	w.batch.Reset()
	b, busy := w.spare, make(chan error, 1)
	w.busy = busy
	go func() { busy <- w.store(b) }()
	return nil
}

// wait waits for the write under way.
func (w *writer) wait() error {
	if w.busy == nil {
		return nil
	}
	err := <-w.busy
	w.busy = nil
	if err == nil {
		w.written += int64(w.spare.Len())
	}
	return err
}

// flush returns when everything is written. It must be called, also after a
// failure.
func (w *writer) flush() error {
	if err := w.send(); err != nil {
		return err
	}
	return w.wait()
}

// store writes a batch, and again for a while if the engine cannot take it
// now.
func (w *writer) store(b *tsdb.Batch) error {
	until := time.Now().Add(patience)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		err := w.write(w.ctx, w.org, b)
		if err == nil || tidemark.KindOf(err) != tidemark.Unavailable || time.Now().After(until) {
			return wrap("write", err)
		}
		select {
		case <-w.ctx.Done():
			return w.ctx.Err()
		case <-time.After(pause):
		}
	}
}

func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
