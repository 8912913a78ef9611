package clickhouse

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// window is which rows a question reads: times from start until end, of
// records and, where whole hours will do, of the hours.
type window struct {
	start, end int64 // both within what the tables can hold
	// hourStart and hourEnd are hours that are read from the table of hours,
	// except for those in dirty, of which records are newer.
	hourStart, hourEnd int64
	dirty              []int64 // starts of hours
	// before rawFrom there are no records but those that came late, which the
	// hours do not have yet if they are of a commit after seen.
	rawFrom int64
	seen    int64
}

// keptFrom returns from when records and hours are kept.
func (e *Engine) keptFrom() (raw, hours int64) {
	now := e.o.Now().Unix()
	e.mu.RLock()
	rawFrom := e.marks.rawFrom
	e.mu.RUnlock()
	tiers := e.Tiers()
	return max(rawFrom, now-tiers[0].Retention, 0), max(0, now-tiers[1].Retention)
}

// window decides what q reads, as if no hour was dirty.
func (e *Engine) window(q *tsdb.Query) window {
	rawFrom, hourFrom := e.keptFrom()
	e.mu.RLock()
	marks := e.marks
	e.mu.RUnlock()
	w := window{start: max(q.Start, 0), end: min(q.End, tsdb.MaxTime+1), rawFrom: marks.rawFrom, seen: marks.hours}
	if q.Step%hour != 0 || marks.until == 0 {
		w.start = max(w.start, rawFrom)
		return w
	}
	w.start = max(w.start, floor(hourFrom, hour))
	w.hourStart, w.hourEnd = ceil(w.start, hour), min(floor(w.end, hour), marks.until)
	if q.NeedsSketches() { // single values have a distribution in records only
		w.hourEnd = min(w.hourEnd, marks.rawFrom)
	}
	if w.hourStart >= w.hourEnd {
		w.start, w.hourStart, w.hourEnd = max(w.start, rawFrom), 0, 0
	}
	return w
}

// findDirty finds the hours that have records which the table of hours does
// not have yet.
func (e *Engine) findDirty(ctx context.Context, org tidemark.OrgID, w *window, ids *idTable) (dirty []int64, err error) {
	from := max(w.hourStart, w.rawFrom)
	if from >= w.hourEnd { // no records are kept of them
		return nil, nil
	}
	sql := fmt.Sprintf("SELECT DISTINCT toUInt32(intDiv(t, 3600) * 3600) AS x FROM records WHERE %s AND t >= %d AND t < %d AND seq >= %d",
		e.where(org, ids), from, w.hourEnd, uint64(w.seen+1)<<seqBits)
	var x proto.ColUInt32
	err = e.client.each(ctx, ids.statement(sql), proto.Results{column("x", &x)}, func(rows int) error {
		for i := range rows {
			dirty = append(dirty, int64(x.Row(i)))
		}
		return nil
	})
	slices.Sort(dirty)
	return dirty, err
}

// records is the condition on the rows of that table; "" if none are read, as
// where whole hours are asked for and all are made: to look for rows that cannot
// be there takes as long as to read the hours.
func (w *window) records() string {
	times := fmt.Sprintf("t >= %d AND t < %d", max(w.start, w.rawFrom), w.end)
	if w.hourStart == w.hourEnd {
		return times
	}
	var parts []string
	if outside := w.outside(); len(outside) > 0 {
		parts = append(parts, "("+times+" AND ("+strings.Join(outside, " OR ")+"))")
	}
	// What came too late for its hour to be made again counts beside it.
	if late := min(w.hourEnd, w.rawFrom); w.hourStart < late {
		parts = append(parts, fmt.Sprintf("(t >= %d AND t < %d AND seq >= %d)", w.hourStart, late, uint64(w.seen+1)<<seqBits))
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// outside are the times of records, as far as they are kept, that are not read
// from the hours.
func (w *window) outside() (parts []string) {
	if max(w.start, w.rawFrom) < w.hourStart {
		parts = append(parts, fmt.Sprintf("t < %d", w.hourStart))
	}
	if w.hourEnd < w.end {
		parts = append(parts, fmt.Sprintf("t >= %d", w.hourEnd))
	}
	if len(w.dirty) > 0 {
		parts = append(parts, "intDiv(t, 3600) * 3600 IN ("+numbers(w.dirty)+")")
	}
	return parts
}

// hours is the condition on the rows of that table; "" if none are read.
func (w *window) hours() string {
	if w.hourStart == w.hourEnd {
		return ""
	}
	sql := fmt.Sprintf("t >= %d AND t < %d AND slot < %d", w.hourStart, w.hourEnd, uint64(w.seen+1)<<seqBits)
	if len(w.dirty) > 0 {
		sql += " AND t NOT IN (" + numbers(w.dirty) + ")"
	}
	return sql
}

func numbers(all []int64) string {
	parts := make([]string, len(all))
	for i, n := range all {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(parts, ", ")
}

// floor returns the multiple of n at or before t, which is not negative.
func floor(t, n int64) int64 { return t - t%n }

// ceil returns the multiple of n at or after t, which is not negative.
func ceil(t, n int64) int64 {
	if t > math.MaxInt64-n {
		return floor(t, n)
	}
	return floor(t+n-1, n)
}
