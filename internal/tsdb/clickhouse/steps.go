package clickhouse

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// stepColumns are those of an answer in steps.
type stepColumns struct {
	g      proto.ColUInt32
	w      proto.ColUInt64
	values [len(stepNames)]proto.ColFloat64
	needed [len(stepNames)]bool
}

// stepNames are what a step has, in the order of a summary: how many values, their
// sum, the least, the most, the latest, and the sum of squared deviations.
var stepNames = [...]string{"x", "y", "lo", "hi", "latest", "sqrs"}

// needed says what of a step the function needs. The rest is not computed, nor
// are its columns read.
func (r *reading) needed() [len(stepNames)]bool {
	f, all := r.q.Function, r.q.Function == tsdb.All
	mean := f == tsdb.Mean || f == tsdb.StdDev || r.q.Merges() || all
	return [...]bool{
		mean || f == tsdb.Count, mean || f == tsdb.Sum, f == tsdb.Min || all, f == tsdb.Max || all,
		f == tsdb.Last || f == tsdb.Derivative || all, f == tsdb.StdDev || all,
	}
}

func (c *stepColumns) results() proto.Results {
	list := proto.Results{column("g", &c.g), column("w", &c.w)}
	for i, name := range stepNames {
		if c.needed[i] {
			list = append(list, column(name, &c.values[i]))
		}
	}
	return list
}

// names are those of the columns, as a question lists them.
func (c *stepColumns) names() string {
	list := "g, w"
	for i, name := range stepNames {
		if c.needed[i] {
			list += ", " + name
		}
	}
	return list
}

// summary returns a row. What is not needed is zero.
func (c *stepColumns) summary(row int) tsdb.Summary {
	var v [len(stepNames)]float64
	for i, needed := range c.needed {
		if needed {
			v[i] = c.values[i].Row(row)
		}
	}
	return tsdb.Summary{Count: v[0], Sum: v[1], Min: v[2], Max: v[3], Last: v[4], M2: v[5]}
}

// bySteps lets ClickHouse make the steps, and the groups too where it can.
func (r *reading) bySteps(ctx context.Context) error {
	if r.inSQL() && !r.q.Merges() {
		return r.byGroupValues(ctx)
	}
	c := stepColumns{needed: r.needed()}
	st := r.places.statement(r.stepsSQL(c.names()))
	st.settings = r.e.shape.readSettings()
	each, after := r.consumers()
	if r.inSQL() {
		each, after = r.plainConsumer(), func() error { return nil }
	}
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
			s := c.summary(i)
			r.addStep(&p, int64(c.w.Row(i)), &s)
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

// addStep adds a row to the points of its stream: most are a step each, and
// those of one step follow one another, the latest last.
func (r *reading) addStep(p *points, at int64, row *tsdb.Summary) {
	n := len(p.times) - 1
	if n < 0 || p.times[n] != at {
		p.times, p.all = append(p.times, at), append(p.all, tsdb.Distribution{Summary: *row})
		return
	}
	s := &p.all[n].Summary
	if r.needsSquares() {
		s.Merge(row)
		return
	}
	// What the function does not need is zero, the count too.
	s.Count, s.Sum, s.Min, s.Max, s.Last = s.Count+row.Count, s.Sum+row.Sum, math.Min(s.Min, row.Min), math.Max(s.Max, row.Max), row.Last
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

// columns are those of a step, made of these.
func (r *reading) columns(of ...string) string {
	list := make([]string, len(of))
	for i, needed := range r.needed() {
		if !needed {
			of[i] = "toFloat64(0)"
		}
		list[i] = of[i] + " AS " + stepNames[i]
	}
	return strings.Join(list, ", ")
}

// perStream is the question for the steps of each stream, by id, from rows; more
// are columns beside those of a step.
func (r *reading) perStream(rows, more string) string {
	step := strconv.FormatInt(r.q.Step, 10)
	return "SELECT id, intDiv(toUInt64(t), " + step + ") * " + step + " AS w, " +
		r.columns("sum(rn)", "sum(rs)", "min(ri)", "max(ra)", "argMax(rl, "+r.order()+")", squares("rn", "rs", "rq", "x", "y")) +
		more + " FROM (" + rows + ") GROUP BY id, w"
}

// perHour is the same where steps are hours and the table of hours has them:
// its rows are steps as they are, but for the few with something added to them.
// Grouping them took most of the time of a long question.
func (r *reading) perHour() string {
	records := r.recordRows()
	if records != "" {
		records = r.perStream(records, ", max(t) AS latestAt, argMax(ro, (t, ro)) AS latestRow")
	}
	return union(records, "SELECT id, toUInt64(t) AS w, "+r.columns("n", "s", "mi", "ma", "v", "m2")+", t AS latestAt, slot AS latestRow FROM hours FINAL WHERE "+
		r.e.where(r.org, &r.places)+" AND "+r.window.hours())
}

// order is what the latest row of a stream has most of. Times alone will do
// where a stream has one row a second.
func (r *reading) order() string {
	if r.window.rawFrom == 0 && !slices.ContainsFunc(r.picked, func(f found) bool { return f.folded }) {
		return "t"
	}
	return "(t, ro)"
}

// stepsSQL asks for columns of the steps of streams or, merged, of groups.
func (r *reading) stepsSQL(columns string) string {
	if !r.inSQL() {
		steps, order := r.perStream(r.source(), ""), "g, w"
		if r.q.Step == hour && r.window.hours() != "" {
			steps, order = r.perHour(), "g, w, latestAt, latestRow"
		}
		return "SELECT " + columns + " FROM (" + steps + ") AS r ALL INNER JOIN ids USING id ORDER BY " + order
	}
	sqrs := "toFloat64(0)"
	if r.needsSquares() {
		sqrs = squares("sx", "sy", "sq", "x", "y")
	}
	inner := "SELECT g, place, w, x AS sx, y AS sy, lo AS slo, hi AS shi, latest AS sl, sqrs AS sq FROM (" + r.perStream(r.source(), "") + ") AS r ALL INNER JOIN ids USING id"
	return "SELECT " + columns + " FROM (SELECT g, w, sum(sx) AS x, sum(sy) AS y, min(slo) AS lo, max(shi) AS hi, argMax(sl, place) AS latest, " + sqrs + " AS sqrs FROM (" + inner + ") GROUP BY g, w) ORDER BY g, w"
}

// source is the rows that steps are made of: rn values with sum rs between ri
// and ra, the last of them rl, and rq the sum of squared deviations.
func (r *reading) source() string {
	hours := r.window.hours()
	if hours != "" {
		hours = "SELECT id, t, slot AS ro, n AS rn, s AS rs, mi AS ri, ma AS ra, v AS rl, m2 AS rq FROM hours FINAL WHERE " + r.e.where(r.org, &r.places) + " AND " + hours
	}
	return union(r.recordRows(), hours)
}

// recordRows are those of them that are from records; "" if none are.
func (r *reading) recordRows() string {
	times := r.window.records()
	if times == "" {
		return ""
	}
	plain, folded := r.byKind()
	var values, folds string
	const row = "if(k = 0, 1, n) AS rn, if(k = 0, v, s) AS rs, if(k = 0, v, mi) AS ri, if(k = 0, v, ma) AS ra, v AS rl, m2 AS rq"
	if len(plain.metrics) > 0 {
		values = "SELECT id, t, seq AS ro, " + row + " FROM records FINAL WHERE " + r.e.where(r.org, plain) + " AND " + times
	}
	if len(folded.metrics) > 0 {
		folds = foldedSQL("id, t", "SELECT id, t, slot, seq AS ro, "+row+" FROM records FINAL WHERE "+r.e.where(r.org, folded)+" AND "+times)
	}
	return union(values, folds)
}

// union is the rows of all questions but those that are "".
func union(questions ...string) string {
	return strings.Join(slices.DeleteFunc(questions, func(sql string) bool { return sql == "" }), " UNION ALL ")
}

// foldedSQL takes away the rows of a second that came before one that replaces
// it. key is what rows of one second have in common.
func foldedSQL(key, rows string) string {
	return "SELECT " + key + ", p.1 AS ro, p.2 AS rn, p.3 AS rs, p.4 AS ri, p.5 AS ra, p.6 AS rl, p.7 AS rq FROM (" +
		"SELECT " + key + ", restart, arrayJoin(parts) AS p FROM (" +
		"SELECT " + key + ", maxIf(ro, slot = 0) AS restart, groupArray((ro, rn, rs, ri, ra, rl, rq)) AS parts FROM (" + rows + ") GROUP BY " + key + ")) WHERE p.1 >= restart"
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
		f, of, r.perStream(r.source(), "")))
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
