package clickhouse

import (
	"context"
	"fmt"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// recordColumns are those of an answer that has the records themselves.
type recordColumns struct {
	g, t                proto.ColUInt32
	slot                proto.ColUInt64
	k                   proto.ColUInt8
	v, n, s, mi, ma, m2 proto.ColFloat64
	sk                  proto.ColStr
}

func (c *recordColumns) results(sketches bool) proto.Results {
	all := proto.Results{
		column("g", &c.g), column("t", &c.t), column("slot", &c.slot), column("k", &c.k), column("v", &c.v), column("n", &c.n),
		column("s", &c.s), column("mi", &c.mi), column("ma", &c.ma), column("m2", &c.m2),
	}
	if sketches {
		all = append(all, column("sk", &c.sk))
	}
	return all
}

// record returns row i.
func (c *recordColumns) record(i int, sketches bool) (tsdb.Distribution, error) {
	if c.k.Row(i) == 0 {
		return tsdb.Distribution{Summary: tsdb.Single(c.v.Row(i))}, nil
	}
	d := tsdb.Distribution{Summary: tsdb.Summary{
		Count: c.n.Row(i), Sum: c.s.Row(i), Min: c.mi.Row(i), Max: c.ma.Row(i), Last: c.v.Row(i), M2: c.m2.Row(i),
	}}
	if !sketches || len(c.sk.RowBytes(i)) == 0 {
		return d, nil
	}
	var err error
	d.Sketch, err = sketch.Decode(c.sk.RowBytes(i))
	return d, err
}

// byRecords reads the records and makes steps of them here: records one by
// one, and whatever has to do with sketches, which ClickHouse cannot merge.
func (r *reading) byRecords(ctx context.Context) error {
	sketches := r.q.NeedsSketches()
	st := r.places.statement(r.recordsSQL(sketches))
	st.settings = r.e.shape.readSettings()
	var c recordColumns
	each, after := r.consumers()
	f := &folding{step: r.q.Step, sketches: sketches, number: -1, each: each}
	err := r.e.client.each(ctx, st, c.results(sketches), func(rows int) error {
		for i := range rows {
			d, err := c.record(i, sketches)
			if err != nil {
				return err
			}
			if err := f.add(int(c.g.Row(i)), int64(c.t.Row(i)), c.slot.Row(i), &d); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = f.end()
	}
	if err == nil {
		err = after()
	}
	return err
}

// recordsSQL asks for records in the order in which they are folded.
func (r *reading) recordsSQL(sketches bool) string {
	sk := ""
	if sketches {
		sk = ", sk"
	}
	where := r.e.where(r.org, &r.places) + " AND "
	// What came too late to replace anything adds up.
	slot := fmt.Sprintf("if(t < %d, toUInt64(1), slot) AS slot", r.window.rawFrom)
	if r.window.rawFrom == 0 {
		slot = "slot"
	}
	var parts []string
	if records := r.window.records(); records != "" {
		parts = append(parts, "SELECT id, t, "+slot+", seq, k, v, n, s, mi, ma, m2"+sk+" FROM records FINAL WHERE "+where+records)
	}
	if hours := r.window.hours(); hours != "" { // slot 1: they add up
		parts = append(parts, "SELECT id, t, toUInt64(1) AS slot, seq, toUInt8(1) AS k, v, n, s, mi, ma, m2"+sk+" FROM hours FINAL WHERE "+where+hours)
	}
	return "SELECT g, t, slot, k, v, n, s, mi, ma, m2" + sk + " FROM (" + union(parts...) + ") AS r ALL INNER JOIN ids USING id ORDER BY g, t, seq"
}

// folding makes points of records that come ordered by stream, time and number.
type folding struct {
	step     int64
	sketches bool
	number   int   // of the stream
	at       int64 // the second
	second   tsdb.Distribution
	open     bool // whether there is something in second
	points   points
	each     func(number int, p *points) error
}

func (f *folding) add(number int, t int64, slot uint64, d *tsdb.Distribution) error {
	if number != f.number {
		if err := f.end(); err != nil {
			return err
		}
		f.number = number
	}
	if f.open && t != f.at {
		f.flush()
	}
	f.at = t
	if slot == 0 || !f.open { // it replaces
		f.second, f.open = *d, true
		return nil
	}
	f.second.Merge(d)
	return nil
}

// flush ends a second.
func (f *folding) flush() {
	if f.open {
		f.points.add(f.at-f.at%f.step, &f.second, f.sketches)
	}
	f.open = false
}

// end ends a stream.
func (f *folding) end() error {
	f.flush()
	p := f.points
	f.points = points{}
	if f.number < 0 || len(p.times) == 0 {
		return nil
	}
	return f.each(f.number, &p)
}

// consumers returns what is done with the points of each stream, and at the end.
func (r *reading) consumers() (each func(number int, p *points) error, after func() error) {
	if r.q.Group {
		g := newGrouping(r)
		return func(number int, p *points) error { g.add(number, p); return nil }, g.emit
	}
	return r.plainConsumer(), func() error { return nil }
}
