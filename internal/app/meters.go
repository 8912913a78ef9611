package app

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// meters count what the server does beside answering requests, for /metrics.
type meters struct {
	seals, merges, tiers     work
	sealedRecords            atomic.Int64
	damaged, refusals        atomic.Int64
	storageFailures          atomic.Int64
	delivered, undelivered   work
	warnings, errors         atomic.Int64
	backups, backupsFailed   atomic.Int64
	backupAt, backupDuration atomic.Int64 // of the last good one, in seconds since 1970 and nanoseconds

	leftMu sync.Mutex
	left   map[protocol.Reason]int64 // what requests had that is not kept; guarded by leftMu
}

// leaveOut counts what a request had that is not kept.
func (m *meters) leaveOut(s protocol.Skip) {
	m.leftMu.Lock()
	defer m.leftMu.Unlock()
	if m.left == nil {
		m.left = make(map[protocol.Reason]int64)
	}
	m.left[s.Reason] += int64(s.Count)
}

// writeLeftOut writes what was left out, by reason.
func (m *meters) writeLeftOut(e exposition) {
	m.leftMu.Lock()
	left := maps.Clone(m.left)
	m.leftMu.Unlock()
	const name = "tidemark_left_out_total"
	e.head(name, "counter", "What requests of other protocols had that is not kept.")
	for _, why := range slices.Sorted(maps.Keys(left)) {
		e.sample(name, fmt.Sprintf("reason=%q", why), float64(left[why]))
	}
}

// work counts pieces of work and the time they took.
type work struct{ count, nanos atomic.Int64 }

func (w *work) add(took time.Duration) {
	w.count.Add(1)
	w.nanos.Add(int64(took))
}

// observe has the events of an engine counted, too, and those pay for its work
// in the background whose measurements it was about.
func (m *meters) observe(e embedded.Hooks, order *turns.Turns) embedded.Hooks {
	sealed, merged, built := e.Sealed, e.Merged, e.TierBuilt
	e.Sealed = func(i embedded.SealInfo) {
		m.seals.add(i.Took)
		m.sealedRecords.Add(i.Records)
		order.Charge(i.Owners, i.Took)
		sealed(i)
	}
	e.Merged = func(i embedded.MergeInfo) {
		m.merges.add(i.Took)
		order.Charge(i.Owners, i.Took)
		merged(i)
	}
	e.TierBuilt = func(i embedded.TierInfo) {
		m.tiers.add(i.Took)
		built(i)
	}
	damaged, refused, failed := e.Damaged, e.WriteRefused, e.BackgroundError
	e.Damaged = func(what string, err error) {
		m.damaged.Add(1)
		damaged(what, err)
	}
	e.WriteRefused = func(reason string) {
		m.refusals.Add(1)
		refused(reason)
	}
	e.BackgroundError = func(doing string, err error) {
		m.storageFailures.Add(1)
		failed(doing, err)
	}
	return e
}

// sending has attempts to notify counted.
func (m *meters) sending(send alerting.Send) alerting.Send {
	return func(ctx context.Context, s *tidemark.Service, d *tidemark.Delivery) alerting.Answer {
		a := send(ctx, s, d)
		switch {
		case a.OK:
			m.delivered.add(a.Duration)
		case !a.Throttled:
			m.undelivered.add(a.Duration)
		}
		return a
	}
}

// logging has warnings and errors counted, also those that the log leaves out
// because they repeat themselves.
func (m *meters) logging(log *slog.Logger) *slog.Logger {
	return slog.New(&countingHandler{Handler: log.Handler(), meters: m})
}

type countingHandler struct {
	slog.Handler
	meters *meters
}

// Handle counts a record and passes it on.
func (h *countingHandler) Handle(ctx context.Context, r slog.Record) error {
	switch {
	case r.Level >= slog.LevelError:
		h.meters.errors.Add(1)
	case r.Level >= slog.LevelWarn:
		h.meters.warnings.Add(1)
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs derives a handler.
func (h *countingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &countingHandler{Handler: h.Handler.WithAttrs(attrs), meters: h.meters}
}

// WithGroup derives a handler.
func (h *countingHandler) WithGroup(name string) slog.Handler {
	return &countingHandler{Handler: h.Handler.WithGroup(name), meters: h.meters}
}
