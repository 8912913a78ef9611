package embedded

import (
	"bytes"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// replayer applies records of the log on a goroutine of its own, while the
// next ones are read and decoded. A change of the catalogue waits for it first.
type replayer struct {
	e    *Engine
	todo chan *commit
	free chan *commit
	busy sync.WaitGroup // commits handed over and not applied
	done chan struct{}
}

func newReplayer(e *Engine) *replayer {
	p := &replayer{e: e, todo: make(chan *commit, replayAhead), free: make(chan *commit, replayAhead), done: make(chan struct{})}
	for range replayAhead {
		p.free <- new(commit)
	}
	go func() {
		defer close(p.done)
		for c := range p.todo {
			p.apply(c)
			p.free <- c
			p.busy.Done()
		}
	}()
	return p
}

const replayAhead = 8

// wait returns when everything handed over is applied.
func (p *replayer) wait() { p.busy.Wait() }

func (p *replayer) close() {
	close(p.todo)
	<-p.done
}

// records decodes a payload and hands it over.
func (p *replayer) records(g *generation, b []byte) error {
	c := <-p.free
	c.reset()
	c.gen = g
	err := readRecords(b, func(org tidemark.OrgID, r *record, sum *tsdb.Summary, sketch []byte) {
		c.org = org
		if r.op&chunk.OpSummary != 0 {
			r.v = float64(len(c.sums))
			c.add(sum, bytes.Clone(sketch))
		}
		c.recs = append(c.recs, *r)
	})
	p.busy.Add(1)
	p.todo <- c
	return err
}

func (p *replayer) apply(c *commit) {
	e, g := p.e, c.gen
	mask := uint32(len(e.head.queues) - 1)
	dirty, frozen := e.tiers.top.Load(), e.head.frozen.Load()
	cat := e.catalog.View()
	defer cat.Close()
	for i := range c.recs {
		r := &c.recs[i]
		if cat.Owner(r.id) == nil {
			if !cat.Known(r.id) { // its definition was in a part of the log that is gone
				e.stats.addLost()
			}
			continue
		}
		sum, sketch := c.summary(r)
		h := &g.shards[r.id&mask]
		before := h.size()
		e.head.put(&e.head.queues[r.id&mask], h, r, sum, sketch, dirty, frozen)
		g.memory.Add(h.size() - before)
	}
	g.count(c.org, len(c.recs))
	g.records.Add(int64(len(c.recs)))
}
