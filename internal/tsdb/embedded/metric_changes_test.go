package embedded

import (
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// TestDeleteIsSealedWithItsGeneration seals a generation whose log says that a
// metric is deleted, before memory knows. The log goes with the seal, so the
// seal must wait, or the metric is back after a crash.
func TestDeleteIsSealedWithItsGeneration(t *testing.T) {
	t.Parallel()
	fs, sealed := vfs.NewCrashableMem(), make(chan struct{}, 1)
	b := newBench(t, Options{FS: fs, Hooks: Hooks{Sealed: func(SealInfo) { sealed <- struct{}{} }}})
	b.fill("cpu", 2, 3)
	c := b.catalog.View()
	m := c.Metric(1, "cpu")
	c.Close()
	done := make(chan error, 1)
	b.check(b.logAlone(appendDeletion(make([]byte, wal.FrameHeader), m.ID), func(c catalog.Edit) {
		c.Close() // as if the change came later than its entry
		go func() { done <- b.Seal(t.Context()) }()
		select {
		case <-sealed:
			t.Error("sealed without the deletion")
		case <-time.After(200 * time.Millisecond): // it waits
		}
		b.applyDrop(b.catalog.Edit(), m) // which logAlone closes
	}))
	b.check(<-done)
	after := newBench(t, Options{FS: fs.CrashClone(vfs.CrashCloneCfg{})})
	if n := after.points("cpu", 1); n != 0 {
		t.Errorf("%d records of a deleted metric are back", n)
	}
}
