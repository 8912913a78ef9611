package statsd

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// Flush returns what came since the last flush, with now as its time, in
// milliseconds: a counter as the sum, a gauge as its last value, a timer as a
// distribution, a set as the number of its members. A series without samples
// is not there. The batch is valid until the next Flush.
func (a *Aggregator) Flush(now int64) *protocol.Batch {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.out.Reset()
	for _, r := range a.series {
		if r.touched {
			a.emit(r, now)
			r.idle = 0
		} else if r.idle++; r.idle > idleFlushes {
			r.gone = true
			delete(a.series, r.key)
			a.bytes -= len(r.key)
		}
	}
	for _, p := range a.direct {
		a.put(p)
	}
	slices.SortFunc(a.out.Points, func(x, y protocol.Point) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), x.Labels.Compare(y.Labels), cmp.Compare(x.Time, y.Time), cmp.Compare(y.Kind, x.Kind))
	})
	a.direct = a.direct[:0]
	a.out.Skipped = append(a.out.Skipped, a.scratch.Skipped...)
	a.scratch.Reset()
	a.line = 0
	return a.out
}

// emit adds the point of a series, and starts the series again.
func (a *Aggregator) emit(r *series, now int64) {
	p := protocol.Point{Name: r.name, Labels: r.labels, Time: now, Value: r.value}
	switch r.kind {
	case counter:
		p.Kind, r.value = protocol.Delta, 0
		a.put(p)
	case gauge:
		a.put(p)
	case set:
		p.Value = float64(len(r.set))
		a.members -= len(r.set)
		r.set = nil
		a.put(p)
	case timer:
		a.emitTimer(r, p)
	}
	r.touched = false
}

// emitTimer adds a distribution. The memory of a sketch is not kept: after a
// while every timer would have that of its widest moment.
func (a *Aggregator) emitTimer(r *series, p protocol.Point) {
	if r.dist.Sum-r.dist.Sum == 0 {
		if err := a.out.AddSketch(p, r.dist, &r.sketch); err != nil {
			a.scratch.Skip(protocol.TooManySeries, r.name)
		}
	} else {
		a.scratch.Skip(protocol.NotFinite, r.name)
	}
	a.members -= r.sketch.Len()
	r.dist, r.sketch = protocol.Dist{}, sketch.Sketch{}
}

// put adds a point. Sums of what is finite need not be.
func (a *Aggregator) put(p protocol.Point) {
	if p.Value-p.Value != 0 {
		a.scratch.Skip(protocol.NotFinite, p.Name)
		return
	}
	if err := a.out.Add(p); err != nil {
		a.scratch.Skip(protocol.TooManySeries, p.Name)
	}
}
