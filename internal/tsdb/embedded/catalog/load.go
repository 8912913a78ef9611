package catalog

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Reserve makes room for all ids that were ever given out: streams and metrics.
// The catalogue is empty.
func (c Edit) Reserve(next [2]uint32) {
	c.metricOf = slices.Repeat([]uint32{noMetric}, int(next[0]))
	c.metrics = make([]*Metric, next[1])
	c.table = make([]slot, max(1024, 1<<bits.Len(uint(next[0])*8/7)))
}

// Encode returns a metric as it is saved: org(8), mode, name.
func (m *Metric) Encode() []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(m.org))
	return append(AppendMode(b, m.Mode), m.Name...)
}

// LoadMetric adds a metric that was saved.
func (c Edit) LoadMetric(id uint32, v []byte) error {
	if len(v) < 8 {
		return fmt.Errorf("metric %d is damaged", id)
	}
	mode, name, ok := ReadMode(v[8:])
	if !ok || len(name) == 0 {
		return fmt.Errorf("metric %d is damaged", id)
	}
	c.SetMode(c.addMetric(id, tidemark.OrgID(binary.BigEndian.Uint64(v)), string(name)), mode)
	return nil
}

// AppendMode appends a mode as fold(1) uvarint(period).
func AppendMode(dst []byte, m tsdb.Mode) []byte {
	fold := byte(0)
	if m.Fold {
		fold = 1
	}
	return binary.AppendUvarint(append(dst, fold), uint64(min(m.Period, tsdb.MaxTime-1)))
}

// ReadMode reads what appendModeValue wrote, and returns what follows.
func ReadMode(b []byte) (mode tsdb.Mode, rest []byte, ok bool) {
	if len(b) == 0 {
		return mode, nil, false
	}
	period, k := binary.Uvarint(b[1:])
	if k <= 0 || period > math.MaxUint32-1 {
		return mode, nil, false
	}
	return tsdb.Mode{Fold: b[0] == 1, Period: int64(period)}, b[1+k:], true
}

// LoadStream adds a stream that was saved, unless its metric was deleted.
func (c Edit) LoadStream(id, metric uint32, tags []byte) error {
	m := c.ByID(metric)
	if m == nil {
		return nil // not yet purged
	}
	if !c.addStream(id, m, tags) {
		return fmt.Errorf("stream %d is damaged", id)
	}
	return nil
}

// HideUnseen hides the streams that were defined and never written.
func (c Edit) HideUnseen(seen func(stream uint32) bool) {
	for id, m := range c.metricOf {
		if m != noMetric && c.metrics[m] != nil && !seen(uint32(id)) {
			c.unseen[uint32(id)] = struct{}{}
		}
	}
}

// Replay adds what a definition in the log says, unless it is known.
func (c Edit) Replay(d *Definition, org tidemark.OrgID, seen func(stream uint32) bool) {
	if !d.Stream {
		if int(d.ID) >= len(c.metrics) {
			c.addMetric(d.ID, org, string(d.Text))
			c.defs = append(c.defs, Definition{ID: d.ID, Text: slices.Clone(d.Text)})
		}
		return
	}
	if int(d.ID) < len(c.metricOf) && c.metricOf[d.ID] != noMetric {
		return
	}
	for int(d.ID) >= len(c.metricOf) {
		c.metricOf = append(c.metricOf, noMetric)
	}
	m := c.ByID(d.Metric)
	if m == nil {
		return // deleted before it was logged
	}
	if c.addStream(d.ID, m, d.Text) {
		c.defs = append(c.defs, Definition{Stream: true, ID: d.ID, Metric: d.Metric, Text: slices.Clone(d.Text)})
		if !seen(d.ID) { // a seal may have saved when, before the stream itself
			c.unseen[d.ID] = struct{}{}
		}
	}
}

// Definitions returns how many metrics and streams were ever defined since the
// start, and those after the first n of them, in order. The organization of a
// metric comes with it; it is 0 if that was deleted.
func (c *View) Definitions(n int, each func(d *Definition, org tidemark.OrgID)) (total int) {
	total = c.defBase + len(c.defs)
	for i := n; i < total && each != nil; i++ {
		d := &c.defs[i-c.defBase]
		org := tidemark.OrgID(0)
		if m := c.ByID(d.ID); !d.Stream && m != nil {
			org = m.org
		}
		each(d, org)
	}
	return total
}

// Unsaved returns the definitions that are not saved, of the first n ever, and
// the stream and metric that the first one after them would get.
func (c *View) Unsaved(n int) (list []Definition, next [2]uint32) {
	n = max(0, min(n-c.defBase, len(c.defs)))
	return c.defs[:n:n], c.nextIDs(n)
}

// Saved forgets the first n definitions of those that were not saved.
func (c Edit) Saved(n int) {
	c.defs = slices.Clone(c.defs[n:])
	c.defBase += n
}

// nextIDs returns the stream and the metric that the first definition after
// the first n that are not in Pebble would get.
func (c *View) nextIDs(n int) [2]uint32 {
	next := [2]uint32{uint32(len(c.metricOf)), uint32(len(c.metrics))}
	for i := len(c.defs) - 1; i >= n; i-- {
		if d := &c.defs[i]; d.Stream {
			next[0] = min(next[0], d.ID)
		} else {
			next[1] = min(next[1], d.ID)
		}
	}
	return next
}
