package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const (
	readSteps = 20       // of the workload, after the faultSteps that are there
	ancient   = 20 * day // by how much records are older that come too late for raw ones
)

// readDrill is a drill on a directory with data, of which calls that read
// fail: while it is opened, queried, sealed, merged, summarized and folded.
type readDrill struct {
	*drill
	old     int64 // ancient records acknowledged
	damaged atomic.Int64
}

// dataToRead returns a drill that has left tables, summaries, records that are
// not folded yet, and a log.
func dataToRead(t *testing.T) *readDrill {
	d := &readDrill{drill: newDrill(t, newPlan(false))}
	for _, do := range []func() error{
		d.drill.open, d.drill.run, // which closes it
		d.open, d.writeOld, d.writeOld, func() error { return d.e.Seal(t.Context()) }, d.writeOld, func() error { return d.e.Close() },
	} {
		if err := do(); err != nil {
			t.Fatalf("without a fault: %v", err)
		}
	}
	return d
}

// with returns the drill that goes on where d ended, with faults.
func (d *readDrill) with(p *plan) *readDrill {
	mem := d.mem.crash(vfs.CrashCloneCfg{})
	return &readDrill{
		drill: &drill{t: d.t, mem: mem, fs: &faultyFS{FS: mem, plan: p}, work: d.work, done: d.done},
		old:   d.old,
	}
}

// survive opens the engine and works with it. A panic is a failure.
func (d *readDrill) survive() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if err := d.open(); err != nil {
		return err
	}
	if err := d.run(); err != nil {
		return err
	}
	return d.reopen(d.t.Context())
}

// options keep nothing that was read, and note what is called damaged.
func (d *readDrill) options() embedded.Options {
	o := faultOptions(d.fs)
	o.CacheBytes = 1
	o.Hooks.Damaged = func(string, error) { d.damaged.Add(1) }
	o.Hooks.WALTruncated = func(string, int64, int64) { d.damaged.Add(1) }
	return o
}

// open opens the engine, once more if the fault was in the way of the first.
func (d *readDrill) open() error {
	e, err := embedded.Open(d.t.Context(), d.options())
	if err != nil {
		if err := d.reported("open", err); err != nil {
			return err
		}
		d.fs.plan.clear()
		e, err = embedded.Open(d.t.Context(), d.options())
	}
	if err != nil {
		return fmt.Errorf("open after the fault: %w", err)
	}
	d.e = e
	return nil
}

// run writes, asks and maintains. All of it may fail and says why; what is
// answered is true. When the fault is over nothing is missing.
func (d *readDrill) run() error {
	ctx := d.t.Context()
	for i := range int64(readSteps) {
		err := d.reported("write", d.ack(d.work.step(ctx, d.e, d.done)))
		if i%5 == 0 {
			err = errors.Join(err, d.ask(ctx))
		}
		if i%10 == 4 {
			err = errors.Join(err, d.reported("write", d.writeOld()))
		}
		if i%10 == 9 {
			err = errors.Join(err, d.reported("seal", d.e.Seal(ctx)))
		}
		if i%15 == 14 {
			err = errors.Join(err, d.reported("maintain", d.e.Maintain(ctx)))
		}
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	if err := d.recover(ctx); err != nil {
		return err
	}
	return d.whole(ctx)
}

// ask has an answer that is true, or the reason why there is none.
func (d *readDrill) ask(ctx context.Context) error {
	err := d.verify(ctx, d.e)
	if err != nil && errors.As(err, new(*os.PathError)) && tidemark.KindOf(err) != tidemark.Unavailable {
		return fmt.Errorf("a query failed with kind %v, want Unavailable: %w", tidemark.KindOf(err), err)
	}
	return d.reported("query", err)
}

// reported passes on an error that is not that of the fault, with its file.
func (d *readDrill) reported(what string, err error) error {
	path, named := errors.AsType[*os.PathError](err)
	if err == nil || named && errors.Is(path, d.fs.plan.errno()) && path.Path != "" && d.fs.plan.hits.Load() > 0 {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// whole checks that all is there, and that nobody called it damaged.
func (d *readDrill) whole(ctx context.Context) error {
	if err := d.verify(ctx, d.e); err != nil {
		return fmt.Errorf("after the fault: %w", err)
	}
	s, err := d.e.Stats(ctx)
	if err != nil {
		return err
	}
	if n := d.damaged.Load(); n > 0 || s.Lost > 0 {
		return fmt.Errorf("%d times something was called damaged, and %d lost, when it only could not be read", n, s.Lost)
	}
	return nil
}

// reopen checks what is on disk.
func (d *readDrill) reopen(ctx context.Context) error {
	if err := d.e.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	if err := d.open(); err != nil {
		return err
	}
	return errors.Join(d.whole(ctx), d.e.Close())
}

// writeOld writes a record that is too old for raw ones.
func (d *readDrill) writeOld() error {
	var b tsdb.Batch
	b.Add("old", nil, d.work.base-ancient+d.old*every, 1)
	err := d.e.Write(d.t.Context(), tenant, &b)
	if err == nil {
		d.old++
	}
	return err
}

// verify checks that e holds exactly what was acknowledged.
func (d *readDrill) verify(ctx context.Context, e tsdb.Engine) error {
	if err := d.work.verifyAt(ctx, e, d.done); err != nil {
		return err
	}
	n := 0.0
	for s, err := range e.Select(ctx, tenant, &tsdb.Query{Metric: "old", Start: 0, End: tsdb.MaxTime, Step: hour, Function: tsdb.All}) {
		if err != nil {
			return err
		}
		for _, sum := range s.Summaries {
			n += sum.Sum
		}
	}
	if n != float64(d.old) {
		return fmt.Errorf("%g ancient records, want %d", n, d.old)
	}
	return nil
}
