package embedded

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestSketchFormat: data without sketches can be read by versions that know
// none; from the first sketch on they refuse it, also before it is sealed, and
// nothing takes that back.
func TestSketchFormat(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := newBench(t, Options{FS: fs})
	is := func(when string, want byte) {
		t.Helper()
		got := byte(format)
		b.check(b.tables.Each(keyCheckpoint, func(_, v []byte) error { got = v[16]; return nil }))
		if got != want {
			t.Errorf("%s: format %d, want %d", when, got, want)
		}
	}
	b.fill("cpu", 2, 3)
	b.check(b.Seal(t.Context()))
	is("without sketches", format)
	var s sketch.Sketch
	s.Add(1, 2)
	var batch tsdb.Batch
	batch.AddDistribution([]byte("lat"), b.now-60, tsdb.Summary{Count: 2, Sum: 2, Min: 1, Max: 1, Last: 1}, s.AppendBinary(nil))
	b.check(b.Write(t.Context(), 1, &batch))
	is("with one in the log", formatSketches)
	b.fill("cpu", 2, 3)
	b.check(b.Seal(t.Context()))
	is("sealed", formatSketches)
	b.check(b.Close())
	e, err := Open(t.Context(), Options{Dir: "data", FS: fs, Now: b.o.Now})
	b.check(err)
	b.Engine = e
	b.fill("cpu", 2, 3)
	b.check(b.Seal(t.Context()))
	is("opened again", formatSketches)
	b.check(b.Close())
}
