package ingest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestKnownMetrics: the control store is asked once for what is not known, and
// again for what was changed, deleted or may have been changed elsewhere.
func TestKnownMetrics(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	for _, name := range []string{"Cpu", "mem"} {
		b.metrics.stored[tidemark.MetricKey(name)] = &tidemark.Metric{Name: name, Type: tidemark.Gauge}
	}
	find := func(asked int, names ...string) map[string]*tidemark.Metric {
		t.Helper()
		b.metrics.asked = 0
		found, err := b.MetricsByName(t.Context(), us, names)
		if err != nil || b.metrics.asked != asked {
			t.Errorf("%q: asked for %d, want %d: %v", names, b.metrics.asked, asked, err)
		}
		return found
	}
	if found := find(1, "CPU"); len(found) != 1 || found["cpu"].Name != "Cpu" {
		t.Errorf("found %v", found)
	}
	if found := find(2, "cpu", "Mem", "disk"); len(found) != 2 {
		t.Errorf("found %v", found)
	}
	find(0, "cpu", "mem")
	find(1, "disk") // what does not exist may exist later
	if err := b.MetricChanged(t.Context(), us, b.metrics.stored["mem"]); err != nil {
		t.Fatal(err)
	}
	find(1, "cpu", "mem")
	b.Invalidate()
	find(2, "cpu", "mem")
	if m, err := b.Metric(t.Context(), us, "MEM"); err != nil || m.Name != "mem" {
		t.Errorf("got %v, %v", m, err)
	}
	if _, err := b.Metric(t.Context(), us, "disk"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("got %v", err)
	}
}

// TestModeFollowsMetric: a metric that is changed to fold, or not to, is kept
// so from then on; a composite has no mode.
func TestModeFollowsMetric(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	period := int64(60)
	m := &tidemark.Metric{Name: "Hits", Type: tidemark.Gauge, Period: &period, Attributes: map[string]any{}}
	b.metrics.stored["hits"] = m
	change := func(fold bool) {
		t.Helper()
		m.Attributes["aggregate"] = fold
		if err := b.MetricChanged(t.Context(), us, m); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, _, err := b.record(t, `{"measurements":[{"name":"hits","value":2}]}`); err != nil {
				t.Fatal(err)
			}
		}
	}
	change(true)
	diff(t, "folds", b.contents(t), []string{"hits{} 0 {Count:2 Sum:4 Min:2 Max:2 Last:2 M2:0}"})
	change(false)
	diff(t, "replaces", b.contents(t), []string{"hits{} 0 {Count:1 Sum:2 Min:2 Max:2 Last:2 M2:0}"})
	if err := b.MetricChanged(t.Context(), us, &tidemark.Metric{Name: "sum", Type: tidemark.Composite, Period: &period, Attributes: map[string]any{"aggregate": true}}); err != nil {
		t.Error(err)
	}
	if err := b.engine.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.MetricChanged(t.Context(), us, m); err == nil || tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("a closed engine: %v", err)
	}
}

// TestForgetAll: all metrics of an organization and their data go, however their
// names are written, and those of another stay.
func TestForgetAll(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	for _, org := range []tidemark.OrgID{us, us + 1} {
		if _, _, err := b.Record(t.Context(), org, []byte(`{"measurements":[{"name":"A","value":1},{"name":"b","value":1}]}`), ""); err != nil {
			t.Fatal(err)
		}
	}
	has := func(org tidemark.OrgID, want bool) {
		t.Helper()
		if got, err := b.HasData(t.Context(), org, "A"); err != nil || got != want {
			t.Errorf("organization %d has data: %v, %v, want %v", org, got, err, want)
		}
	}
	has(us, true)
	if err := b.ForgetAll(t.Context(), us, tidemark.ServerActor()); err != nil {
		t.Fatal(err)
	}
	has(us, false)
	has(us+1, true)
	if err := b.ForgetAll(t.Context(), us, tidemark.ServerActor()); err != nil {
		t.Errorf("nothing is left to forget: %v", err)
	}
	if err := b.Forget(t.Context(), us, tidemark.ServerActor(), "*"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("a glob is no name: %v", err)
	}
	if err := b.engine.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.HasData(t.Context(), us, "a"); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("a closed engine: %v", err)
	}
}

// TestPaused: nothing is recorded for the organization while f runs, and its
// error is handed on.
func TestPaused(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	var wg sync.WaitGroup
	done := errors.New("done")
	err := b.Paused(us, func() error {
		for range 4 {
			wg.Go(func() {
				if _, _, err := b.record(t, `{"measurements":[{"name":"a","value":1}]}`); err != nil {
					t.Error(err)
				}
			})
		}
		if _, _, err := b.Record(t.Context(), us+1, []byte(`{"measurements":[{"name":"a","value":1}]}`), ""); err != nil {
			t.Error("others go on:", err)
		}
		for range 100 {
			if has, err := b.HasData(t.Context(), us, "a"); err != nil || has {
				t.Error("something is recorded", err)
			}
		}
		return done
	})
	wg.Wait()
	if !errors.Is(err, done) {
		t.Errorf("got %v", err)
	}
	if has, err := b.HasData(t.Context(), us, "a"); err != nil || !has {
		t.Errorf("nothing was recorded after it: %v", err)
	}
}

// TestRate: a minute's worth may come at once, but a whole request always;
// what is refused uses nothing up, and another limit counts at once.
func TestRate(t *testing.T) {
	t.Parallel()
	now := time.Unix(testNow, 0)
	for _, tt := range []struct {
		limit int64
		room  int // at once
	}{{1, tidemark.MaxBatch}, {1000, 60_000}} {
		o := &orgRate{}
		if wait := o.take(tt.limit, tt.limit, tt.room, now); wait != 0 {
			t.Errorf("%d a second: %d at once wait %s", tt.limit, tt.room, wait)
		}
		for range 3 {
			if wait := o.take(tt.limit, tt.limit, 1, now); wait != time.Second/time.Duration(tt.limit) {
				t.Errorf("%d a second: the next waits %s", tt.limit, wait)
			}
		}
		if wait := o.take(tt.limit, tt.limit, 1, now.Add(time.Second)); wait != 0 {
			t.Errorf("%d a second: it waits %s after a second", tt.limit, wait)
		}
		if wait := o.take(tt.limit, (tt.limit+1)/2, tidemark.MaxBatch, now.Add(time.Second)); wait == 0 {
			t.Error("a new share gives back what was used up")
		}
		if wait := o.take(2*tt.limit, 2*tt.limit, tt.room, now.Add(time.Second)); wait != 0 {
			t.Errorf("a new limit: it waits %s", wait)
		}
	}
}

// TestLimitErrors: a refusal by a limit says which, to whom, and when to try
// again.
func TestLimitErrors(t *testing.T) {
	t.Parallel()
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitStreams: 1})
	if _, _, err := b.record(t, `{"measurements":[{"name":"a","value":1}]}`); err != nil {
		t.Fatal(err)
	}
	_, _, err := b.record(t, `{"measurements":[{"name":"b","value":1}]}`)
	limit, ok := errors.AsType[*LimitError](err)
	if !ok || limit.RetryAfter != time.Minute || limit.Error() != limit.Err.Error() || tidemark.KindOf(limit) != tidemark.TooMany {
		t.Fatalf("got %v", err)
	}
	err = b.RecordLegacy(t.Context(), us, legacyTree(t, `{"gauges":{"a":{"value":1,"source":"x"}}}`), "")
	if again, ok := errors.AsType[*LimitError](err); !ok || again.Error() != limit.Error() {
		t.Errorf("the old route: %v", err)
	}
}

// TestForgottenMeanwhile: a metric that was known, and is not any longer when
// others of the request were created, is asked for again.
func TestForgottenMeanwhile(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	if s, _, err := b.Record(t.Context(), us, []byte(`{"measurements":[{"name":"a","value":1}]}`), "test"); err != nil || s.Accepted != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	b.metrics.during = b.Invalidate
	if s, _, err := b.Record(t.Context(), us, []byte(`{"measurements":[{"name":"a","value":2},{"name":"b","value":1}]}`), "test"); err != nil || s.Accepted != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	diff(t, "metrics", []int{len(b.metrics.stored), b.metrics.asked}, []int{2, 3})
}

// TestNoRoomForMetrics: where there is no room for a new metric, those that are
// there go on, also when nothing is known of them yet.
func TestNoRoomForMetrics(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	b.metrics.stored["a"], b.metrics.full = &tidemark.Metric{Name: "A", Type: tidemark.Gauge}, true
	for range 2 {
		s, problems, err := b.Record(t.Context(), us, []byte(`{"measurements":[{"name":"b","value":1},{"name":"a","value":2}]}`), "test")
		if err != nil || s != (Summary{Total: 2, Accepted: 1, Failed: 1}) || len(problems) != 1 || problems[0].Index != 0 {
			t.Errorf("%+v, %+v, %v", s, problems, err)
		}
	}
}
