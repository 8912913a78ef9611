package engine_test

import (
	"math"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// TestDiskFull fills the disk, several times over: writes are refused and the
// reason is told, reads go on, and once there is space everything goes on
// without a restart.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	for _, room := range []int64{10_000, 40_000} {
		fillDisk(t, room)
	}
}

func fillDisk(t *testing.T, room int64) {
	ctx := t.Context()
	mem := newDisk()
	fs := &smallFS{FS: mem}
	fs.size.Store(math.MaxInt64)
	o := faultOptions(fs)
	o.GenerationRecords = 1000
	e, err := embedded.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	d := &drill{t: t, mem: mem, e: e, work: workload{base: weekAgo()}}
	if err := d.work.prepare(ctx, e); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		fs.size.Store(fs.used.Load() + room)
		d.fill(room)
		fs.size.Store(math.MaxInt64)
		if err := d.retry("write", func() error { return d.ack(d.work.step(ctx, e, d.done)) }); err != nil {
			t.Fatalf("with space again: %v", err)
		}
		if s, err := e.Stats(ctx); err != nil || s.Refusing != "" {
			t.Errorf("with space again, refusing %q, %v", s.Refusing, err)
		}
		if err := d.work.verifyAt(ctx, e, d.done); err != nil {
			t.Errorf("with space again: %v", err)
		}
	}
	if err := d.retry("maintain", func() error { return e.Maintain(ctx) }); err != nil {
		t.Error(err)
	}
	if err := d.reopen(ctx); err != nil {
		t.Error(err)
	}
}

// fill writes until the disk is full, and checks how the engine takes it.
func (d *drill) fill(room int64) {
	d.t.Helper()
	ctx := d.t.Context()
	before := d.done
	var err error
	for err == nil {
		if err = d.ack(d.work.step(ctx, d.e, d.done)); d.done-before > room {
			d.t.Fatalf("%d bytes are not full after as many steps", room)
		}
	}
	if tidemark.KindOf(err) != tidemark.Unavailable {
		d.t.Errorf("on a full disk: kind %v, want Unavailable: %v", tidemark.KindOf(err), err)
	}
	s, err := d.e.Stats(ctx)
	if err != nil || s.Refusing == "" {
		d.t.Errorf("on a full disk, Stats tells no reason: %+v, %v", s, err)
	}
	if err := d.work.verifyAt(ctx, d.e, d.done); err != nil {
		d.t.Errorf("reading on a full disk: %v", err)
	}
}
