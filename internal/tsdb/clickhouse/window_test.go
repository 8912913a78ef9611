package clickhouse

import (
	"math"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestWindow: hours are read where a question asks for whole hours that are
// made, records everywhere else, and neither from before they are kept.
func TestWindow(t *testing.T) {
	t.Parallel()
	const now = 1000 * day
	for name, tt := range map[string]struct {
		q    tsdb.Query
		m    marks
		want window
	}{
		"minutes": {tsdb.Query{Start: now - day, End: now, Step: 60}, marks{until: now, rawFrom: now - 8*day, hours: 7},
			window{start: now - day, end: now, rawFrom: now - 8*day, seen: 7}},
		"minutes before records are kept": {tsdb.Query{Start: 0, End: now, Step: 60}, marks{until: now}, window{start: now - 8*day, end: now}},
		"minutes after the mark":          {tsdb.Query{Start: 0, End: now, Step: 60}, marks{until: now, rawFrom: now - 3*day}, window{start: now - 3*day, end: now, rawFrom: now - 3*day}},
		"no hours yet":                    {tsdb.Query{Start: 0, End: now, Step: hour}, marks{}, window{start: now - 8*day, end: now}},
		"all hours but the last": {tsdb.Query{Start: now - 2*hour, End: now + 1, Step: hour}, marks{until: now - hour},
			window{start: now - 2*hour, end: now + 1, hourStart: now - 2*hour, hourEnd: now - hour}},
		"edges within hours": {tsdb.Query{Start: now - 3*hour + 1, End: now - 1, Step: day}, marks{until: now},
			window{start: now - 3*hour + 1, end: now - 1, hourStart: now - 2*hour, hourEnd: now - hour}},
		"less than an hour": {tsdb.Query{Start: now - hour + 1, End: now - 1, Step: hour}, marks{until: now, rawFrom: now - 8*day},
			window{start: now - hour + 1, end: now - 1, rawFrom: now - 8*day}},
		"before hours are kept": {tsdb.Query{Start: 0, End: now, Step: hour}, marks{until: now, rawFrom: now - 8*day},
			window{start: now - 900*day, end: now, hourStart: now - 900*day, hourEnd: now, rawFrom: now - 8*day}},
		"sketches have hours only where records are gone": {tsdb.Query{Start: now - 10*day, End: now, Step: hour, Function: tsdb.Percentile}, marks{until: now, rawFrom: now - 8*day},
			window{start: now - 10*day, end: now, hourStart: now - 10*day, hourEnd: now - 8*day, rawFrom: now - 8*day}},
		"until the end of time": {tsdb.Query{Start: math.MinInt64, End: math.MaxInt64, Step: 60}, marks{until: now}, window{start: now - 8*day, end: tsdb.MaxTime + 1}},
	} {
		e := &Engine{o: Options{RawRetention: 8 * day * time.Second, HourRetention: 900 * day * time.Second, Now: func() time.Time { return time.Unix(now, 0) }}, marks: tt.m}
		w := e.window(&tt.q)
		if w.start != tt.want.start || w.end != tt.want.end || w.hourStart != tt.want.hourStart || w.hourEnd != tt.want.hourEnd || w.rawFrom != tt.want.rawFrom || w.seen != tt.want.seen {
			t.Errorf("%s: got %+v, want %+v", name, w, tt.want)
		}
	}
}

// TestWindowSQL: no second is read twice, nor left out: what is in the hours,
// and not dirty, is not read from records.
func TestWindowSQL(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		w              window
		records, hours string
	}{
		"records alone":            {window{start: 60, end: 120}, "t >= 60 AND t < 120", ""},
		"records that may be gone": {window{start: 60, end: 120, rawFrom: 90}, "t >= 90 AND t < 120", ""},
		"hours": {window{start: 60, end: 8000, hourStart: 3600, hourEnd: 7200, seen: 1},
			"((t >= 60 AND t < 8000 AND (t < 3600 OR t >= 7200)))", "t >= 3600 AND t < 7200 AND slot < 2097152"},
		"hours alone": {window{start: 3600, end: 7200, hourStart: 3600, hourEnd: 7200, seen: 1, rawFrom: 3600}, "", "t >= 3600 AND t < 7200 AND slot < 2097152"},
		"hours whose records are gone": {window{start: 60, end: 7200, hourStart: 3600, hourEnd: 7200, seen: 1, rawFrom: 5000},
			"((t >= 3600 AND t < 5000 AND seq >= 2097152))", "t >= 3600 AND t < 7200 AND slot < 2097152"},
		"hours and what follows": {window{start: 3600, end: 7201, hourStart: 3600, hourEnd: 7200}, "((t >= 3600 AND t < 7201 AND (t >= 7200)))", "t >= 3600 AND t < 7200 AND slot < 1048576"},
		"dirty hours": {window{start: 0, end: 14400, hourStart: 0, hourEnd: 10800, dirty: []int64{0, 7200}, rawFrom: 3600},
			"((t >= 3600 AND t < 14400 AND (t >= 10800 OR intDiv(t, 3600) * 3600 IN (0, 7200))) OR (t >= 0 AND t < 3600 AND seq >= 1048576))",
			"t >= 0 AND t < 10800 AND slot < 1048576 AND t NOT IN (0, 7200)"},
	} {
		if got := tt.w.records(); got != tt.records {
			t.Errorf("%s: records where\n%s\nwant\n%s", name, got, tt.records)
		}
		if got := tt.w.hours(); got != tt.hours {
			t.Errorf("%s: hours where\n%s\nwant\n%s", name, got, tt.hours)
		}
	}
}

// TestCeil: rounding up neither moves a multiple nor overflows.
func TestCeil(t *testing.T) {
	t.Parallel()
	for t0, want := range map[int64]int64{0: 0, 1: 3600, 3599: 3600, 3600: 3600, 3601: 7200, math.MaxInt64: math.MaxInt64 / 3600 * 3600} {
		if got := ceil(t0, hour); got != want {
			t.Errorf("%d: got %d, want %d", t0, got, want)
		}
	}
}
