package usage

import (
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestLimitDays: what organizations have is counted once an hour, what flows
// once a minute; the most of a day is kept, for 30 of them.
func TestLimitDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Limits = tidemark.NewLimits(nil)
	days := &limitDays{Tracker: w.Tracker, flowsAt: w.Now()}
	pass := func(d time.Duration) {
		t.Helper()
		w.now += int64(d.Seconds())
		w.check(days.save(t.Context()))
	}
	want := func(name tidemark.LimitName, uses ...int64) {
		t.Helper()
		all, err := w.Store.LimitDays(t.Context(), w.org, 0)
		w.check(err)
		var got []int64
		for _, d := range all[name] {
			got = append(got, d.Use)
		}
		if len(got) != len(uses) {
			t.Fatalf("%s: %v, want %v", name, got, uses)
		}
		for i := range got {
			if got[i] != uses[i] {
				t.Errorf("%s: %v, want %v", name, got, uses)
			}
		}
	}
	write := func(streams int) {
		var b tsdb.Batch
		for i := range streams {
			b.Add("cpu", tidemark.Tags{{Name: "host", Value: string(rune('a' + i))}}, noon, 1)
		}
		w.check(w.eng.Write(t.Context(), w.org, &b))
	}
	write(2)
	pass(10 * time.Second)
	want(tidemark.LimitStreams, 2)
	want(tidemark.LimitTokens, 1)
	want(tidemark.LimitRate)
	write(5)
	w.Limits.Granted(w.org, tidemark.LimitRate, 6000)
	pass(50 * time.Second)
	want(tidemark.LimitRate, 100)
	want(tidemark.LimitStreams, 2) // counted again in an hour
	w.Limits.Granted(w.org, tidemark.LimitRate, 60)
	pass(time.Hour)
	want(tidemark.LimitRate, 100)
	want(tidemark.LimitStreams, 5)
	w.Limits.Granted(w.org, tidemark.LimitRate, 60*24*3600)
	pass(24 * time.Hour)
	want(tidemark.LimitRate, 100, 60)
	want(tidemark.LimitStreams, 5, 5)
	pass(29 * 24 * time.Hour)
	want(tidemark.LimitRate, 60)
	want(tidemark.LimitStreams, 5, 5)
}
