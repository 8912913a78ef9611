package tsdbtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func useQuestions() []question {
	return []question{
		{name: "use/series are valid until the next", ask: useValidity},
		{name: "use/leave a sequence early", ask: useBreak, alone: true},
		{name: "use/write while reading", ask: useWriteInside, alone: true},
		{name: "use/cancelled", ask: useCancelled, alone: true},
		{name: "use/cancelled while reading", ask: useCancelledInside, alone: true},
		{name: "use/closed", ask: useClosed, alone: true},
		{name: "use/readers beside writers", ask: useConcurrent, alone: true},
		{name: "use/folds beside folds", ask: useConcurrentFolds, alone: true},
		{name: "use/everything at once", ask: useEverything, alone: true},
	}
}

func (x *exam) writeMany(t *testing.T, streams int) {
	t.Helper()
	var b tsdb.Batch
	for i := range streams {
		b.AddKey(key(fmt.Sprintf("cpu host=%05d", i)), x.base+int64(i%100), tsdb.Single(float64(i)))
	}
	if err := x.Write(t.Context(), us, &b); err != nil {
		t.Fatal(err)
	}
}

func useValidity(t *testing.T, x *exam) {
	x.writeMany(t, 1000)
	for i, s := range x.collect(t, us, x.query(raw("cpu"))) {
		if want := fmt.Sprintf("cpu host=%05d: %d=%s", i, i%100, number(float64(i))); x.describe(s) != want {
			t.Fatalf("copy %d is %q, want %q", i, x.describe(s), want)
		}
	}
}

func useBreak(t *testing.T, x *exam) {
	x.writeMany(t, 500)
	for n := range 20 {
		seen := 0
		for _, err := range x.Select(t.Context(), us, x.query(raw("cpu"))) {
			if err != nil {
				t.Fatal(err)
			}
			if seen++; seen > n {
				break
			}
		}
		for range x.Streams(t.Context(), us, "*", tsdb.Filter{}) {
			break
		}
	}
	// Nothing is held: a write, a delete and the end go through.
	x.write(t, v("mem", 0, 1))
	x.forget(t, "cpu")
	x.check(t, raw("*"), "mem: 0=1")
	if err := x.Close(); err != nil {
		t.Errorf("Close after broken loops: %v", err)
	}
}

func useWriteInside(t *testing.T, x *exam) {
	x.writeMany(t, 300)
	n := 0
	for s, err := range x.Select(t.Context(), us, x.query(raw("cpu"))) {
		if err != nil {
			t.Fatal(err)
		}
		x.write(t, v(fmt.Sprintf("copy n=%03d", n), 0, s.Summaries[0].Sum))
		x.check(t, raw(fmt.Sprintf("copy%d", n))) // a question within a question
		n++
	}
	for range x.Streams(t.Context(), us, "cpu", tsdb.Filter{}) {
		x.write(t, v("streams", 0, 1))
	}
	if got := len(x.collect(t, us, x.query(raw("copy")))); n != 300 || got != 300 {
		t.Errorf("saw %d and copied %d series, want 300", n, got)
	}
	for _, err := range x.Select(t.Context(), us, x.query(raw("cpu"))) {
		if err != nil {
			t.Fatal(err)
		}
		x.forget(t, "cpu")
		break
	}
	x.check(t, raw("cpu"))
}

func useCancelled(t *testing.T, x *exam) {
	x.write(t, v("cpu", 0, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	check := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %v", what, err, context.Canceled)
		}
	}
	check("Write", x.Write(ctx, us, x.batch(v("cpu", 1, 1))))
	for s, err := range x.Select(ctx, us, x.query(raw("cpu"))) {
		if s != nil {
			t.Error("Select: got a series")
		}
		check("Select", err)
	}
	for s, err := range x.Streams(ctx, us, "*", tsdb.Filter{}) {
		if s != nil {
			t.Error("Streams: got a stream")
		}
		check("Streams", err)
	}
	x.check(t, raw("cpu"), "cpu: 0=1")
}

func useCancelledInside(t *testing.T, x *exam) {
	const streams = 20_000
	x.writeMany(t, streams)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n, last := 0, error(nil)
	for _, err := range x.Select(ctx, us, x.query(raw("cpu"))) {
		n, last = n+1, err
		cancel()
	}
	if !errors.Is(last, context.Canceled) || n > streams/2 {
		t.Errorf("sequence of %d ended with %v, want %v well before %d", n, last, context.Canceled, streams)
	}
}

func useClosed(t *testing.T, x *exam) {
	x.write(t, v("cpu", 0, 1))
	if err := x.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	ctx := t.Context()
	wantKind(t, "Write", x.Write(ctx, us, x.batch(v("cpu", 0, 1))), tidemark.Unavailable)
	wantKind(t, "SetMode", x.SetMode(ctx, us, "cpu", tsdb.Mode{}), tidemark.Unavailable)
	wantKind(t, "Delete", x.Delete(ctx, us, "cpu"), tidemark.Unavailable)
	_, err := x.TagNames(ctx, us, "cpu")
	wantKind(t, "TagNames", err, tidemark.Unavailable)
	_, err = x.TagValues(ctx, us, "cpu", "host")
	wantKind(t, "TagValues", err, tidemark.Unavailable)
	_, err = x.Stats(ctx)
	wantKind(t, "Stats", err, tidemark.Unavailable)
	n := 0
	for _, err := range x.Select(ctx, us, x.query(raw("cpu"))) {
		wantKind(t, "Select", err, tidemark.Unavailable)
		n++
	}
	for _, err := range x.Streams(ctx, us, "*", tsdb.Filter{}) {
		wantKind(t, "Streams", err, tidemark.Unavailable)
		n++
	}
	if n != 2 {
		t.Errorf("Select and Streams yielded %d errors, want one each", n)
	}
	if err := x.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

const (
	rounds  = 60 // batches of each writer
	perSide = 4  // records of each stream in a batch
)

// useConcurrent has each writer append a gapless run of records to streams of
// its own. Readers must see an unbroken prefix of it, at least as long as
// what was acknowledged before they asked, whatever the engine does meanwhile.
func useConcurrent(t *testing.T, x *exam) {
	const writers, streams = 4, 5
	var acked [writers]atomic.Int64
	var wg, readers sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		wg.Go(func() { x.appendRun(t, w, streams, &acked[w]) })
	}
	for r := range 2 {
		readers.Go(func() {
			for i := r; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				w := i % writers
				x.checkPrefix(t, w, streams, acked[w].Load())
			}
		})
	}
	wg.Wait()
	close(done)
	readers.Wait()
	for w := range writers {
		x.checkPrefix(t, w, streams, rounds*perSide)
	}
}

// appendRun writes records 0, 1, 2... to the streams of one writer; every
// fourth batch writes an old record again, which must change nothing.
func (x *exam) appendRun(t *testing.T, writer, streams int, acked *atomic.Int64) {
	for k := int64(0); k < rounds*perSide; k += perSide {
		b := x.batch()
		for j := k; j < k+perSide; j++ {
			for s := range streams {
				b.AddKey(key(fmt.Sprintf("run writer=%d s=%d", writer, s)), x.base+j*minute, tsdb.Single(float64(j)))
			}
		}
		if k%4 == 0 {
			b.AddKey(key(fmt.Sprintf("run writer=%d s=0", writer)), x.base+k/2*minute, tsdb.Single(float64(k/2)))
		}
		if err := x.Write(t.Context(), us, b); err != nil {
			t.Errorf("Write: %v", err)
			return
		}
		acked.Store(k + perSide)
	}
}

// checkPrefix checks all streams of a writer, raw and by the minute.
func (x *exam) checkPrefix(t *testing.T, writer, streams int, acked int64) {
	for _, step := range []int64{1, minute} {
		q := tsdb.Query{Metric: "run", Filter: tsdb.TagIs("writer", fmt.Sprint(writer)), End: day, Step: step, Function: tsdb.Sum}
		n := 0
		for s, err := range x.Select(t.Context(), us, x.query(q)) {
			if err != nil {
				t.Errorf("Select: %v", err)
				return
			}
			n++
			if int64(len(s.Times)) < acked {
				t.Errorf("%s: saw %d records, %d were acknowledged", s.Tags, len(s.Times), acked)
			}
			for i, at := range s.Times {
				if at != x.base+int64(i)*minute || s.Values[i] != float64(i) {
					t.Errorf("%s: point %d is at %d with %v", s.Tags, i, at-x.base, s.Values[i])
					return
				}
			}
		}
		if acked > 0 && n != streams {
			t.Errorf("saw %d streams, want %d", n, streams)
		}
	}
}

// useConcurrentFolds adds ones into the same period from all sides.
func useConcurrentFolds(t *testing.T, x *exam) {
	x.fold(t, "hits", 60)
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := x.Write(t.Context(), us, x.batch(v("hits", int64(w*7), 1), v("hits", int64(60+i), 2), v("own w="+fmt.Sprint(w), int64(i), 1))); err != nil {
					t.Errorf("Write: %v", err)
				}
			}
		})
	}
	wg.Wait()
	x.check(t, tsdb.Query{Metric: "hits", End: 180, Step: 1, Function: tsdb.Sum}, "hits: 0=400 60=800")
	x.check(t, tsdb.Query{Metric: "own", End: 180, Step: 180, Function: tsdb.Count, Group: true, GroupFunction: tsdb.GroupSum}, fmt.Sprintf("own: 0=%d", writers*each))
}

// useEverything calls every method from several goroutines; the race detector
// and the final state judge.
func useEverything(t *testing.T, x *exam) {
	var wg sync.WaitGroup
	fail := func(what string, err error) {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for g := range 4 {
		wg.Go(func() {
			metric := fmt.Sprintf("m%d", g%2)
			for i := range 40 {
				fail("Write", x.Write(t.Context(), us, x.batch(v(fmt.Sprintf("%s g=%d i=%d", metric, g, i), int64(i), 1), v("keep g="+fmt.Sprint(g), int64(i), 1))))
				fail("SetMode", x.SetMode(t.Context(), us, metric, tsdb.Mode{Fold: i%2 == 0, Period: 10}))
				for _, err := range x.Select(t.Context(), us, x.query(tsdb.Query{Metric: "m*", End: 100, Step: 10, Group: true, GroupBy: []string{"g"}})) {
					fail("Select", err)
				}
				for _, err := range x.Streams(t.Context(), us, "*", tsdb.TagIs("g", "1")) {
					fail("Streams", err)
				}
				_, err := x.TagNames(t.Context(), us, metric)
				fail("TagNames", err)
				_, err = x.TagValues(t.Context(), us, metric, "i")
				fail("TagValues", err)
				_, err = x.Stats(t.Context())
				fail("Stats", err)
				if i%10 == 9 {
					fail("Delete", x.Delete(t.Context(), us, metric))
				}
			}
		})
	}
	wg.Wait()
	x.forget(t, "m0")
	x.forget(t, "m1")
	var want []string
	for g := range 4 {
		want = append(want, fmt.Sprintf("keep g=%d: 0=40", g))
	}
	x.check(t, tsdb.Query{Metric: "*", End: 3600, Step: 3600, Function: tsdb.Count}, want...)
	if diff := cmp.Diff("keep g=0@39 keep g=1@39 keep g=2@39 keep g=3@39", strings.Join(x.streams(t, us, "*", tsdb.Filter{}), " ")); diff != "" {
		t.Errorf("streams (-want +got):\n%s", diff)
	}
}
