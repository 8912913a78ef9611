package migrate

import (
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	hour = 3600
	day  = 86400
)

// window is a stretch of time that is copied as one.
type window struct {
	start, end int64
	step       int64 // of the summaries that are copied; 1 is the records themselves
	// settled says that the source no longer has summaries this fine: what was
	// copied earlier stays, and is compared by the hour.
	settled bool
}

// lengths are how long windows are, so that each is of one partition in
// ClickHouse.
var lengths = map[int64]int64{1: day, 60: 7 * day, hour: 30 * day}

// RawFrom is from when records are copied as they are: both places keep them
// from there on.
func RawFrom(from, to []tsdb.Tier, now int64) int64 { return keptFrom(common(from, to)[0], now) }

// common returns the resolutions that both places keep, finest first, each for
// as long as both do.
func common(from, to []tsdb.Tier) []tsdb.Tier {
	var all []tsdb.Tier
	for _, a := range from {
		i := slices.IndexFunc(to, func(b tsdb.Tier) bool { return b.Window == a.Window })
		if i >= 0 {
			all = append(all, tsdb.Tier{Window: a.Window, Retention: min(a.Retention, to[i].Retention)})
		}
	}
	return all
}

// keptFrom is the first day of which a resolution has all.
func keptFrom(t tsdb.Tier, now int64) int64 {
	return max(0, (now-t.Retention+day-1)/day*day)
}

// windows returns what is copied, the oldest first. Where resolutions meet was
// decided when the migration began, so that nothing is copied in two of them.
func (p *pass) windows() []window {
	return plan(p.Source.Tiers(), p.Target.Tiers(), p.move.StartedAt, p.Now)
}

func plan(from, to []tsdb.Tier, started, now int64) []window {
	tiers := common(from, to)
	var all []window
	end := now/day*day + 2*day // nothing is recorded further ahead
	for i, t := range tiers {
		begin, kept := keptFrom(t, started), keptFrom(t, now)
		if i == len(tiers)-1 {
			begin = max(begin, kept) // what has expired altogether
		}
		kept = min(max(kept, begin), end)
		all = append(all, cut(window{start: kept, end: end, step: t.Window})...)
		all = append(all, cut(window{start: begin, end: kept, step: t.Window, settled: true})...)
		end = min(begin, end)
	}
	slices.SortFunc(all, func(a, b window) int { return int(a.start - b.start) })
	return all
}

// cut makes windows of the usual length.
func cut(w window) []window {
	length := lengths[w.step]
	if length == 0 {
		length = 30 * day
	}
	var parts []window
	for at := w.start; at < w.end; {
		part := w
		part.start, part.end = at, min(w.end, at/length*length+length)
		parts = append(parts, part)
		at = part.end
	}
	return parts
}

// readStep is the step by which a window is read from either place.
func (w *window) readStep() int64 {
	if w.settled {
		return max(w.step, hour)
	}
	return w.step
}

// rowsAtOnce is about how many records one question gives: ClickHouse sorts
// them in memory.
const rowsAtOnce = 4_000_000

// slices cuts a window so that each part has a bounded number of records, if
// there is one of each stream every ten seconds.
func (w *window) slices(streams int64) []window {
	step := w.readStep()
	length := max(1, rowsAtOnce/max(1, streams)*max(step, 10)/step) * step
	if length >= w.end-w.start {
		return []window{*w}
	}
	var parts []window
	for at := w.start; at < w.end; at += length {
		part := *w
		part.start, part.end = at, min(w.end, at+length)
		parts = append(parts, part)
	}
	return parts
}
