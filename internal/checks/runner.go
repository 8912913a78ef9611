// Package checks runs checks when they are due, through the guarded way out,
// takes what agents found, and looks after heartbeats that were not called.
// What it learns is recorded as metrics, on which alerts look as on any others.
package checks

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/probe"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// Options are what a Runner works with.
type Options struct {
	Store    *store.Store
	Recorder *ingest.Recorder
	Way      probe.Way
	Logger   *slog.Logger
	Node     string           // who holds the lease
	Now      func() time.Time // time.Now where nil
}

// Runner runs checks when they are due. Of several servers on one database
// only the holder of the lease does.
type Runner struct {
	Options
	lease store.Lease // the latest that was ours
	wg    sync.WaitGroup
	// Heartbeats ask nobody, and so wait for no probe.
	probes, beats *slots

	mu    sync.Mutex
	next  map[int64]int64           // by check, when it is due
	busy  map[int64]bool            // those that run or wait for a slot
	known map[int64]*store.OrgCheck // as of the last round; none without the lease
}

const (
	leaseName = "checks"
	leaseFor  = 30 * time.Second
	tickEvery = 5 * time.Second
	// beatEvery is how often it is recorded how heartbeats are: often enough
	// for alerts, whatever the interval of the calls.
	beatEvery = 60
)

// New returns a Runner.
func New(o Options) *Runner {
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Runner{Options: o, lease: store.Lease{Name: leaseName, Holder: o.Node}, next: make(map[int64]int64), busy: make(map[int64]bool)}
	start := func(work func()) { r.wg.Go(work) }
	r.probes, r.beats = newSlots(start), newSlots(start)
	return r
}

// Run runs checks until ctx is done.
func (r *Runner) Run(ctx context.Context) error {
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for {
		if err := r.Round(ctx); err != nil && ctx.Err() == nil {
			r.Logger.WarnContext(ctx, "checks not run", slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			r.wg.Wait()
			return nil
		case <-ticker.C:
		}
	}
}

// Round starts what is due, where this server holds the lease. It waits for
// none of it, so that the lease is kept however slow probes are.
func (r *Runner) Round(ctx context.Context) error {
	lease, held, err := r.Store.TakeLease(ctx, r.lease, leaseFor)
	if err != nil || !held {
		r.remember(nil)
		return err
	}
	r.lease = lease
	all, err := r.Store.ActiveChecks(ctx)
	if err != nil {
		return err
	}
	r.remember(all)
	all = slices.DeleteFunc(all, func(c *store.OrgCheck) bool { return !c.RunsHere() })
	for _, c := range r.due(all, r.Now().Unix()) {
		slots := r.probes
		if c.Kind == tidemark.CheckHeartbeat {
			slots = r.beats
		}
		slots.do(c.Org, func() { r.runKnown(ctx, c.ID) })
	}
	return nil
}

// remember notes the checks that there are.
func (r *Runner) remember(all []*store.OrgCheck) {
	known := make(map[int64]*store.OrgCheck, len(all))
	for _, c := range all {
		known[c.ID] = c
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = known
}

// runKnown runs a check as it is by now: it may have waited for its slot, and
// been changed or deleted meanwhile.
func (r *Runner) runKnown(ctx context.Context, id int64) {
	defer r.done(id)
	r.mu.Lock()
	c := r.known[id]
	r.mu.Unlock()
	if c == nil || ctx.Err() != nil {
		return
	}
	if err := r.run(ctx, c, r.Now().Unix()); err != nil && ctx.Err() == nil {
		r.Logger.WarnContext(ctx, "a check was not recorded", slog.Int64("check", id), slog.Any("err", err))
	}
}

// Wait waits for the probes that are under way.
func (r *Runner) Wait() { r.wg.Wait() }

// due returns the checks whose time has come, and forgets those that are gone.
// After a start they are spread over their interval, so that not all are due
// at once, unless they never ran.
func (r *Runner) due(all []*store.OrgCheck, now int64) (list []*store.OrgCheck) {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := make(map[int64]int64, len(all))
	for _, c := range all {
		every := int64(c.Every)
		if c.Kind == tidemark.CheckHeartbeat {
			every = beatEvery
		}
		at, known := r.next[c.ID]
		if !known && c.RanAt > 0 {
			at = min(c.RanAt+every, now+c.ID%every)
		}
		if at <= now && !r.busy[c.ID] {
			list = append(list, c)
			r.busy[c.ID] = true
			at = now + every
			if c.RunsElsewhere() {
				at -= at % every // as agents do, so that alerts see all places in one step
			}
		}
		there[c.ID] = at
	}
	r.next = there
	return list
}

func (r *Runner) done(id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.busy, id)
}

func (r *Runner) run(ctx context.Context, c *store.OrgCheck, now int64) error {
	if c.Kind == tidemark.CheckHeartbeat {
		return r.beat(ctx, c, now)
	}
	res := probe.Run(ctx, r.Way, &c.Check)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	found := tidemark.Finding{Check: c.ID, Time: now, Up: res.Up, Duration: res.Duration.Seconds(), Said: tidemark.ClipSaid(res.Said)}
	if !math.IsNaN(res.Days) {
		found.Days = &res.Days
	}
	if err := r.record(ctx, c.Org, points(&c.Check, tidemark.PlaceServer, &found)); err != nil {
		return err
	}
	return r.save(ctx, c, tidemark.CheckState{RanAt: now, Up: found.Up, Duration: found.Duration, Said: found.Said})
}

// points are what is recorded of a run at a place.
func points(c *tidemark.Check, place string, f *tidemark.Finding) []protocol.Point {
	tag := tidemark.Tag{Name: "place", Value: place}
	list := []protocol.Point{
		point(c, tidemark.MetricCheckUp, f.Time, one(f.Up), tag),
		point(c, tidemark.MetricCheckDuration, f.Time, f.Duration, tag),
	}
	if f.Days != nil {
		list = append(list, point(c, tidemark.MetricCheckDays, f.Time, *f.Days, tag))
	}
	return list
}

// save notes how a check is; one that was deleted meanwhile is fine.
func (r *Runner) save(ctx context.Context, c *store.OrgCheck, state tidemark.CheckState) error {
	err := r.Store.SaveCheckState(ctx, c.Org, c.ID, state)
	if tidemark.KindOf(err) == tidemark.NotFound {
		return nil
	}
	return err
}

// beat records how a heartbeat is: up while its last call was good and came in
// time. One that was never called waits for its first call.
func (r *Runner) beat(ctx context.Context, c *store.OrgCheck, now int64) error {
	if c.RanAt == 0 && !c.Missed(now) {
		return nil
	}
	up := c.Up
	if c.Missed(now) && (up || c.Said == "") {
		c.Up, c.Said, up = false, "no call in time", false
		// ran_at stays: it is when the last call came.
		if err := r.save(ctx, c, c.CheckState); err != nil {
			return err
		}
	}
	return r.record(ctx, c.Org, []protocol.Point{point(&c.Check, tidemark.MetricCheckUp, now, one(up))})
}

// Called notes a call of a heartbeat's address: that the job starts, failed or
// is done.
func Called(ctx context.Context, st *store.Store, rec *ingest.Recorder, c *store.OrgCheck, what string, now int64) error {
	state := c.CheckState
	if what == "start" {
		state.StartedAt = now
		return st.SaveCheckState(ctx, c.Org, c.ID, state)
	}
	state.RanAt, state.Up, state.Said = now, what != "fail", ""
	if !state.Up {
		state.Said = "the job said that it failed"
	}
	points := []protocol.Point{point(&c.Check, tidemark.MetricCheckUp, now, one(state.Up))}
	if state.Duration = 0; state.StartedAt > 0 {
		state.Duration, state.StartedAt = float64(max(0, now-state.StartedAt)), 0 // the clock may have been set back
		points = append(points, point(&c.Check, tidemark.MetricCheckDuration, now, state.Duration))
	}
	if err := st.SaveCheckState(ctx, c.Org, c.ID, state); err != nil {
		return err
	}
	return record(ctx, rec, c.Org, points)
}

func (r *Runner) record(ctx context.Context, org tidemark.OrgID, points []protocol.Point) error {
	return record(ctx, r.Recorder, org, points)
}

func record(ctx context.Context, rec *ingest.Recorder, org tidemark.OrgID, points []protocol.Point) error {
	b := protocol.NewBatch(protocol.Limits{Points: len(points)})
	b.Points = points
	_, _, err := rec.RecordPoints(store.ForOrg(ctx, org), org, b, ingest.Origin{UserAgent: probe.UserAgent})
	return err
}

func point(c *tidemark.Check, name string, now int64, v float64, more ...tidemark.Tag) protocol.Point {
	tags := append(tidemark.MakeTags(map[string]string{"check": c.Name, "kind": c.Kind}), more...)
	return protocol.Point{Name: name, Labels: tags, Time: now * 1000, Value: v}
}

func one(up bool) float64 {
	if up {
		return 1
	}
	return 0
}
