package ingest

import (
	"slices"
	"sync"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// totals remembers the latest cumulative histogram of every stream of one
// organization, because what is recorded is by how much the next one is more.
//
// Of a stream that it does not remember, the first histogram only says from
// where to count: what is in it may have been recorded before this server
// started, or before the stream was forgotten. Where the sender says that it
// began to count later than that, all of it is new. A histogram that has less
// than the one before, or that began after it, was restarted: all of it is
// new. One that is not later than the one before is ignored.
//
// It has room for so many buckets. What was used least recently is forgotten.
type totals struct {
	mu         sync.Mutex
	young, old map[string]*total
	buckets    int   // of young
	forgot     int64 // milliseconds: when streams were last forgotten
}

// total is one histogram, and whose it is.
type total struct {
	dist        protocol.Dist
	time, start int64 // milliseconds
	key         string
	item        int // of the request that it came with
}

// maxTotalBuckets is how many buckets are remembered for one organization,
// twice; each has 24 bytes, a stream as much as 8 of them.
const (
	maxTotalBuckets = 400_000
	totalOverhead   = 8
)

// since returns what the histogram of p has more than the one before. It
// reports false where nothing can be said.
func (t *totals) since(d *intake, it *item, p *protocol.Point, started int64) (protocol.Dist, bool) {
	d.stream, _ = appendLower(d.stream[:0], &metricBytes, it.name.of(d.arena))
	d.stream = append(d.stream, it.tags.of(d.arena)...)
	next := &total{time: p.Time, start: p.Start, key: string(d.stream), item: len(d.items)}
	if next.time == 0 {
		next.time = d.now * 1000
	}
	before := t.find(d, next.key)
	if before != nil && next.time <= before.time {
		return protocol.Dist{}, false
	}
	next.dist = *p.Dist
	next.dist.Buckets = slices.Clone(p.Dist.Buckets)
	d.staged[next.key] = next
	switch {
	case before == nil:
		return *p.Dist, p.Start > max(t.forgot, started*1000)
	case p.Start != before.start && p.Start >= before.time:
		return *p.Dist, true
	}
	more, _ := p.Dist.Since(&before.dist)
	return more, true
}

func (t *totals) find(d *intake, key string) *total {
	for _, m := range []map[string]*total{d.staged, t.young, t.old} {
		if one := m[key]; one != nil {
			return one
		}
	}
	return nil
}

// commit remembers what d brought, now that it is recorded. What was refused
// is as if it had not come.
func (t *totals) commit(d *intake) {
	for key, one := range d.staged {
		if d.items[one.item].flaw > flawEmpty {
			continue
		}
		size := len(one.dist.Buckets) + totalOverhead
		if t.buckets+size > maxTotalBuckets || t.young == nil {
			if len(t.old) > 0 {
				t.forgot = d.now * 1000
			}
			t.old, t.young, t.buckets = t.young, make(map[string]*total), 0
		}
		if had := t.young[key]; had != nil {
			t.buckets -= len(had.dist.Buckets) + totalOverhead
		}
		t.young[key] = one
		t.buckets += size
	}
}
