package alerts

import (
	"context"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

const (
	weekSeconds = 7 * shared.DaySeconds
	// gapsFor is how long what was found of an alert's gaps is good for, in
	// seconds: the strip is drawn in pixels of seven minutes.
	gapsFor = 120
	// gapsAgain is how long after it could not be found out it is tried again,
	// and gapsSoon how long if there was no time.
	gapsAgain = 900
	gapsSoon  = 10
	// gapsTime is how long one answer looks for gaps. Those of alerts it has
	// not come to are in a later one: pages ask every few seconds.
	gapsTime = 250 * time.Millisecond
	maxGaps  = 20_000
)

// gaps remembers when alerts had nothing to evaluate.
type gaps struct {
	mu      sync.Mutex
	known   map[gapsKey]gapsFound
	looking sync.Mutex // one looks at a time, the others take what is known
}

type gapsKey struct {
	alert, span int64
}

type gapsFound struct {
	at, until int64 // when, and how long that is good for
	updated   int64 // the alert it was found for
	ok        bool
	gaps      []tidemark.Interval
}

func (g *gaps) get(k gapsKey, updated, now int64) (f gapsFound, isFresh bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f = g.known[k]
	return f, f.updated == updated && now < f.until
}

func (g *gaps) put(k gapsKey, f gapsFound) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil || len(g.known) >= maxGaps {
		g.known = make(map[gapsKey]gapsFound)
	}
	g.known[k] = f
}

// unjudged returns when in the last span seconds each of some alerts was not
// evaluated: before it was made, and while there was nothing to evaluate. Of those
// that are missing it is not known.
func (s *API) unjudged(ctx context.Context, org tidemark.OrgID, alerts []*tidemark.Alert, span, now int64) map[int64][]tidemark.Interval {
	found := make(map[int64][]tidemark.Interval, len(alerts))
	if s.Alerting.Gaps == nil {
		return found
	}
	mayLook, looked := s.gaps.looking.TryLock(), 0
	if mayLook {
		defer s.gaps.looking.Unlock()
	}
	short := ctx
	for _, a := range alerts {
		k := gapsKey{a.ID, span}
		f, isFresh := s.gaps.get(k, a.UpdatedAt, now)
		if !isFresh && a.Active && mayLook && short.Err() == nil {
			if looked == 0 { // the time is for looking, not for what comes before
				var cancel context.CancelFunc
				short, cancel = context.WithTimeout(ctx, s.GapsTime)
				defer cancel()
			}
			f = s.findGaps(short, org, a, span, now)
			if looked++; ctx.Err() == nil {
				s.gaps.put(k, f)
			}
		}
		if f.ok {
			found[a.ID] = sinceMade(f, a.CreatedAt, now-span, now)
		}
	}
	return found
}

func (s *API) findGaps(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, span, now int64) gapsFound {
	found, err := s.Alerting.Gaps(ctx, org, a, now-span, now)
	good := int64(gapsFor)
	switch {
	case ctx.Err() != nil:
		good = gapsSoon
	case err != nil:
		good = gapsAgain
	}
	return gapsFound{at: now, until: now + good, updated: a.UpdatedAt, ok: err == nil, gaps: found}
}

// sinceMade returns the gaps of an alert that was made at a time, that before
// it among them; one that went on when it was found goes on.
func sinceMade(f gapsFound, made, start, now int64) []tidemark.Interval {
	all := []tidemark.Interval{}
	if made > start {
		all = append(all, tidemark.Interval{start, made})
	}
	for _, g := range f.gaps {
		if g[1] >= f.at {
			g[1] = now
		}
		g[0] = max(g[0], made, start)
		switch last := len(all) - 1; {
		case g[0] >= g[1]:
		case last >= 0 && g[0] == all[last][1]:
			all[last][1] = g[1]
		default:
			all = append(all, g)
		}
	}
	return all
}
