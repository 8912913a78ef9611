package clickhouse

import (
	"context"
	"fmt"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// fillHours makes the hours that are over, and makes those again whose records
// were changed by a commit since the last round, up to a commit.
func (u *upkeep) fillHours(ctx context.Context, m marks, upTo int64, now time.Time) error {
	e := u.e
	job := &hourJob{
		u: u, version: uint64(upTo) << seqBits, from: uint64(m.hours+1) << seqBits, to: uint64(upTo+1) << seqBits,
		done: m.until, until: max(m.until, u.over(now)), rawFrom: m.rawFrom,
	}
	all, err := e.client.numbersOf(ctx, fmt.Sprintf(
		"SELECT DISTINCT toUInt32(intDiv(t, 3600) * 3600) AS x FROM records WHERE t >= %d AND t < %d AND seq < %d AND (seq >= %d OR t >= %d) ORDER BY x",
		m.rawFrom, job.until, job.to, job.from, job.done))
	if err != nil {
		return err
	}
	for _, h := range all {
		if err := u.renew(ctx); err != nil {
			return err
		}
		if err := job.fill(ctx, h); err != nil {
			return fmt.Errorf("make the hour of %s: %w", time.Unix(h, 0).UTC().Format(time.DateTime), err)
		}
	}
	if err := job.addLate(ctx); err != nil {
		return fmt.Errorf("add what came late: %w", err)
	}
	// Hours first: a reader that sees the new end of the hours with the old commit
	// finds more of them dirty than are.
	if err := e.o.Ledger.SetEngineMark(ctx, u.lease, hoursMark, upTo); err != nil {
		return err
	}
	return e.o.Ledger.SetEngineMark(ctx, u.lease, untilMark, job.until)
}

// hourJob is the making of hours.
type hourJob struct {
	u        *upkeep
	version  uint64 // of the rows that are made
	from, to uint64 // the numbers of rows that are new
	done     int64  // hours before it are made already
	until    int64  // up to here they are made now
	rawFrom  int64
}

// touched picks, of an hour, the streams that have new rows.
func (j *hourJob) touched(h int64, more string) string {
	if h >= j.done && more == "" {
		return "1"
	}
	since := ""
	if h < j.done {
		since = fmt.Sprintf(" AND seq >= %d", j.from)
	}
	// Other shards do not know which database is meant.
	return fmt.Sprintf("(org, metric, id) IN (SELECT org, metric, id FROM %s.%s WHERE %s%s%s)", j.u.e.client.database, j.u.e.shape.local("records"), ofHour(h), since, more)
}

func ofHour(h int64) string { return fmt.Sprintf("t >= %d AND t < %d", h, h+hour) }

// fill makes one hour, where the rows are.
func (j *hourJob) fill(ctx context.Context, h int64) error {
	records := j.u.e.shape.local("records")
	where := ofHour(h) + " AND " + j.touched(h, "")
	folded := fmt.Sprintf("(org, metric) IN (SELECT org, metric FROM %s WHERE %s AND slot > 0)", records, ofHour(h))
	const row = "if(k = 0, 1, n) AS rn, if(k = 0, v, s) AS rs, if(k = 0, v, mi) AS ri, if(k = 0, v, ma) AS ra, v AS rl, m2 AS rq"
	source := union("SELECT org, metric, id, t, seq AS ro, "+row+" FROM "+records+" FINAL WHERE "+where+" AND NOT ("+folded+")",
		foldedSQL("org, metric, id, t", "SELECT org, metric, id, t, slot, seq AS ro, "+row+" FROM "+records+" FINAL WHERE "+where+" AND "+folded))
	sql := "INSERT INTO " + j.u.e.shape.local("hours") + " (org, metric, id, t, slot, seq, v, n, s, mi, ma, m2, sk) SELECT org, metric, id, toUInt32(" + fmt.Sprint(h) +
		"), toUInt64(0), toUInt64(" + fmt.Sprint(j.version) + "), latest, x, y, lo, hi, sqrs, '' FROM (SELECT org, metric, id, sum(rn) AS x, sum(rs) AS y, min(ri) AS lo, max(ra) AS hi, " +
		"argMax(rl, (t, ro)) AS latest, " + squares("rn", "rs", "rq", "x", "y") + " AS sqrs FROM (" + source + ") GROUP BY org, metric, id)"
	if err := j.u.onShards(ctx, sql); err != nil {
		return err
	}
	return j.withSketches(ctx, h)
}

// withSketches makes the hours again of streams that have sketches, which
// ClickHouse cannot merge.
func (j *hourJob) withSketches(ctx context.Context, h int64) error {
	where := ofHour(h) + " AND " + j.touched(h, " AND sk != ''")
	return j.fold(ctx, where, j.version+1, 0)
}

// addLate adds to the hours what was recorded when their records were gone. It
// is told from what earlier rounds added by where it begins: a round that could
// not be finished is replaced by the next, which begins there too.
func (j *hourJob) addLate(ctx context.Context) error {
	where := fmt.Sprintf("t < %d AND seq >= %d AND seq < %d", j.rawFrom, j.from, j.to)
	return j.fold(ctx, where, j.version, j.from)
}

// fold makes hours of rows here, and inserts them.
func (j *hourJob) fold(ctx context.Context, where string, version, slot uint64) error {
	e := j.u.e
	st := &statement{settings: e.shape.readSettings(), sql: "SELECT org, metric, id, t, slot, k, v, n, s, mi, ma, m2, sk FROM records FINAL WHERE " + where +
		" ORDER BY org, metric, id, t, seq"}
	var c recordColumns
	var org, metric proto.ColUInt64
	var id proto.ColFixedStr16
	results := append(proto.Results{column("org", &org), column("metric", &metric), column("id", &id)}, c.results(true)[1:]...)
	out := &hourRows{version: version, slot: slot}
	var now hourKey
	f := &folding{step: hour, number: -1, each: func(_ int, p *points) error { out.add(now, p); return nil }}
	err := e.client.each(ctx, st, results, func(rows int) error {
		for i := range rows {
			key := hourKey{org.Row(i), metric.Row(i), id.Row(i)}
			number := f.number
			if key != now || number < 0 {
				if err := f.end(); err != nil {
					return err
				}
				now, number = key, number+1
				f.number = number
			}
			d, err := c.record(i, true)
			if err != nil {
				return err
			}
			if err := f.add(number, int64(c.t.Row(i)), c.slot.Row(i), &d); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = f.end()
	}
	if err != nil || out.n == 0 {
		return err
	}
	return e.insert(ctx, "hours", out.columns(), out.n)
}

type hourKey struct {
	org, metric uint64
	id          streamID
}

// hourRows are rows of the table of hours.
type hourRows struct {
	version, slot              uint64
	n                          int
	org, metric, slots, seq    proto.ColUInt64
	id                         proto.ColFixedStr16
	t                          proto.ColUInt32
	v, count, sum, low, hi, m2 proto.ColFloat64
	sketch                     proto.ColStr
}

func (r *hourRows) add(key hourKey, p *points) {
	for i, t := range p.times {
		d := &p.all[i]
		s := &d.Summary
		r.n++
		r.org.Append(key.org)
		r.metric.Append(key.metric)
		r.id.Append(key.id)
		r.t.Append(uint32(t))
		r.slots.Append(r.slot)
		r.seq.Append(r.version)
		r.v.Append(s.Last)
		r.count.Append(s.Count)
		r.sum.Append(s.Sum)
		r.low.Append(s.Min)
		r.hi.Append(s.Max)
		r.m2.Append(s.M2)
		r.sketch.AppendBytes(sketchBytes(d))
	}
}

func sketchBytes(d *tsdb.Distribution) []byte {
	if d.Sketch == nil {
		return nil
	}
	return d.Sketch.AppendBinary(nil)
}

func (r *hourRows) columns() []inputColumn {
	return []inputColumn{
		{Name: "org", Data: r.org}, {Name: "metric", Data: r.metric}, {Name: "id", Data: r.id}, {Name: "t", Data: r.t}, {Name: "slot", Data: r.slots},
		{Name: "seq", Data: r.seq}, {Name: "v", Data: r.v}, {Name: "n", Data: r.count}, {Name: "s", Data: r.sum}, {Name: "mi", Data: r.low}, {Name: "ma", Data: r.hi},
		{Name: "m2", Data: r.m2}, {Name: "sk", Data: r.sketch},
	}
}
