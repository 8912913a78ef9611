package embedded

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// TestFormat opens what other versions left: it is read, or refused in words.
func TestFormat(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		edit func(e *Engine, w *tables.Writer) error
		want string
	}{
		{"ours", func(e *Engine, w *tables.Writer) error { return nil }, ""},
		{"the first, which did not say so", func(e *Engine, w *tables.Writer) error {
			return w.Set([]byte{keyCheckpoint}, encodeCheckpoint(1, [2]uint32{8, 8})[:16])
		}, ""},
		{"a later one", func(e *Engine, w *tables.Writer) error {
			return w.Set([]byte{keyCheckpoint}, append(encodeCheckpoint(1, [2]uint32{8, 8})[:16], formatSketches+1))
		}, "format 3 and this version reads format 2"},
		{"one from before there were any", func(e *Engine, w *tables.Writer) error {
			// The bucket came before the level.
			return w.Set(append([]byte{keyChunk, raw, 0, 0, 0x4e, 0x20, merged}, make([]byte, chunkKeyLen-7)...), []byte{1})
		}, "before formats had numbers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fs := vfs.NewMem()
			b := newBench(t, Options{FS: fs})
			b.fill("cpu", 2, 3)
			b.check(b.Seal(t.Context()))
			b.check(b.tables.Apply(t.Context(), false, func(w *tables.Writer) error { return tt.edit(b.Engine, w) }))
			b.check(b.Close())
			e, err := Open(t.Context(), Options{Dir: "data", FS: fs})
			if err == nil {
				b.check(e.Close())
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
