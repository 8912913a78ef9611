// Package reports draws spaces when their reports are due, and puts the pictures
// into the queue of notifications, which sends them.
package reports

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

const (
	leaseName = "reports"
	leaseFor  = 30 * time.Second
	lookEvery = 5 * time.Second
	// maxAtOnce is how many spaces are drawn at once: each organization has one
	// of them at most.
	maxAtOnce = 2
	// maxWaiting is how many organizations are looked at.
	maxWaiting = 1000
	// drawFor bounds how long one may take.
	drawFor = time.Minute
)

// Options are what a Runner works with.
type Options struct {
	*shared.Base
	Turns  *turns.Turns // shared with everything else that is read; may be nil
	Logger *slog.Logger
	Node   string // who holds the lease
	// Deliver has what waits in the queue be sent.
	Deliver func()
}

// Runner sends reports when they are due. Of several servers on one database
// only the holder of the lease does.
type Runner struct {
	Options
	lease store.Lease // the latest that was ours
	again chan struct{}
	wg    sync.WaitGroup

	mu   sync.Mutex
	busy map[tidemark.OrgID]bool      // those of whom one is drawn
	took map[tidemark.OrgID]time.Time // when one of an organization that waits was last begun
}

// New returns a Runner. It does nothing until Run.
func New(o Options) *Runner {
	return &Runner{
		Options: o, lease: store.Lease{Name: leaseName, Holder: o.Node}, again: make(chan struct{}, 1),
		busy: make(map[tidemark.OrgID]bool), took: make(map[tidemark.OrgID]time.Time),
	}
}

// Run sends reports until ctx is done.
func (r *Runner) Run(ctx context.Context) error {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		if err := r.Round(ctx); err != nil && ctx.Err() == nil {
			r.Logger.WarnContext(ctx, "scheduled pictures not sent", slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			r.wg.Wait()
			return nil
		case <-ticker.C:
		case <-r.again:
		}
	}
}

// Round starts what is due and there is room for, where this server holds the
// lease. It waits for none of it, so that the lease is kept.
func (r *Runner) Round(ctx context.Context) error {
	lease, held, err := r.Store.TakeLease(ctx, r.lease, leaseFor)
	if err != nil || !held {
		return err
	}
	r.lease = lease
	due, err := r.Store.DueReports(ctx, r.Now().Unix(), maxWaiting)
	if err != nil {
		return err
	}
	for _, v := range r.choose(due, time.Now()) {
		r.wg.Go(func() {
			defer r.done(v.Org)
			r.send(ctx, lease, v)
		})
	}
	return nil
}

// Wait waits for what is under way.
func (r *Runner) Wait() { r.wg.Wait() }

// choose returns which of the reports that are due, one of each organization,
// are begun: the organizations take turns.
func (r *Runner) choose(due []*store.OrgReport, now time.Time) []*store.OrgReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	took := make(map[tidemark.OrgID]time.Time)
	for _, v := range due {
		if at, ok := r.took[v.Org]; ok {
			took[v.Org] = at
		}
	}
	r.took = took // those that wait for nothing any more are forgotten
	due = slices.DeleteFunc(due, func(v *store.OrgReport) bool { return r.busy[v.Org] })
	slices.SortStableFunc(due, func(a, b *store.OrgReport) int { return took[a.Org].Compare(took[b.Org]) })
	due = due[:min(len(due), max(maxAtOnce-len(r.busy), 0))]
	for _, v := range due {
		r.busy[v.Org], r.took[v.Org] = true, now
	}
	return due
}

func (r *Runner) done(org tidemark.OrgID) {
	r.mu.Lock()
	delete(r.busy, org)
	r.mu.Unlock()
	select {
	case r.again <- struct{}{}:
	default: // it looks anyway
	}
}

// send makes the picture of a report, has it sent, and saves what became of it.
func (r *Runner) send(ctx context.Context, lease store.Lease, was *store.OrgReport) {
	is := *was
	png, n := r.picture(ctx, &is)
	if ctx.Err() != nil {
		return // the next server does it
	}
	if err := r.Store.FinishReport(ctx, lease, was, &is, png, n); err != nil {
		if ctx.Err() == nil {
			r.Logger.WarnContext(ctx, "a scheduled picture was not recorded", slog.Int64("report", was.ID), slog.Any("err", err))
		}
		return
	}
	if png != nil && r.Deliver != nil {
		r.Deliver()
	}
}

// picture draws what a report shows, and notes in v what became of it. Without
// a picture there is nothing to send.
func (r *Runner) picture(ctx context.Context, v *store.OrgReport) ([]byte, *tidemark.Notice) {
	now := r.Now().Unix()
	if v.IsMissed(now) {
		v.Miss(now)
		return nil, nil
	}
	there, err := r.hasServices(ctx, v)
	if err == nil && !there {
		v.GiveUp(now, "All of its services were deleted.")
		return nil, nil
	}
	var png []byte
	var n *tidemark.Notice
	if err == nil {
		png, n, err = r.draw(ctx, v, v.Slot(now))
	}
	if err != nil {
		if ctx.Err() == nil {
			r.Logger.WarnContext(ctx, "a scheduled picture was not drawn", slog.Int64("report", v.ID), slog.Any("err", err))
		}
		v.Fail(r.Now().Unix(), wordsFor(err))
		return nil, nil
	}
	v.Sent(r.Now().Unix())
	return png, n
}

// hasServices reports whether any service of v is there.
func (r *Runner) hasServices(ctx context.Context, v *store.OrgReport) (bool, error) {
	for _, id := range v.Services {
		_, err := r.Store.Recipient(ctx, v.Org, id)
		if err == nil || tidemark.KindOf(err) != tidemark.NotFound {
			return err == nil, err
		}
	}
	return false, nil
}

// wordsFor says why a picture was not drawn, to those whose report it is.
func wordsFor(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "Drawing took longer than a minute."
	}
	if e, ok := errors.AsType[*tidemark.Error](err); ok && e.Kind != tidemark.Internal && e.Msg != "" {
		return e.Msg
	}
	return "The server could not draw it. Its log says why."
}
