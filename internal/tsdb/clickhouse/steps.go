package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// stepColumns are those of an answer in steps.
type stepColumns struct {
	g                        proto.ColUInt32
	w                        proto.ColUInt64
	x, y, lo, hi, last, sqrs proto.ColFloat64
}

func (c *stepColumns) results() proto.Results {
	return proto.Results{
		column("g", &c.g), column("w", &c.w), column("x", &c.x), column("y", &c.y), column("lo", &c.lo), column("hi", &c.hi),
		column("latest", &c.last), column("sqrs", &c.sqrs),
	}
}

// bySteps lets ClickHouse make the steps, and the groups too where it can.
func (r *reading) bySteps(ctx context.Context) error {
	if r.inSQL() && !r.q.Merges() {
		return r.byGroupValues(ctx)
	}
	st := r.places.statement(r.stepsSQL())
	st.settings = r.e.shape.readSettings()
	each, after := r.consumers()
	if r.inSQL() {
		each, after = r.plainConsumer(), func() error { return nil }
	}
	var c stepColumns
	number, p := -1, points{}
	next := func(to int) error {
		var err error
		if len(p.times) > 0 {
			err = each(number, &p)
		}
		number, p = to, points{}
		return err
	}
	err := r.e.client.each(ctx, st, c.results(), func(rows int) error {
		for i := range rows {
			if g := int(c.g.Row(i)); g != number {
				if err := next(g); err != nil {
					return err
				}
			}
			p.times = append(p.times, int64(c.w.Row(i)))
			p.all = append(p.all, tsdb.Distribution{Summary: tsdb.Summary{
				Count: c.x.Row(i), Sum: c.y.Row(i), Min: c.lo.Row(i), Max: c.hi.Row(i), Last: c.last.Row(i), M2: c.sqrs.Row(i),
			}})
		}
		return nil
	})
	if err == nil {
		err = next(-1)
	}
	if err == nil {
		err = after()
	}
	return err
}

// plainConsumer yields what comes as series.
func (r *reading) plainConsumer() func(number int, p *points) error {
	return func(number int, p *points) error {
		s := r.series(number)
		p.fill(s, r.q)
		return r.emit(s)
	}
}

// squares is the sum of squared deviations of parts with rn values, sum rs and
// such a sum rq each, of x values with sum y in all: computed with the mean in
// hand, for what is nearly the same must not be subtracted.
func squares(n, sum, sq, x, y string) string {
	return "sum(" + sq + ") + arraySum(arrayMap((a, b) -> a * (b / a - " + y + " / " + x + ") * (b / a - " + y + " / " + x + "), groupArray(" + n + "), groupArray(" + sum + ")))"
}

// needsSquares reports whether q needs deviations, which cost more than the rest.
func (r *reading) needsSquares() bool {
	return r.q.Function == tsdb.StdDev || r.q.Function == tsdb.All
}

// perStream is the question for the steps of each stream, by id. What the
// function does not need is not computed, nor its columns read.
func (r *reading) perStream() string {
	f := r.q.Function
	only := func(needed bool, sql string) string {
		if needed || f == tsdb.All {
			return sql
		}
		return "toFloat64(0)"
	}
	mean := f == tsdb.Mean || f == tsdb.StdDev
	step := strconv.FormatInt(r.q.Step, 10)
	return "SELECT id, intDiv(toUInt64(t), " + step + ") * " + step + " AS w, " +
		only(mean || f == tsdb.Count || r.q.Merges(), "sum(rn)") + " AS x, " + only(mean || f == tsdb.Sum || r.q.Merges(), "sum(rs)") + " AS y, " +
		only(f == tsdb.Min, "min(ri)") + " AS lo, " + only(f == tsdb.Max, "max(ra)") + " AS hi, " +
		only(f == tsdb.Last || f == tsdb.Derivative, "argMax(rl, "+r.order()+")") + " AS latest, " +
		only(f == tsdb.StdDev, squares("rn", "rs", "rq", "x", "y")) + " AS sqrs FROM (" + r.source() + ") GROUP BY id, w"
}

// order is what the latest row of a stream has most of. Times alone will do
// where a stream has one row a second.
func (r *reading) order() string {
	if r.window.rawFrom == 0 && !slices.ContainsFunc(r.picked, func(f found) bool { return f.folded }) {
		return "t"
	}
	return "(t, ro)"
}

// stepsSQL asks for the steps of streams or, merged, of groups.
func (r *reading) stepsSQL() string {
	if !r.inSQL() {
		return "SELECT g, w, x, y, lo, hi, latest, sqrs FROM (" + r.perStream() + ") AS r ALL INNER JOIN ids USING id ORDER BY g, w"
	}
	sqrs := "toFloat64(0)"
	if r.needsSquares() {
		sqrs = squares("sx", "sy", "sq", "x", "y")
	}
	inner := "SELECT g, place, w, x AS sx, y AS sy, lo AS slo, hi AS shi, latest AS sl, sqrs AS sq FROM (" + r.perStream() + ") AS r ALL INNER JOIN ids USING id"
	return "SELECT g, w, sum(sx) AS x, sum(sy) AS y, min(slo) AS lo, max(shi) AS hi, argMax(sl, place) AS latest, " + sqrs + " AS sqrs FROM (" + inner + ") GROUP BY g, w ORDER BY g, w"
}

// source is the rows that steps are made of: rn values with sum rs between ri
// and ra, the last of them rl, and rq the sum of squared deviations.
func (r *reading) source() string {
	plain, folded := r.byKind()
	var sql string
	add := func(one string) {
		if sql != "" {
			sql += " UNION ALL "
		}
		sql += one
	}
	const row = "if(k = 0, 1, n) AS rn, if(k = 0, v, s) AS rs, if(k = 0, v, mi) AS ri, if(k = 0, v, ma) AS ra, v AS rl, m2 AS rq"
	if len(plain.metrics) > 0 {
		add("SELECT id, t, seq AS ro, " + row + " FROM records FINAL WHERE " + r.e.where(r.org, plain) + " AND " + r.window.records())
	}
	if len(folded.metrics) > 0 {
		add(foldedSQL("id, t", "SELECT id, t, slot, seq AS ro, "+row+" FROM records FINAL WHERE "+r.e.where(r.org, folded)+" AND "+r.window.records()))
	}
	if hours := r.window.hours(); hours != "" {
		add("SELECT id, t, slot AS ro, n AS rn, s AS rs, mi AS ri, ma AS ra, v AS rl, m2 AS rq FROM hours FINAL WHERE " + r.e.where(r.org, &r.places) + " AND " + hours)
	}
	return sql
}

// foldedSQL takes away the rows of a second that came before one that replaces
// it. key is what rows of one second have in common.
func foldedSQL(key, rows string) string {
	return "SELECT " + key + ", p.1 AS ro, p.2 AS rn, p.3 AS rs, p.4 AS ri, p.5 AS ra, p.6 AS rl, p.7 AS rq FROM (" +
		"SELECT " + key + ", anew, arrayJoin(parts) AS p FROM (" +
		"SELECT " + key + ", maxIf(ro, slot = 0) AS anew, groupArray((ro, rn, rs, ri, ra, rl, rq)) AS parts FROM (" + rows + ") GROUP BY " + key + ")) WHERE p.1 >= anew"
}

// byKind tells metrics that ever folded from others.
func (r *reading) byKind() (plain, folded *idTable) {
	plain, folded = &idTable{metrics: make(map[uint64]bool)}, &idTable{metrics: make(map[uint64]bool)}
	for i := range r.picked {
		if r.picked[i].folded {
			folded.metrics[r.picked[i].hash] = true
		} else {
			plain.metrics[r.picked[i].hash] = true
		}
	}
	return plain, folded
}

// byGroupValues lets ClickHouse make one value of the values of a group.
func (r *reading) byGroupValues(ctx context.Context) error {
	f := map[tsdb.GroupFunction]string{tsdb.GroupMean: "avg", tsdb.GroupSum: "sum", tsdb.GroupMin: "min", tsdb.GroupMax: "max"}[r.q.GroupFunction]
	of := map[tsdb.Function]string{
		tsdb.Mean: "y / x", tsdb.Sum: "y", tsdb.Count: "x", tsdb.Min: "lo", tsdb.Max: "hi", tsdb.Last: "latest",
		tsdb.StdDev: "sqrt(if(sqrs > 0, sqrs, 0.0) / x)",
	}[r.q.Function]
	st := r.places.statement(fmt.Sprintf("SELECT g, w, toFloat64(%s(one)) AS x FROM (SELECT g, w, %s AS one FROM (%s) AS r ALL INNER JOIN ids USING id) GROUP BY g, w ORDER BY g, w",
		f, of, r.perStream()))
	st.settings = r.e.shape.readSettings()
	var g proto.ColUInt32
	var w proto.ColUInt64
	var x proto.ColFloat64
	number, s := -1, (*tsdb.Series)(nil)
	err := r.e.client.each(ctx, st, proto.Results{column("g", &g), column("w", &w), column("x", &x)}, func(rows int) error {
		for i := range rows {
			if n := int(g.Row(i)); n != number {
				if s != nil {
					if err := r.emit(s); err != nil {
						return err
					}
				}
				number, s = n, r.series(n)
			}
			s.Times, s.Values = append(s.Times, int64(w.Row(i))), append(s.Values, x.Row(i))
		}
		return nil
	})
	if err == nil && s != nil {
		err = r.emit(s)
	}
	return err
}
