package promql

import (
	"time"

	"github.com/prometheus/prometheus/storage"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// window is what one selector needs of time. Times are milliseconds.
type window struct {
	start, end int64 // of samples, both inclusive; start is without look-back
	span       int64 // of a range selector; 0 for an instant one
	// step is that of the times at which the selector is evaluated: start,
	// start + step and so on, the last one at or before end. It is 0 where
	// those are not known.
	step  int64
	marks bool // whether the end of samples is to be marked
	list  bool // whether the streams alone are wanted
}

// window returns what hints say. The start of an instant selector is so long
// before the first time it is evaluated at as Prometheus' engine looks back.
func (q *queryable) window(h *storage.SelectHints, grid bool) window {
	w := window{start: h.Start, end: h.End, span: h.Range, list: h.Func == "series"}
	if h.Range == 0 && q.lookBack == 0 && !w.list {
		w.marks = true
		w.start += reach.Milliseconds() - 1
	}
	if grid {
		w.step = max(h.Step, 1)
	}
	return w
}

// first returns the earliest time of evaluation; with a step only.
func (w *window) first(lookBack int64) int64 {
	switch {
	case w.marks:
		return w.start
	case w.span > 0:
		return w.start + w.span - 1
	}
	return w.start + lookBack - 1
}

// single reports whether the selector is evaluated at one time only.
func (w *window) single(lookBack int64) bool {
	return w.step > 0 && w.first(lookBack)+w.step > w.end
}

// segment is a part of a window, in seconds, that is read in steps.
type segment struct {
	start, end, step int64
}

// segments cuts what lies between two seconds, end exclusive, by what is kept
// of it: records as they are, and further back, where those are gone,
// summaries. A summary counts at its start, so the last one is read whole.
func (e *Engine) segments(start, end int64) []segment {
	start, end = clampSecond(start), min(end, tsdb.MaxTime+1)
	now := e.o.Now().Unix()
	tiers := e.o.Storage.Tiers()
	var list []segment
	for i, t := range tiers {
		from := start
		if gone := now - t.Retention; gone > 0 && i+1 < len(tiers) {
			w := tiers[i+1].Window
			from = max(start, ceilTo(gone, w)+w) // one to spare: the clock moves on meanwhile
		}
		if from < end {
			list = append([]segment{{from, ceilTo(end, t.Window), t.Window}}, list...)
			end = from
		}
	}
	return list
}

func ceilTo(t, n int64) int64 { return (t + n - 1) / n * n }

// ceilSecond returns the first whole second at or after ms.
func ceilSecond(ms int64) int64 { return -floorSecond(-ms) }

// floorSecond returns the last whole second at or before ms.
func floorSecond(ms int64) int64 {
	s := ms / 1000
	if ms%1000 < 0 {
		s--
	}
	return s
}

func clampSecond(s int64) int64 { return max(0, min(s, tsdb.MaxTime+1)) }

// lasts returns how many milliseconds a sample lasts that stands for window
// seconds, of a stream with records a period apart, or 0 if that is not known.
func (e *Engine) lasts(period, window int64) int64 {
	twice := time.Duration(2*max(period, window)) * time.Second
	return max(e.o.LookBack, twice).Milliseconds()
}
