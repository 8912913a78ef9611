package embedded

import (
	"context"
	"maps"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// Stats returns the state of the engine.
func (e *Engine) Stats(ctx context.Context) (tsdb.Stats, error) {
	if err := ctx.Err(); err != nil {
		return tsdb.Stats{}, err
	}
	if err := e.life.enter(); err != nil {
		return tsdb.Stats{}, err
	}
	defer e.life.leave()
	all := tsdb.Stats{Orgs: make(map[tidemark.OrgID]tsdb.OrgStats), Bytes: e.tables.Bytes() + e.log.Size()}
	e.stats.mu.Lock()
	s := e.state.Load()
	all.Lost, all.Refusing = e.stats.lost, e.stats.refusing
	if all.Refusing == "" && len(s.gens) >= maxGenerations && e.stats.sealError != nil {
		all.Refusing = reason(e.stats.sealError)
	}
	for org, n := range e.stats.samples {
		all.Orgs[org] = tsdb.OrgStats{Samples: n}
		all.Samples += n
	}
	for _, g := range s.gens {
		all.Memory += g.memory.Load()
		if g.no <= e.stats.sealed {
			continue // it is counted, and about to leave the state
		}
		g.samplesMu.Lock()
		for org, n := range g.samples {
			o := all.Orgs[org]
			o.Samples += n
			all.Orgs[org] = o
			all.Samples += n
		}
		g.samplesMu.Unlock()
	}
	e.stats.mu.Unlock()
	e.countStreams(&all)
	if all.Samples > 0 {
		for org, o := range all.Orgs {
			o.Bytes = int64(float64(all.Bytes) * float64(o.Samples) / float64(all.Samples))
			all.Orgs[org] = o
		}
	}
	return all, nil
}

func (e *Engine) countStreams(all *tsdb.Stats) {
	c := e.catalog.View()
	defer c.Close()
	for org, n := range c.Visible() {
		o := all.Orgs[org]
		o.Streams, o.TagBytes = int64(n), c.BytesOf(org)
		all.Orgs[org] = o
		all.Streams += o.Streams
	}
}

// loss counts something that was found damaged.
func (e *Engine) loss(what string, err error) {
	e.stats.addLost()
	e.o.Hooks.Damaged(what, err)
}

// stats is what the engine counts, and why it refuses writes.
type stats struct {
	mu        sync.Mutex
	samples   map[tidemark.OrgID]int64 // sealed
	sealed    uint64                   // the last generation that samples has
	lost      int64
	refusing  string
	sealError error
}

func (s *stats) addLost() {
	s.mu.Lock()
	s.lost++
	s.mu.Unlock()
}

// setRefusing notes why writes are refused, or that they are not, and returns
// what it was before.
func (s *stats) setRefusing(why string) (was string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, s.refusing = s.refusing, why
	return was
}

// setSealError notes how the last seal ended.
func (s *stats) setSealError(err error) {
	s.mu.Lock()
	s.sealError = err
	s.mu.Unlock()
}

// sealFailure returns why the last seal failed, or nil.
func (s *stats) sealFailure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sealError
}

// withSealed returns the counts as they are with those of one generation more.
func (s *stats) withSealed(g *generation) map[tidemark.OrgID]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	g.samplesMu.Lock()
	defer g.samplesMu.Unlock()
	sum := make(map[tidemark.OrgID]int64)
	for org, n := range g.samples {
		sum[org] = s.samples[org] + n
	}
	return sum
}

// setSealed takes the counts that were saved with a generation.
func (s *stats) setSealed(samples map[tidemark.OrgID]int64, gen uint64) {
	s.mu.Lock()
	maps.Copy(s.samples, samples)
	s.sealed = gen
	s.mu.Unlock()
}

// Resources is what the engine works with at the moment.
type Resources struct {
	LogBytes    int64 // of the write-ahead log: what a start after a crash reads
	Generations int64 // of measurements in memory; more than two wait for a seal
	Cache       tables.Cache
}

// Resources returns what the engine works with at the moment.
func (e *Engine) Resources() (Resources, error) {
	if err := e.life.enter(); err != nil {
		return Resources{}, err
	}
	defer e.life.leave()
	return Resources{LogBytes: e.log.Size(), Generations: int64(len(e.state.Load().gens)), Cache: e.tables.Cache()}, nil
}
