package query

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// budget is what all queries together may hold in memory, in points. Each
// takes from it as it goes; what one cannot have it waits for, briefly.
//
// Half of it is divided among the organizations that have asked of late, with
// one share left for the next that does: no other can take an organization's
// share. The other half is for those that need more than a share.
type budget struct {
	size    int64
	wait    time.Duration
	limits  *tidemark.Limits
	mu      sync.Mutex
	orgs    map[tidemark.OrgID]*orgBudget
	changed chan struct{} // closed when something was given back; nil where nobody waits
}

// orgBudget is what the queries of one organization hold.
type orgBudget struct {
	points  int64
	queries int64
	asked   time.Time
}

// rememberFor is how long an organization has a share after it last asked.
const rememberFor = time.Hour

func newBudget(points int, wait time.Duration, limits *tidemark.Limits) *budget {
	return &budget{size: int64(points), wait: wait, limits: limits, orgs: make(map[tidemark.OrgID]*orgBudget)}
}

func (b *budget) of(org tidemark.OrgID) *orgBudget {
	now := time.Now()
	o := b.orgs[org]
	if o == nil {
		maps.DeleteFunc(b.orgs, func(_ tidemark.OrgID, o *orgBudget) bool { return o.isForgotten(now) })
		o = &orgBudget{}
		b.orgs[org] = o
	}
	o.asked = now
	return o
}

// isForgotten reports whether o has nothing, and has asked for nothing for long.
func (o *orgBudget) isForgotten(now time.Time) bool {
	return o.points == 0 && o.queries == 0 && now.Sub(o.asked) > rememberFor
}

// guaranteed is the share that an organization has whatever others do.
func (b *budget) guaranteed() int64 { return b.size / 2 / int64(len(b.orgs)+1) }

// fits reports whether o may have n points more.
func (b *budget) fits(o *orgBudget, n int64) bool {
	share, common, others := b.guaranteed(), int64(0), int64(0)
	if o.points+n <= share {
		return true
	}
	for _, other := range b.orgs {
		points := other.points
		if other == o {
			points += n
		} else {
			others += points
		}
		common += max(0, points-share)
	}
	alone := o.queries == 1 && others == 0 // what one query may hold, it gets
	return common <= b.size-b.size/2 || alone && o.points+n <= b.size
}

// await calls try until it succeeds, whenever something was given back, and
// reports false when that takes too long.
func (b *budget) await(ctx context.Context, try func() bool) (bool, error) {
	var timeout <-chan time.Time
	for {
		changed := b.attempt(try)
		if changed == nil {
			return true, nil
		}
		if timeout == nil {
			t := time.NewTimer(b.wait)
			defer t.Stop()
			timeout = t.C
		}
		if late, err := waitFor(ctx, changed, timeout); late || err != nil {
			return false, err
		}
	}
}

// waitFor waits for a change, without a turn: those who have what is wanted may
// wait for theirs. It reports whether the time is up.
func waitFor(ctx context.Context, changed <-chan struct{}, timeout <-chan time.Time) (late bool, err error) {
	err = turns.Of(ctx).Wait(ctx, func() error {
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout:
			late = true
		}
		return nil
	})
	return late, err
}

// attempt calls try, and returns what is closed when it is worth another
// attempt, nil if it succeeded.
func (b *budget) attempt(try func() bool) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if try() {
		return nil
	}
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// begin waits until org may have one query more.
func (b *budget) begin(ctx context.Context, org tidemark.OrgID) (*share, error) {
	limit := b.limits.Share(org, tidemark.LimitQueries)
	own := &share{budget: b, ctx: ctx, queries: 1}
	ok, err := b.await(ctx, func() bool {
		own.org = b.of(org)
		if limit > 0 && own.org.queries >= limit {
			return false
		}
		own.org.queries++
		return true
	})
	if err == nil && !ok {
		err = b.limits.Refuse(org, tidemark.LimitQueries)
	}
	if err != nil {
		return nil, err
	}
	return own, nil
}

// take waits for n points.
func (b *budget) take(ctx context.Context, o *orgBudget, n int64) error {
	ok, err := b.await(ctx, func() bool {
		if !b.fits(o, n) {
			return false
		}
		o.points += n
		return true
	})
	if err != nil || ok {
		return err
	}
	b.limits.Count(tidemark.LimitQueryMemory)
	return tidemark.Errorf(tidemark.Unavailable,
		"the queries under way hold as many points in memory as all may together, %d: try again soon, or ask for less at once", b.size)
}

// release gives back points and queries of o.
func (b *budget) release(o *orgBudget, points, queries int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o.points -= points
	o.queries -= queries
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// share is what one query has taken.
type share struct {
	*budget
	org     *orgBudget      // of whom it is; with a query under way it is not forgotten
	ctx     context.Context // of the query; a share does not outlive it
	mu      sync.Mutex
	queries int64 // that it counts as
	have    int64
	ended   bool
}

// shareStep is how many points are taken at a time: few enough not to matter,
// and enough not to take for every series.
const shareStep = 1 << 14

// cover makes sure that the share is enough for points. A nil share is enough
// for everything.
func (s *share) cover(points int64) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if points <= s.have {
		return nil
	}
	n := min(points-s.have+shareStep, s.size-s.have)
	if err := s.take(s.ctx, s.org, n); err != nil {
		return err
	}
	s.have += n
	return nil
}

// giveBack returns all of it. It may be called twice.
func (s *share) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.ended = true
		s.release(s.org, s.have, s.queries)
	}
	s.have = 0
}

// Holding is memory that an answer takes beside that of queries: it counts
// against the same budget until it is released.
type Holding struct{ *share }

// Hold begins a holding of org.
func (q *Querier) Hold(ctx context.Context, org tidemark.OrgID) (*Holding, error) {
	s, err := q.budget.begin(ctx, org)
	if err != nil {
		return nil, err
	}
	return &Holding{s}, nil
}

// HoldAnswer begins a holding of org that counts as no query: of an answer that
// is put together from those to several.
func (q *Querier) HoldAnswer(ctx context.Context, org tidemark.OrgID) *Holding {
	b := q.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	return &Holding{&share{budget: b, org: b.of(org), ctx: ctx}}
}

// Cover makes sure that the holding is enough for points of 16 bytes.
func (h *Holding) Cover(points int64) error { return h.cover(points) }

// Release gives all of it back. It may be called twice.
func (h *Holding) Release() { h.giveBack() }

// Load is what the queries of all organizations hold at the moment.
type Load struct{ Queries, Points, MaxPoints int64 }

// Load returns what queries hold at the moment.
func (q *Querier) Load() Load {
	q.budget.mu.Lock()
	defer q.budget.mu.Unlock()
	l := Load{MaxPoints: q.budget.size}
	for _, o := range q.budget.orgs {
		l.Queries += o.queries
		l.Points += o.points
	}
	return l
}
