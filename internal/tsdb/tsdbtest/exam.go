package tsdbtest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	us tidemark.OrgID = 1 + iota
	them
)

const (
	minute = 60
	hour   = 3600
	day    = 86400
)

// exam is an engine with what the questions need to be short. Times that
// questions write and read are relative to base, a midnight five days ago.
type exam struct {
	tsdb.Engine
	base int64
}

func newExam(e tsdb.Engine) *exam {
	return &exam{Engine: e, base: (time.Now().Unix() - 5*day) / day * day}
}

// record is one record as questions write it: its stream as "cpu host=a".
type record struct {
	stream  string
	time    int64
	summary tsdb.Summary
	sketch  []byte
}

// v is a record of one value.
func v(stream string, time int64, value float64) record {
	return sum(stream, time, tsdb.Single(value))
}

// sum is a record of a summary.
func sum(stream string, time int64, s tsdb.Summary) record {
	return record{stream: stream, time: time, summary: s}
}

// key returns the key of a stream given as "cpu host=a".
func key(stream string) []byte {
	metric, rest, _ := strings.Cut(stream, " ")
	m := make(map[string]string)
	for pair := range strings.FieldsSeq(rest) {
		name, value, _ := strings.Cut(pair, "=")
		m[name] = value
	}
	return tsdb.AppendKey(nil, metric, tidemark.MakeTags(m))
}

// batch returns a batch of the given records.
func (x *exam) batch(records ...record) *tsdb.Batch {
	var b tsdb.Batch
	for _, r := range records {
		b.AddDistribution(key(r.stream), x.base+r.time, r.summary, r.sketch)
	}
	return &b
}

// write writes records as one batch.
func (x *exam) write(t *testing.T, records ...record) {
	t.Helper()
	if err := x.Write(t.Context(), us, x.batch(records...)); err != nil {
		t.Fatalf("Write: %v", err)
	}
}

// fold makes metric fold by period.
func (x *exam) fold(t *testing.T, metric string, period int64) {
	t.Helper()
	x.mode(t, metric, tsdb.Mode{Fold: true, Period: period})
}

func (x *exam) mode(t *testing.T, metric string, m tsdb.Mode) {
	t.Helper()
	if err := x.SetMode(t.Context(), us, metric, m); err != nil {
		t.Fatalf("SetMode: %v", err)
	}
}

func (x *exam) forget(t *testing.T, metric string) {
	t.Helper()
	if err := x.Delete(t.Context(), us, metric); err != nil {
		t.Fatalf("Delete: %v", err)
	}
}

// query returns q with its window moved by base.
func (x *exam) query(q tsdb.Query) *tsdb.Query {
	q.Start += x.base
	q.End += x.base
	return &q
}

// raw asks for everything written to metric, record by record.
func raw(metric string) tsdb.Query {
	return tsdb.Query{Metric: metric, Start: -2 * day, End: 6 * day, Step: 1, Function: tsdb.All}
}

// check compares the answer to q with lines as describe writes them.
func (x *exam) check(t *testing.T, q tsdb.Query, want ...string) {
	t.Helper()
	x.checkOrg(t, us, q, want...)
}

func (x *exam) checkOrg(t *testing.T, org tidemark.OrgID, q tsdb.Query, want ...string) {
	t.Helper()
	got := []string{}
	for s, err := range x.Select(t.Context(), org, x.query(q)) {
		if err != nil {
			t.Fatalf("Select %+v: %v", q, err)
		}
		got = append(got, x.describe(s))
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("Select %+v (-want +got):\n%s", q, diff)
	}
}

// describe writes a series as "cpu host=a: 60=1.5 120=2", and a summary of
// more than one value as "60=n3 sum6 min1 max3 last2 m2". Numbers have twelve
// digits, so that the order of additions does not matter.
func (x *exam) describe(s *tsdb.Series) string {
	var b strings.Builder
	b.WriteString(s.Metric)
	for _, tag := range s.Tags {
		fmt.Fprintf(&b, " %s=%s", tag.Name, tag.Value)
	}
	b.WriteByte(':')
	for i, time := range s.Times {
		fmt.Fprintf(&b, " %d=", time-x.base)
		switch {
		case s.Values != nil:
			b.WriteString(number(s.Values[i]))
		case s.Summaries[i].IsSingle():
			b.WriteString(number(s.Summaries[i].Sum))
		default:
			m := &s.Summaries[i]
			fmt.Fprintf(&b, "n%s/sum%s/min%s/max%s/last%s/sq%s", number(m.Count), number(m.Sum), number(m.Min), number(m.Max), number(m.Last), number(m.M2))
		}
	}
	return b.String()
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// near reports whether two numbers that were computed in different orders
// are the same.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}

// collect returns copies of all series that q, with absolute times, asks for.
func (x *exam) collect(t *testing.T, org tidemark.OrgID, q *tsdb.Query) []*tsdb.Series {
	t.Helper()
	var all []*tsdb.Series
	for s, err := range x.Select(t.Context(), org, q) {
		if err != nil {
			t.Fatalf("Select %+v: %v", q, err)
		}
		all = append(all, s.Clone())
	}
	return all
}

// streams lists streams as "cpu host=a@60".
func (x *exam) streams(t *testing.T, org tidemark.OrgID, metric string, f tsdb.Filter) []string {
	t.Helper()
	got := []string{}
	for s, err := range x.Streams(t.Context(), org, metric, f) {
		if err != nil {
			t.Fatalf("Streams %q: %v", metric, err)
		}
		line := s.Metric
		for _, tag := range s.Tags {
			line += " " + tag.Name + "=" + tag.Value
		}
		got = append(got, fmt.Sprintf("%s@%d", line, s.LastSeen-x.base))
	}
	return got
}

// wantKind fails unless err is of kind.
func wantKind(t *testing.T, what string, err error, kind tidemark.Kind) {
	t.Helper()
	if err == nil || tidemark.KindOf(err) != kind {
		t.Errorf("%s: got error %v of kind %v, want kind %v", what, err, tidemark.KindOf(err), kind)
	}
}
