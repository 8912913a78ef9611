package clickhouse

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// recount is how old the list of an organization's streams may be: it is asked
// for only once there may be too many.
const recount = 10 * time.Minute

// rosters are the streams of organizations that are near their limit, by hash
// of their key.
type rosters struct {
	seed maphash.Seed
	mu   sync.Mutex
	orgs map[tidemark.OrgID]*roster
}

type roster struct {
	mu      sync.Mutex // of one organization: others do not wait while it counts
	streams map[uint64]struct{}
	counted time.Time
}

// Fits tells which streams of b there is no room for; see tsdb.Engine. Names
// and tags are in ClickHouse, not in memory: only streams are counted, and
// another server may add some meanwhile. Where they cannot be counted, all
// fit: the write itself says what is wrong.
func (e *Engine) Fits(org tidemark.OrgID, b *tsdb.Batch) []tidemark.LimitName {
	limits := make([]tidemark.LimitName, b.Len())
	if b.Room.Streams == 0 {
		return limits
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.o.WriteWait)
	defer cancel()
	r := e.rosters.of(org)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.count(ctx, e, org); err != nil {
		return limits
	}
	added := make(map[uint64]struct{})
	for i := range limits {
		hash := maphash.Bytes(e.rosters.seed, b.Key(i))
		_, known := r.streams[hash]
		_, again := added[hash]
		switch {
		case known, again:
		case int64(len(r.streams)+len(added)) >= b.Room.Streams:
			limits[i] = tidemark.LimitStreams
		default:
			added[hash] = struct{}{}
		}
	}
	return limits
}

func (s *rosters) of(org tidemark.OrgID) *roster {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.orgs[org]
	if r == nil {
		r = &roster{}
		s.orgs[org] = r
	}
	return r
}

// count lists the streams of an organization, unless that was not long ago.
func (r *roster) count(ctx context.Context, e *Engine, org tidemark.OrgID) error {
	if r.streams != nil && time.Since(r.counted) < recount {
		return nil
	}
	streams := make(map[uint64]struct{})
	var key []byte
	for st, err := range e.Streams(ctx, org, "*", tsdb.Filter{}) {
		if err != nil {
			return err
		}
		key = tsdb.AppendKey(key[:0], st.Metric, st.Tags)
		streams[maphash.Bytes(e.rosters.seed, key)] = struct{}{}
	}
	r.streams, r.counted = streams, time.Now()
	return nil
}

// wrote notes streams that may be new.
func (s *rosters) wrote(fresh []*stream) {
	for _, st := range fresh {
		r := s.of(orgOf(st.cacheKey))
		r.mu.Lock()
		if r.streams != nil {
			r.streams[maphash.String(s.seed, st.key())] = struct{}{}
		}
		r.mu.Unlock()
	}
}

// forget makes the streams of an organization be counted again.
func (s *rosters) forget(org tidemark.OrgID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.orgs, org)
}
