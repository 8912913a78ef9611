package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const tenant tidemark.OrgID = 7

const (
	every   = 10 // seconds between the records of a workload
	forget  = 37 // every so many steps a metric is deleted
	streams = 3
)

// workload is one writer whose state after m steps is known: what an engine
// holds after a crash tells how many of its steps were kept, and whether all
// of them were kept whole.
//
// A step writes one batch: a record to each stream of run; a 1 into fold,
// which folds by the minute; the number of the step over that of the step
// before, in latest; a record to gone; and now and then an old record once
// more. Some steps delete gone instead.
type workload struct {
	writer int
	base   int64
}

func (w *workload) name(metric string) string { return fmt.Sprintf("%s.%d", metric, w.writer) }

func isDelete(k int64) bool { return k%forget == forget-1 }

// prepare sets the mode that the workload counts on.
func (w *workload) prepare(ctx context.Context, e tsdb.Engine) error {
	return e.SetMode(ctx, tenant, w.name("fold"), tsdb.Mode{Fold: true, Period: minute})
}

// step does step k.
func (w *workload) step(ctx context.Context, e tsdb.Engine, k int64) error {
	if isDelete(k) {
		return e.Delete(ctx, tenant, w.name("gone"))
	}
	return e.Write(ctx, tenant, w.batch(k))
}

func (w *workload) batch(k int64) *tsdb.Batch {
	var b tsdb.Batch
	at, v := w.base+k*every, float64(k)
	for s := range streams {
		b.Add(w.name("run"), tidemark.Tags{{Name: "s", Value: fmt.Sprint(s)}}, at, v)
	}
	b.Add(w.name("fold"), nil, at, 1)
	b.Add(w.name("latest"), nil, w.base, v)
	b.Add(w.name("gone"), tidemark.Tags{{Name: "k", Value: fmt.Sprint(k % 5)}}, at, v)
	if old := k / 2; k%5 == 0 && !isDelete(old) {
		b.Add(w.name("run"), tidemark.Tags{{Name: "s", Value: "0"}}, w.base+old*every, float64(old))
	}
	return &b
}

// verify finds how many steps e holds: at least low and at most high. It
// returns an error if there is no such number, or something is missing,
// doubled or torn.
func (w *workload) verify(ctx context.Context, e tsdb.Engine, low, high int64) (int64, error) {
	n, err := w.count(ctx, e)
	if err != nil {
		return 0, err
	}
	problems := fmt.Errorf("it has the records of %d steps that write", n)
	// Steps that delete leave no record of their own, so several numbers can
	// fit the runs; the state of gone tells them apart.
	for m := high; m >= low; m-- {
		if writesIn(m) != n {
			continue
		}
		err := w.verifyAt(ctx, e, m)
		if err == nil {
			return m, nil
		}
		problems = errors.Join(problems, fmt.Errorf("not step %d: %w", m, err))
	}
	return 0, fmt.Errorf("writer %d: no state between step %d and %d: %w", w.writer, low, high, problems)
}

// writesIn returns how many of the first m steps write.
func writesIn(m int64) int64 { return m - m/forget }

// count returns how many records one stream of run has.
func (w *workload) count(ctx context.Context, e tsdb.Engine) (int64, error) {
	n := int64(0)
	for s, err := range e.Select(ctx, tenant, w.query("run", tsdb.TagIs("s", "1"), 1)) {
		if err != nil {
			return 0, err
		}
		n += int64(len(s.Times))
	}
	return n, nil
}

// verifyAt checks that e holds exactly the first m steps.
func (w *workload) verifyAt(ctx context.Context, e tsdb.Engine, m int64) error {
	run, gone, fold, newest := w.want(m)
	for s := range streams {
		filter := tsdb.TagIs("s", fmt.Sprint(s))
		for _, step := range []int64{1, minute, hour} {
			if err := w.compare(ctx, e, "run", filter, step, stepped(run, step)); err != nil {
				return err
			}
		}
	}
	if err := w.compare(ctx, e, "fold", tsdb.Filter{}, 1, fold); err != nil {
		return err
	}
	if err := w.compare(ctx, e, "fold", tsdb.Filter{}, hour, stepped(fold, hour)); err != nil {
		return err
	}
	if err := w.compare(ctx, e, "latest", tsdb.Filter{}, 1, newest); err != nil {
		return err
	}
	return w.compareGone(ctx, e, gone)
}

// want returns what the metrics hold after m steps, by time.
func (w *workload) want(m int64) (run, gone, fold, newest map[int64]tsdb.Summary) {
	run, fold, newest = make(map[int64]tsdb.Summary), make(map[int64]tsdb.Summary), make(map[int64]tsdb.Summary)
	gone = make(map[int64]tsdb.Summary)
	for k := range m {
		if isDelete(k) {
			clear(gone)
			continue
		}
		at, one := w.base+k*every, tsdb.Single(float64(k))
		run[at], gone[at], newest[w.base] = one, one, one
		f, single := fold[at/minute*minute], tsdb.Single(1)
		f.Merge(&single)
		fold[at/minute*minute] = f
	}
	return run, gone, fold, newest
}

// stepped summarizes records by steps.
func stepped(records map[int64]tsdb.Summary, step int64) map[int64]tsdb.Summary {
	steps := make(map[int64]tsdb.Summary, len(records))
	for at, s := range records {
		sum := steps[at/step*step]
		last := sum.Last
		sum.Merge(&s)
		sum.Last = math.Max(last, s.Last) // values rise, whatever the order here
		steps[at/step*step] = sum
	}
	return steps
}

// query asks for all that was written to one metric.
func (w *workload) query(metric string, filter tsdb.Filter, step int64) *tsdb.Query {
	return &tsdb.Query{Metric: w.name(metric), Filter: filter, Start: 0, End: tsdb.MaxTime, Step: step, Function: tsdb.All}
}

// compare checks the one series of a metric.
func (w *workload) compare(ctx context.Context, e tsdb.Engine, metric string, filter tsdb.Filter, step int64, want map[int64]tsdb.Summary) error {
	n := 0
	for s, err := range e.Select(ctx, tenant, w.query(metric, filter, step)) {
		if err != nil {
			return err
		}
		for i, at := range s.Times {
			n++
			expect, ok := want[at]
			if got := s.Summaries[i]; !ok || !same(&expect, &got) {
				return fmt.Errorf("%s %s by %d has %+v at %d, want %+v (%d records)", s.Metric, s.Tags, step, got, at, expect, len(want))
			}
		}
	}
	if n != len(want) {
		return fmt.Errorf("%s by %d has %d points, want %d", metric, step, n, len(want))
	}
	return nil
}

// compareGone checks the metric that is spread over streams and deleted.
func (w *workload) compareGone(ctx context.Context, e tsdb.Engine, want map[int64]tsdb.Summary) error {
	n := 0
	var found []string
	for s, err := range e.Select(ctx, tenant, w.query("gone", tsdb.Filter{}, 1)) {
		if err != nil {
			return err
		}
		found = append(found, fmt.Sprint(s.Tags, s.Times))
		for i, at := range s.Times {
			n++
			if expect, ok := want[at]; !ok || s.Summaries[i] != expect {
				return fmt.Errorf("%s %s has %+v at %d, want %+v", s.Metric, s.Tags, s.Summaries[i], at, expect)
			}
		}
	}
	if n != len(want) {
		return fmt.Errorf("gone has %d records, want %d; of streams %v it found %v", n, len(want), streamsOf(ctx, e, w.name("gone")), found)
	}
	return nil
}

// streamsOf lists the streams of a metric, for those who wonder which is missing.
func streamsOf(ctx context.Context, e tsdb.Engine, metric string) (list []string) {
	for s, err := range e.Streams(ctx, tenant, metric, tsdb.Filter{}) {
		if err != nil {
			return append(list, err.Error())
		}
		list = append(list, fmt.Sprint(s.Tags, s.LastSeen))
	}
	return list
}

// workOptions are settings with which a workload passes through everything
// an engine does within seconds.
func workOptions(dir string) embedded.Options {
	return embedded.Options{
		Dir: dir, Shards: 2, MemoryBytes: 32 << 20, CacheBytes: 8 << 20, GenerationRecords: 2000, GenerationAge: time.Minute,
		MinuteLag: day * time.Second, WriteWait: 10 * time.Second,
	}
}

// weekAgo is where workloads begin: all of it inside raw retention, most of
// it old enough for the tiers.
func weekAgo() int64 { return (time.Now().Unix() - 7*day) / day * day }
