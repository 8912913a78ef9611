package embedded

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestCheckpointIsWhole: a copy has what was written before it and opens like
// the original, with the modes of metrics; what is written later is not in it.
func TestCheckpointIsWhole(t *testing.T) {
	t.Parallel()
	for name, copy := range map[string]func(b *bench, dir string) error{
		"copied": func(b *bench, dir string) error { return b.Checkpoint(t.Context(), dir, nil) },
		"linked": func(b *bench, dir string) error { return b.LinkCheckpoint(t.Context(), dir) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs := vfs.NewMem()
			b := newBench(t, Options{FS: fs})
			b.check(b.SetMode(t.Context(), 1, "hits", tsdb.Mode{Fold: true, Period: 60}))
			b.fill("hits", 1, 1)
			b.fill("cpu", 3, 20) // in memory only
			b.check(copy(b, "copy"))
			b.fill("later", 1, 5)
			if err := copy(b, "copy"); tidemark.KindOf(err) != tidemark.Conflict || err.Error() != "the target directory is not empty" {
				t.Errorf("a second time: %v", err)
			}
			if names, err := fs.List("data"); err != nil || slices.Contains(names, "snapshot") {
				t.Errorf("the directory has %q, %v", names, err)
			}
			if got := b.points("later", 1) + b.points("cpu", 1); got != 65 {
				t.Errorf("the original has %d records, want 65", got)
			}
			b.check(b.Close())
			b.check(fs.RemoveAll("data"))
			b.check(fs.Rename("copy", "data"))
			c := b.reopen(fs)
			if got, later := c.points("cpu", 1), c.points("later", 1); got != 60 || later != 0 {
				t.Errorf("the copy has %d records, and %d from after it, want 60 and 0", got, later)
			}
			c.fill("hits", 1, 1)
			for s, err := range c.Select(t.Context(), 1, &tsdb.Query{Metric: "hits", End: tsdb.MaxTime, Step: 60, Function: tsdb.Count}) {
				c.check(err)
				if len(s.Values) != 1 || s.Values[0] != 2 {
					t.Errorf("hits are %v, want two in one", s.Values)
				}
			}
		})
	}
}

// TestCheckpointProgress: progress goes up to the whole, and a copy that its
// caller gives up leaves nothing in the engine's directory.
func TestCheckpointProgress(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := newBench(t, Options{FS: fs})
	b.fill("cpu", 3, 200)
	last, total := int64(0), int64(0)
	b.check(b.Checkpoint(t.Context(), "copy", func(done, of int64) {
		if done < last || done > of {
			t.Errorf("%d of %d bytes after %d", done, of, last)
		}
		last, total = done, of
	}))
	if last != total || total == 0 {
		t.Errorf("it ends at %d of %d bytes", last, total)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := b.Checkpoint(ctx, "second", func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if names, err := fs.List("data"); err != nil || slices.Contains(names, "snapshot") {
		t.Errorf("the directory has %q, %v", names, err)
	}
	b.check(b.Checkpoint(t.Context(), "third", nil))
	b.check(b.Close())
	if err := b.Checkpoint(t.Context(), "fourth", nil); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
	if err := b.LinkCheckpoint(t.Context(), "fourth"); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
}
