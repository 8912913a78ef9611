package clickhouse

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"pgregory.net/rapid"
)

// TestQuote: a text ends where it ends, whatever is in it.
func TestQuote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":             `''`,
		"cpu":          `'cpu'`,
		"it's":         `'it\'s'`,
		`a\`:           `'a\\'`,
		`\'; DROP --`:  `'\\\'; DROP --'`,
		"\x00host\x01": `'\0host\x01'`,
		"größe\n":      "'größe\n'",
	} {
		if got := quote(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestMetricSQL: of the characters of a pattern only * means anything.
func TestMetricSQL(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"*":         "1",
		"cpu":       "metric = 'cpu'",
		"cpu.*":     "metric LIKE 'cpu.%'",
		"100%_*":    `metric LIKE '100\\%\\_%'`,
		`a\*'`:      `metric LIKE 'a\\\\%\''`,
		"cpu_total": "metric = 'cpu_total'",
	} {
		if got := metricSQL(pattern); got != want {
			t.Errorf("%q: got %s, want %s", pattern, got, want)
		}
	}
}

// row is one of the catalogue.
type row struct {
	org    tidemark.OrgID
	metric string
	tags   tidemark.Tags
}

// condition computes SQL of the few kinds that the catalogue is asked with.
type condition struct {
	t    *rapid.T
	rest string
	row  row
}

func (c *condition) take(word string) bool {
	var ok bool
	c.rest, ok = strings.CutPrefix(c.rest, word)
	return ok
}

// or is a list of what binds tighter.
func (c *condition) or() bool {
	is := c.and()
	for c.take(" OR ") {
		is = c.and() || is
	}
	return is
}

func (c *condition) and() bool {
	is := c.one()
	for c.take(" AND ") {
		is = c.one() && is
	}
	return is
}

func (c *condition) one() bool {
	key := string(tsdb.AppendKey(nil, c.row.metric, c.row.tags))
	switch {
	case c.take("NOT "):
		return !c.one()
	case c.take("("):
		is := c.or()
		c.must(")")
		return is
	case c.take("org = "):
		return c.digits() == int64(c.row.org)
	case c.take("metric = "):
		return c.row.metric == c.text()
	case c.take("metric LIKE "):
		return tidemark.Glob(strings.NewReplacer(`\%`, "%", `\_`, "_", `\\`, `\`, "%", "*").Replace(c.text()), c.row.metric)
	case c.take(`position(concat(key, '\0'), `):
		return c.position(key + "\x00")
	case c.take("position(key, "):
		return c.position(key)
	}
	return c.digits() == 1
}

func (c *condition) must(word string) {
	if !c.take(word) {
		c.t.Fatalf("want %q at %q", word, c.rest)
	}
}

func (c *condition) position(in string) bool {
	text := c.text()
	c.must(") > 0")
	return strings.Contains(in, text)
}

func (c *condition) digits() int64 {
	n := len(c.rest) - len(strings.TrimLeft(c.rest, "0123456789"))
	number, err := strconv.ParseInt(c.rest[:n], 10, 64)
	if err != nil {
		c.t.Fatalf("no number at %q", c.rest)
	}
	c.rest = c.rest[n:]
	return number
}

// text reads one as ClickHouse does.
func (c *condition) text() string {
	c.must("'")
	var b strings.Builder
	for {
		switch {
		case c.rest == "":
			c.t.Fatal("a text without end")
		case c.take("'"):
			return b.String()
		case c.take(`\x01`):
			b.WriteByte(1)
		case c.take(`\0`):
			b.WriteByte(0)
		default:
			c.take(`\`)
			b.WriteByte(c.rest[0])
			c.rest = c.rest[1:]
		}
	}
}

var (
	drawTag   = rapid.SampledFrom([]string{"host", "ho", "rack", "it's"})
	drawValue = rapid.SampledFrom([]string{"a", "aa", "b", `\`, "%"})
	drawName  = rapid.SampledFrom([]string{"cpu", "cpu_x", "cpu%x", `c\p`, "mem"})
)

func drawFilter(t *rapid.T, depth int) tsdb.Filter {
	f := tsdb.Filter{Op: rapid.SampledFrom([]tsdb.FilterOp{tsdb.Any, tsdb.And, tsdb.Or, tsdb.Not, tsdb.Has, tsdb.Is, tsdb.Is}).Draw(t, "op")}
	n := 0
	switch f.Op {
	case tsdb.And, tsdb.Or:
		n = rapid.IntRange(0, 3).Draw(t, "args")
	case tsdb.Not:
		n = 1
	case tsdb.Has, tsdb.Is:
		f.Tag = drawTag.Draw(t, "tag")
		f.Patterns = rapid.SliceOfN(rapid.OneOf(drawValue, rapid.SampledFrom([]string{"*", "a*", "*b"})), 0, 3).Draw(t, "patterns")
	}
	for range n {
		if depth == 0 {
			f.Args = append(f.Args, tsdb.TagPresent(drawTag.Draw(t, "tag")))
			continue
		}
		f.Args = append(f.Args, drawFilter(t, depth-1))
	}
	return f
}

func drawRow(t *rapid.T) row {
	r := row{org: tidemark.OrgID(rapid.IntRange(1, 2).Draw(t, "org")), metric: drawName.Draw(t, "metric")}
	names := rapid.SliceOfNDistinct(drawTag, 0, 3, rapid.ID).Draw(t, "names")
	slices.Sort(names)
	for _, name := range names {
		r.tags = append(r.tags, tidemark.Tag{Name: name, Value: drawValue.Draw(t, "value")})
	}
	return r
}

// TestStreamsSQL: the question for the streams of an organization finds all
// that are asked for, and none of another organization or metric, whatever the
// filter; what is said to be exact is what the filter itself picks.
func TestStreamsSQL(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		filter, r := drawFilter(t, 2), drawRow(t)
		pattern := rapid.OneOf(drawName, rapid.SampledFrom([]string{"*", "cpu*", "*x", "cpu_*", `c\*`})).Draw(t, "pattern")
		c := &condition{t: t, rest: streamsSQL(1, pattern, &filter), row: r}
		sql := c.rest
		got := c.or()
		if c.rest != "" {
			t.Fatalf("the SQL ends with %q", c.rest)
		}
		mine := r.org == 1 && tidemark.Glob(pattern, r.metric)
		_, exact := filterSQL(&filter)
		switch match := filter.Match(r.tags); {
		case got && !mine:
			t.Fatalf("%s finds %+v", sql, r)
		case mine && match && !got:
			t.Fatalf("%s does not find %+v", sql, r)
		case mine && exact && got != match:
			t.Fatalf("%s is not exact for %+v", sql, r)
		}
	})
}

// TestManyValues: a filter on more values than fit a question asks for the
// streams with the tag, and leaves the rest to the filter.
func TestManyValues(t *testing.T) {
	t.Parallel()
	values := make([]string, 101)
	for i := range values {
		values[i] = "v" + strconv.Itoa(i)
	}
	limit, over := tsdb.TagIs("host", values[:100]...), tsdb.TagIs("host", values...)
	if sql, exact := filterSQL(&limit); !exact || strings.Count(sql, "position(") != 100 {
		t.Errorf("100 values: exact %v: %s", exact, sql)
	}
	if sql, exact := filterSQL(&over); exact || sql != `position(key, '\0host\x01') > 0` {
		t.Errorf("101 values: exact %v: %s", exact, sql)
	}
	not := tsdb.Filter{Op: tsdb.Not, Args: []tsdb.Filter{over}}
	if sql, exact := filterSQL(&not); exact || sql != "1" {
		t.Errorf("what is not exact cannot be negated: exact %v: %s", exact, sql)
	}
}

// TestAddStep: rows of one step become one, whatever is asked for.
func TestAddStep(t *testing.T) {
	t.Parallel()
	a, b := tsdb.Summary{Count: 2, Sum: 6, Min: 1, Max: 5, Last: 5, M2: 8}, tsdb.Summary{Count: 1, Sum: 9, Min: 9, Max: 9, Last: 9}
	both := a
	both.Merge(&b)
	for f, want := range map[tsdb.Function]tsdb.Summary{
		tsdb.All: both, tsdb.StdDev: both,
		tsdb.Mean: {Count: 3, Sum: 15}, tsdb.Min: {Min: 1}, tsdb.Max: {Max: 9}, tsdb.Last: {Last: 9},
	} {
		r, p := &reading{q: &tsdb.Query{Function: f, Step: hour}}, &points{}
		row := func(s tsdb.Summary) *tsdb.Summary {
			c := stepColumns{needed: r.needed()}
			for i, v := range []float64{s.Count, s.Sum, s.Min, s.Max, s.Last, s.M2} {
				c.values[i].Append(v)
			}
			if f == tsdb.StdDev { // what it does not need is not compared
				c.needed = [len(stepNames)]bool{true, true, true, true, true, true}
			}
			sum := c.summary(0)
			return &sum
		}
		r.addStep(p, 0, row(tsdb.Summary{Count: 7}))
		r.addStep(p, 3600, row(a))
		r.addStep(p, 3600, row(b))
		r.addStep(p, 7200, row(b))
		if !slices.Equal(p.times, []int64{0, 3600, 7200}) || p.all[1].Summary != want {
			t.Errorf("function %d: at %v %+v, want %+v", f, p.times, p.all[1].Summary, want)
		}
	}
}
