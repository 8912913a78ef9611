package embedded

import (
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// sealedNames is the part of the catalog that a seal saves.
type sealedNames struct {
	defs    []catalog.Definition
	metrics map[uint32][]byte // to be saved, by id
	dropped []uint32
	next    [2]uint32 // ids of the next stream and metric
}

// prepare gathers them. The caller holds back changes of metrics.
func (n *sealedNames) prepare(e *Engine, g *generation) {
	c := e.catalog.View()
	defer c.Close()
	n.defs, n.next = c.Unsaved(g.defs)
	n.metrics = make(map[uint32][]byte)
	save := func(id uint32) {
		if m := c.ByID(id); m != nil {
			n.metrics[id] = m.Encode()
		}
	}
	for i := range n.defs {
		if !n.defs[i].Stream {
			save(n.defs[i].ID)
		}
	}
	modes, dropped := e.changes.unsaved()
	for _, id := range modes {
		save(id)
	}
	n.dropped = dropped
}

// write writes metrics and streams in order of keys.
func (n *sealedNames) write(w *tables.Writer) error {
	for _, id := range slices.Sorted(maps.Keys(n.metrics)) {
		if err := w.Set(numberKey(keyMetric, id), n.metrics[id]); err != nil {
			return err
		}
	}
	streams := make([]*catalog.Definition, 0, len(n.defs))
	for i := range n.defs {
		if n.defs[i].Stream {
			streams = append(streams, &n.defs[i])
		}
	}
	slices.SortFunc(streams, func(a, b *catalog.Definition) int {
		return slices.Compare([]uint32{a.Metric, a.ID}, []uint32{b.Metric, b.ID})
	})
	for _, d := range streams {
		if err := w.Set(streamKey(d.Metric, d.ID), d.Text); err != nil {
			return err
		}
	}
	return nil
}

func (n *sealedNames) writeDropped(w *tables.Writer) error {
	slices.Sort(n.dropped)
	for _, id := range n.dropped {
		if err := w.Set(numberKey(keyDropped, id), nil); err != nil {
			return err
		}
	}
	return nil
}
