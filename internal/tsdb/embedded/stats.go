package embedded

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
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
	all := tsdb.Stats{Orgs: make(map[tidemark.OrgID]tsdb.OrgStats), Bytes: e.store.Bytes() + e.log.Size()}
	e.statsMu.Lock()
	s := e.state.Load()
	all.Lost, all.Refusing = e.lost, e.refusing
	if all.Refusing == "" && len(s.gens) >= maxGenerations && e.sealError != nil {
		all.Refusing = reason(e.sealError)
	}
	for org, n := range e.samples {
		all.Orgs[org] = tsdb.OrgStats{Samples: n}
		all.Samples += n
	}
	for _, g := range s.gens {
		all.Memory += g.memory.Load()
		if g.no <= e.sealed {
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
	e.statsMu.Unlock()
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
	c := e.cat.View()
	defer c.Close()
	for org, n := range c.Visible() {
		o := all.Orgs[org]
		o.Streams = int64(n)
		all.Orgs[org] = o
		all.Streams += o.Streams
	}
}

// loss counts something that was found damaged.
func (e *Engine) loss(what string, err error) {
	e.statsMu.Lock()
	e.lost++
	e.statsMu.Unlock()
	e.o.Events.Damaged(what, err)
}
