package embedded

import (
	"context"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// allowSketches checks the sketches of b. Before the first is logged, the data
// is marked such that a version that knows no sketches refuses it in words.
func (e *Engine) allowSketches(ctx context.Context, b *tsdb.Batch) error {
	if err := b.ValidateSketches(); err != nil {
		return err
	}
	if e.sketched.Load() {
		return nil
	}
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	if e.sketched.Load() {
		return nil
	}
	mark := encodeCheckpoint(0, [2]uint32{}) // nothing is sealed yet
	err := e.tables.Each(keyCheckpoint, func(_, v []byte) error {
		gen, next, err := decodeCheckpoint(v)
		mark = encodeCheckpoint(gen, next)
		return err
	})
	if err == nil {
		mark = markSketches(mark, true)
		err = e.tables.Apply(ctx, false, func(w *tables.Writer) error { return w.Set([]byte{keyCheckpoint}, mark) })
	}
	if err != nil {
		return refusal(err)
	}
	e.sketched.Store(true)
	return nil
}

// withFormat returns a checkpoint with the format that the data has.
func (e *Engine) withFormat(checkpoint []byte) []byte {
	return markSketches(checkpoint, e.sketched.Load())
}

// markSketches returns a checkpoint that says whether there are sketches.
func markSketches(checkpoint []byte, sketched bool) []byte {
	if sketched {
		checkpoint[len(checkpoint)-1] = formatSketches
	}
	return checkpoint
}

// hasSketches reports whether a checkpoint says that there are sketches.
func hasSketches(checkpoint []byte) bool {
	return len(checkpoint) == 17 && checkpoint[16] == formatSketches
}

// setSketch gives a summary its sketch, which is kept. What it had before may
// be in use by a reader and is left as it is.
func (h *headShard) setSketch(at int, encoded []byte) {
	if h.sketches == nil {
		h.sketches = make(map[int][]byte)
	}
	h.sketchSize += int64(len(encoded)) + sketchOverhead
	h.sketches[at] = encoded
}

// sketchOverhead is about what a map takes for an entry.
const sketchOverhead = 64

// foldSketch adds what is known of a record, of which s is the summary, to a
// summary that it has not been merged into yet.
func (h *headShard) foldSketch(at int, s *tsdb.Summary, v float64, op uint8) {
	var own []byte
	if op&chunk.OpSummary != 0 {
		own = h.sketches[int(v)]
	}
	if both := chunk.FoldSketches(h.sketches[at], &h.sums[at], own, s); both != nil {
		h.setSketch(at, both)
	}
}
