package ingest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"golang.org/x/time/rate"
)

// Limits bound what one organization may record. A zero is no limit.
type Limits struct {
	Streams int // known at one time
	Rate    int // measurements a second, averaged over burst
}

// burst is how much of the rate may be used at once, so that an agent that
// sends once a minute is not punished for it.
const burst = 60 * time.Second

// recount is how often the streams of an organization that is at its limit
// are counted again: some may have expired.
const recount = time.Minute

// LimitError is a refusal because of a limit: a *tidemark.Error of kind
// TooMany, and when it makes sense to try again.
type LimitError struct {
	RetryAfter time.Duration
	Err        error
}

func (e *LimitError) Error() string { return e.Err.Error() }
func (e *LimitError) Unwrap() error { return e.Err }

func streamsError() error {
	return &LimitError{RetryAfter: recount, Err: tidemark.Errorf(tidemark.TooMany, "the organization has as many streams as it may")}
}

type limiter struct {
	mu   sync.Mutex
	orgs map[tidemark.OrgID]*orgLimits
}

// orgLimits is what one organization has used.
type orgLimits struct {
	bucket  *rate.Limiter
	streams map[uint64]struct{} // hashes of the keys; nil before they are counted
	counted time.Time
}

func (l *limiter) of(org tidemark.OrgID) *orgLimits {
	o := l.orgs[org]
	if o == nil {
		o = &orgLimits{}
		l.orgs[org] = o
	}
	return o
}

// rate takes n measurements from what org may record now, all or none.
func (l *limiter) rate(org tidemark.OrgID, n int, limits Limits, now time.Time) error {
	if limits.Rate <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.of(org)
	if o.bucket == nil {
		o.bucket = rate.NewLimiter(rate.Limit(limits.Rate), max(limits.Rate*int(burst/time.Second), tidemark.MaxBatch))
	}
	reserved := o.bucket.ReserveN(now, n)
	wait := reserved.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	reserved.CancelAt(now)
	return &LimitError{RetryAfter: wait, Err: tidemark.Errorf(tidemark.TooMany,
		"You have hit the API limit for measurements: %d a second", limits.Rate)}
}

func (l *limiter) forget(org tidemark.OrgID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if o := l.orgs[org]; o != nil {
		o.streams = nil
	}
}

// limitStreams refuses the items that would make a stream too many. It costs
// nothing where there is no limit.
func (r *Recorder) limitStreams(ctx context.Context, org tidemark.OrgID, d *intake) error {
	if r.Limits.Streams <= 0 {
		return nil
	}
	r.limiter.mu.Lock()
	defer r.limiter.mu.Unlock()
	o := r.limiter.of(org)
	if o.streams == nil || len(o.streams) >= r.Limits.Streams && r.Now().Sub(o.counted) >= recount {
		if err := o.count(ctx, r.Engine, org); err != nil {
			return err
		}
		o.counted = r.Now()
	}
	d.limit(o.streams, r.Limits.Streams)
	return nil
}

// limitMissing is limitStreams before the metrics that are missing are
// created, so that what is refused creates none.
func (r *Recorder) limitMissing(ctx context.Context, org tidemark.OrgID, d *intake) error {
	d.ahead = true
	d.sort()
	err := r.limitStreams(ctx, org, d)
	d.ahead = false
	if err == nil {
		d.sort()
	}
	return err
}

// knownOnly refuses the items that would make a new stream, since the engine
// takes no more of them.
func (r *Recorder) knownOnly(ctx context.Context, org tidemark.OrgID, d *intake) error {
	var now orgLimits
	if err := now.count(ctx, r.Engine, org); err != nil {
		return err
	}
	d.limit(now.streams, 0)
	return nil
}

// limit refuses the items whose stream is not among streams, once there are
// most of those; before that it adds it.
func (d *intake) limit(streams map[uint64]struct{}, most int) {
	refused := false
	for i, n := 0, 0; i < len(d.items); i++ {
		if d.items[i].flaw != fine {
			continue
		}
		hash := xxhash.Sum64(d.batch.Key(n))
		n++
		if _, old := streams[hash]; old {
			continue
		}
		if len(streams) >= most {
			d.items[i].flaw, refused = overStreams, true
			continue
		}
		streams[hash] = struct{}{}
	}
	if refused {
		d.sort()
	}
}

// count learns which streams there are.
func (o *orgLimits) count(ctx context.Context, e tsdb.Reader, org tidemark.OrgID) error {
	o.streams = make(map[uint64]struct{})
	var key []byte
	for s, err := range e.Streams(ctx, org, "*", tsdb.Filter{}) {
		if err != nil {
			o.streams = nil
			return fmt.Errorf("count streams: %w", err)
		}
		key = tsdb.AppendKey(key[:0], s.Metric, s.Tags)
		o.streams[xxhash.Sum64(key)] = struct{}{}
	}
	return nil
}
