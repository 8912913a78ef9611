package ingest

import (
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"golang.org/x/time/rate"
)

// burst is how much of the rate may be used at once, so that an agent that
// sends once a minute is not punished for it.
const burst = 60 * time.Second

// retryStreams is when a sender of too many streams may try again: some may
// have been deleted.
const retryStreams = time.Minute

// LimitError is a refusal because of a limit: a *tidemark.Error of kind
// TooMany, and when it makes sense to try again.
type LimitError struct {
	RetryAfter time.Duration
	Err        error
}

func (e *LimitError) Error() string { return e.Err.Error() }
func (e *LimitError) Unwrap() error { return e.Err }

// limiter counts what organizations send. Each has a lock of its own.
type limiter struct {
	mu   sync.Mutex
	orgs map[tidemark.OrgID]*orgRate
}

// orgRate is what one organization may send now.
type orgRate struct {
	mu     sync.Mutex
	bucket *rate.Limiter
	limit  int64 // that the bucket was made for
	share  int64 // of it that this server has
}

func (l *limiter) of(org tidemark.OrgID) *orgRate {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.orgs[org]
	if o == nil {
		o = &orgRate{}
		l.orgs[org] = o
	}
	return o
}

// take takes n measurements from what may be recorded now, all or none, and
// returns how long to wait for them otherwise. A new limit counts at once; of a
// new share of it, what was used up stays so.
func (o *orgRate) take(limit, share int64, n int, now time.Time) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.bucket == nil || o.limit != limit:
		o.bucket = rate.NewLimiter(rate.Limit(share), burstOf(share))
	case o.share != share:
		o.bucket.SetLimitAt(now, rate.Limit(share))
		o.bucket.SetBurstAt(now, burstOf(share))
	}
	o.limit, o.share = limit, share
	reserved := o.bucket.ReserveN(now, n)
	wait := reserved.DelayFrom(now)
	if wait > 0 {
		reserved.CancelAt(now)
	}
	return wait
}

func burstOf(limit int64) int { return max(int(limit)*int(burst/time.Second), tidemark.MaxBatch) }

// limitRate refuses measurements that come too fast.
func (r *Recorder) limitRate(org tidemark.OrgID, n int) error {
	if limit := r.Limits.Of(org, tidemark.LimitRate); limit > 0 {
		wait := r.limiter.of(org).take(limit, r.Limits.Share(org, tidemark.LimitRate), n, r.Now())
		if wait > 0 {
			return &LimitError{RetryAfter: wait, Err: r.Limits.Refuse(org, tidemark.LimitRate)}
		}
	}
	r.Limits.Granted(org, tidemark.LimitRate, int64(n))
	return nil
}

// room is what org may have after a write.
func (r *Recorder) room(org tidemark.OrgID) tsdb.Room {
	return tsdb.Room{
		Streams:  r.Limits.Of(org, tidemark.LimitStreams),
		Bytes:    r.Limits.Of(org, tidemark.LimitTagBytes),
		TagNames: r.Limits.Of(org, tidemark.LimitTagNames),
	}
}

// limitMissing refuses the items that there is no room for before the metrics
// that are missing are created, so that what is refused creates none.
func (r *Recorder) limitMissing(org tidemark.OrgID, d *intake) {
	d.ahead = true
	d.classify()
	d.refuseUnfit(r.Engine.Fits(org, &d.batch))
	d.ahead = false
	d.classify()
}

// refuseUnfit refuses the items whose stream a limit stands against, and
// reports whether there were any.
func (d *intake) refuseUnfit(limits []tidemark.LimitName) bool {
	refused := false
	for i := range d.items {
		if d.items[i].flaw != flawNone {
			continue
		}
		if limit := limits[d.items[i].record]; limit != "" {
			d.items[i].flaw, refused = limitFlaws[limit], true
			d.limits.Count(limit)
		}
	}
	if refused {
		d.classify()
	}
	return refused
}

// refuseMissing refuses the items whose metric does not exist.
func (d *intake) refuseMissing() {
	d.unmade = true
	d.classify()
	d.unmade = false
}

// limitFlaws are the flaws of what a limit stands against.
var limitFlaws = map[tidemark.LimitName]flaw{
	tidemark.LimitStreams: overStreams, tidemark.LimitTagBytes: overTagBytes, tidemark.LimitTagNames: overTagNames,
	tidemark.LimitMetrics: overMetrics, tidemark.LimitStreamBytes: overStreamBytes,
}

// limitOf returns the limit that a flaw is about.
func limitOf(f flaw) (tidemark.LimitName, bool) {
	for name, one := range limitFlaws {
		if one == f {
			return name, true
		}
	}
	return "", false
}

// limited returns the refusal of a request of which nothing is usable because
// of a limit that may be raised, or nil.
func (d *intake) limited() error {
	var first tidemark.LimitName
	for i := range d.items {
		name, ok := limitOf(d.items[i].flaw)
		if !ok || name == tidemark.LimitStreamBytes {
			return nil
		}
		if first == "" {
			first = name
		}
	}
	return d.limitError(first)
}

func (d *intake) limitError(name tidemark.LimitName) error {
	return &LimitError{RetryAfter: retryStreams, Err: d.limits.Refuse(d.orgID, name)}
}
