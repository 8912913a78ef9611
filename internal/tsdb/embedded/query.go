package embedded

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// Select yields the series that q asks for; see tsdb.Engine. Of the streams
// that are picked only the ids are held; they are read in batches, by as many
// workers as there are processors, a few batches ahead of the consumer.
func (e *Engine) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		if err := e.selectAll(ctx, org, q, func(s *tsdb.Series) bool { return yield(s, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

func (e *Engine) selectAll(ctx context.Context, org tidemark.OrgID, q *tsdb.Query, yield func(*tsdb.Series) bool) error {
	if err := q.Validate(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.life.enter(); err != nil {
		return err
	}
	defer e.life.leave()
	p := e.plan(org, q)
	if len(p.targets) == 0 || len(p.regions) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &output{p: p, yield: yield}
	size := p.batchSize(runtime.GOMAXPROCS(0))
	if len(p.targets) <= size { // not worth a goroutine
		b := e.newBatch()
		b.from, b.to = 0, len(p.targets)
		if err := e.work(ctx, p, only(b)); err != nil {
			return err
		}
		err := out.finish(out.take(b))
		e.pools.batches.Put(b)
		return err
	}
	return e.parallel(ctx, p, size, out)
}

// only returns a channel that gives one batch.
func only(b *batch) <-chan *batch {
	c := make(chan *batch, 1)
	c <- b
	close(c)
	return c
}

// parallel reads batches on several workers and takes them in order.
func (e *Engine) parallel(ctx context.Context, p *plan, size int, out *output) error {
	workers := min(e.o.Processors(), (len(p.targets)+size-1)/size)
	ctx, cancel := context.WithCancelCause(ctx)
	jobs := make(chan *batch, 2*workers)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil)
	defer close(jobs)
	for range workers {
		wg.Go(func() {
			if err := e.work(ctx, p, jobs); err != nil {
				cancel(err)
			}
		})
	}
	var ahead []*batch
	next, more := 0, true
	for next < len(p.targets) || len(ahead) > 0 {
		for next < len(p.targets) && len(ahead) < 2*workers {
			b := e.newBatch()
			b.from, b.to = next, min(next+size, len(p.targets))
			next = b.to
			ahead = append(ahead, b)
			jobs <- b
		}
		b := ahead[0]
		select {
		case <-b.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if more = out.take(b); !more {
			return nil
		}
		e.pools.batches.Put(b)
		ahead = append(ahead[:0], ahead[1:]...)
	}
	return out.finish(more)
}

// newBatch returns a batch that uses the memory of an old one.
func (e *Engine) newBatch() *batch {
	b := e.pools.batches.Get().(*batch)
	b.done = make(chan struct{})
	return b
}

// batch is some targets in a row, and what was read of them.
type batch struct {
	from, to int
	done     chan struct{}

	// Of each series, or part of a group: its target, and where its points end.
	target, end []int
	times       []int64
	values      []float64
	counts      []float64 // of a group: how many streams have a value
	sums        []tsdb.Summary
	sketches    []*sketch.Sketch
}

func (b *batch) reset() {
	b.target, b.end = b.target[:0], b.end[:0]
	b.times, b.values, b.counts, b.sums = b.times[:0], b.values[:0], b.counts[:0], b.sums[:0]
	clear(b.sketches)
	b.sketches = b.sketches[:0]
}

// manyTargets is from how many streams on the iterators of their places are
// worth opening.
const manyTargets = 16

// work reads batches until there are no more.
func (e *Engine) work(ctx context.Context, p *plan, jobs <-chan *batch) (err error) {
	w := e.pools.workers.Get().(*worker)
	w.choose(p.q)
	opened := false
	defer func() {
		if opened {
			_ = w.r.close() // fill has said why
		}
		e.pools.workers.Put(w)
	}()
	for b := range jobs {
		if !opened {
			if err := w.r.open(e); err != nil {
				return e.unanswered(err)
			}
			if opened = true; len(p.targets) >= manyTargets {
				w.r.it.PerPrefix(placeLen)
			}
		}
		if err := w.fill(ctx, p, b); err != nil {
			return err
		}
		close(b.done)
	}
	return nil
}

// unanswered reports an error of the disk and returns that of the query, which
// tells no names of files to whoever asked.
func (e *Engine) unanswered(err error) error {
	e.o.Hooks.BackgroundError("read", err)
	return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "measurements cannot be read at present: " + reason(err), Err: err}
}

// worker is what one goroutine of a query needs, kept for the next query.
type worker struct {
	r      reader
	sums   chunk.Sums
	lasts  chunk.Lasts
	full   chunk.Summaries
	dist   chunk.Distributions
	pts    chunk.Points // one of those
	acc    accumulator
	merged groupMerger
}

// choose makes pts the sink that q needs.
func (w *worker) choose(q *tsdb.Query) {
	w.sums.Step, w.lasts.Step, w.full.Step = q.Step, q.Step, q.Step
	switch {
	case chunk.NeedsAll(q.Function) || q.Merges():
		w.pts = &w.full
	case chunk.NeedsLast(q.Function):
		w.pts = &w.lasts
	default:
		w.pts = &w.sums
	}
	if q.NeedsSketches() {
		w.dist.Step, w.dist.Quantile = q.Step, q.Quantile
		w.pts = &w.dist
	}
}

// fill reads the targets of b. Those of one group become one series here, so
// that little is left to do for the consumer of the batches.
func (w *worker) fill(ctx context.Context, p *plan, b *batch) error {
	b.reset()
	first := b.from // target of the group
	w.acc.reset(p.q.GroupFunction)
	w.merged.reset()
	for i := b.from; i < b.to; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := &p.targets[i]
		w.pts.Reset()
		w.r.begin(t.m.ID, t.id, p.q.Start, p.q.End)
		w.pts.Absorb(w.r.stream(p.regions, w.pts))
		if err := w.r.err; err != nil {
			return w.r.e.unanswered(err)
		}
		if !p.q.Group {
			w.add(b, p, i)
			continue
		}
		if !t.sameGroup(&p.targets[first]) {
			w.flush(b, first, p)
			first = i
		}
		w.collect(p.q)
	}
	w.flush(b, first, p)
	return nil
}

// collect adds the points of a target to those of its group.
func (w *worker) collect(q *tsdb.Query) {
	switch {
	case q.Merges() && q.NeedsSketches():
		w.merged.add(w.dist.All())
		return
	case q.Merges():
		t, sums := w.full.All()
		w.merged.add(t, sums, nil)
		return
	}
	times, values := w.pts.Series(q.Function)
	w.acc.add(times, values, nil)
}

// flush puts the group that was collected into the batch.
func (w *worker) flush(b *batch, first int, p *plan) {
	if len(w.merged.t) > 0 {
		b.addMerged(first, &w.merged)
	}
	w.merged.reset()
	if len(w.acc.t) > 0 {
		b.addGroup(first, &w.acc)
	}
	w.acc.reset(p.q.GroupFunction)
}

// add appends the points of a target to the batch as a series.
func (w *worker) add(b *batch, p *plan, target int) {
	from := len(b.times)
	switch p.q.Function {
	case tsdb.All:
		t, sums := w.full.All()
		b.times, b.sums = append(b.times, t...), append(b.sums, sums...)
	case tsdb.Distributions:
		b.addKnown(w.dist.All())
	default:
		t, v := w.pts.Series(p.q.Function)
		b.times, b.values = append(b.times, t...), append(b.values, v...)
	}
	if len(b.times) > from {
		b.target, b.end = append(b.target, target), append(b.end, len(b.times))
	}
}

// addGroup appends what the targets of one group gave, the first of which is
// given.
func (b *batch) addGroup(target int, a *accumulator) {
	b.times, b.values, b.counts = append(b.times, a.t...), append(b.values, a.v...), append(b.counts, a.n...)
	b.target, b.end = append(b.target, target), append(b.end, len(b.times))
}
